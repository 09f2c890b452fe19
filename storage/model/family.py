"""How a session relates to others: the totals of its sub-agents, and its origin."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .event import Usage


@dataclass(frozen=True, slots=True)
class Family:
    """The totals of all sub-agents of a session, nested ones included."""

    members: int = 0
    tokens: Usage | None = None
    """Tokens of the sub-agents only; None if none were counted."""
    uncertain: int = 0
    """Their calls without a result and without a verdict."""
    working: int = 0
    """How many are working."""
    needing: int = 0
    """How many need the user."""
    doing: str = ""
    """What one of the working ones is doing."""
    why: str = ""
    """One sentence: why one needs the user."""
    crashed: int = 0
    """How many crashed."""
    updated_at: int | None = None
    """Time of the latest record of any, in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The session that another session starts from."""

    kind: Literal["fork", "continuation"]
    """A copy of its records, or a new file after a resume."""
    session: str
    path: Path | None = None
    """None if its file no longer exists."""
    title: str = ""
