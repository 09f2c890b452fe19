"""What a session shares with others: its sub-agents taken together, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .event import Usage


@dataclass(frozen=True, slots=True)
class Family:
    """The sub-agents of a session taken together, those of its sub-agents among them."""

    members: int = 0
    tokens: Usage | None = None
    """Theirs alone; None where none were counted."""
    uncertain: int = 0
    """Their calls without a result and without a verdict."""
    working: int = 0
    """How many of them work."""
    needing: int = 0
    """How many of them need the person."""
    doing: str = ""
    """What one that works does now."""
    why: str = ""
    """One sentence: why one needs the person."""
    crashed: int = 0
    """How many of them died."""
    updated_at: int | None = None
    """When the last record of any came, in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The session that another one begins with."""

    kind: Literal["fork", "continuation"]
    """A copy of its records, or a new file after a resume."""
    session: str
    path: Path | None = None
    """None where it is not there any more."""
    title: str = ""
