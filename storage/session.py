"""A session as the list and the command line show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .event import Usage
from .integrity import Integrity

Status = Literal[
    "working",
    "waiting",
    "asking",
    "interrupted",
    "crashed",
    "done",
    "empty",
    "corrupt",
    "unknown",
]
TitleSource = Literal[
    "user", "app", "custom-title", "ai-title", "topic", "summary", "prompt", "file"
]


@dataclass(frozen=True, slots=True)
class Session:
    """One transcript with what is known of it. Times are milliseconds since 1970.

    What only a reading of the whole file can tell (`events`, `tokens`) is None until then.
    """

    session: str
    path: Path
    dialect: str
    workspace: str
    """The first working directory that a record names, or the folder's name."""
    title: str
    title_from: TitleSource
    status: Status
    why: str
    """One sentence: how status and need were found."""
    needs_you: bool = False
    integrity: Integrity = field(default_factory=Integrity)
    events: int | None = None
    bytes: int = 0
    started_at: int | None = None
    updated_at: int | None = None
    model: str | None = None
    tokens: Usage | None = None
    uncertain: int = 0
    """Calls without a result and with nobody alive to bring one, without a verdict."""
    candidates: int = 0
    parent: str | None = None
    parent_path: Path | None = None
    children: int = 0
    hidden_by: Literal["user", "app"] | None = None
    asked: str = ""
    """The first and the last prompt, cut: what a filter looks into besides the title."""
    tools: frozenset[str] = frozenset()
    """Names of the tools it called."""
    doing: str = ""
    """What a working session does now: the tool and its label."""
