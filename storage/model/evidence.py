"""What the disk shows about an interrupted call, as plain data for list, screens and commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .edits import Edit

Suggestion = Literal["applied", "not-applied", "ambiguous", "changed-since", "unknown"]

Holds = Literal["new", "old", ""]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The current state of the file a call was about, and what it suggests."""

    suggests: Suggestion
    reason: str
    """One sentence; may contain foreign text such as paths."""
    path: str | None
    """Absolute, in the notation of the system it is on."""
    exists: bool
    size: int | None
    sha256: str | None
    """Hash of the whole content; None if it was not read."""
    modified_at: int | None
    """Milliseconds since 1970."""
    checked_at: int
    """Milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of the current file: foreign text, truncated to what a screen can show."""

    first: int
    """1-based number of the first line."""
    lines: tuple[str, ...]
    marked: tuple[int, int]
    """1-based numbers of the first and last matching line; (0, 0) if none matches."""
    holds: Holds
    """What the marked lines are: the text the call was to write, or the text it was to replace."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """Evidence with the passages of the file it is based on."""

    evidence: Evidence
    excerpts: tuple[Excerpt, ...] = ()
    edit: Edit | None = None
    """The change since a backup, if there is no call on record."""
