"""What the disk shows about an interrupted call, as plain data for list, screens and commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .edits import Edit

Suggestion = Literal["applied", "not-applied", "ambiguous", "changed-since", "unknown"]

Holds = Literal["new", "old", ""]


TOLERANCE = 2_000
"""Milliseconds by which clocks and file systems may differ: FAT has a resolution of 2 s."""


@dataclass(frozen=True, slots=True)
class Before:
    """What is known about the file besides its bytes. Times are in milliseconds since 1970."""

    at: int | None = None
    """When the call was made."""
    modified_at: int | None = None
    existed: bool | None = None
    """Whether the file existed before the call; None if that is not known."""
    before: bytes | None = None
    """Its contents before the call."""
    unwritten: bool = False
    """Whether the file was not modified since the agent read it before the call."""
    leftover: str = ""
    """Name of a temporary file left by an interrupted write; "" if there is none."""
    is_alone: bool = True
    """Whether the same response changed nothing else. If several edits run in parallel, a backup
    may have been made after the edit it was meant to precede."""
    others: tuple[Edit, ...] = ()
    """Other edits of the file that may have been applied, in the same response or later."""
    inert: str = ""
    """Why the call cannot have changed the file, in one sentence; "" if it can have."""


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
