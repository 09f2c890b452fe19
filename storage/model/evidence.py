"""What the disk says of an interrupted call: plain data, for list, screen and commands alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .edits import Edit

Suggestion = Literal["applied", "not-applied", "ambiguous", "changed-since", "unknown"]

Holds = Literal["new", "old", ""]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The file that a call was about, as it is now, and what that suggests."""

    suggests: Suggestion
    reason: str
    """One sentence; may hold foreign text, as paths."""
    path: str | None
    """Absolute, as its own system writes it."""
    exists: bool
    size: int | None
    sha256: str | None
    """Of the whole content; None where it was not read."""
    modified_at: int | None
    """Milliseconds since 1970."""
    checked_at: int
    """Milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of the file as it is now, foreign text, cut to what a screen can hold."""

    first: int
    """1-based number of the first line."""
    lines: tuple[str, ...]
    marked: tuple[int, int]
    """1-based numbers of the first and last line that hold what was looked for; (0, 0): none."""
    holds: Holds
    """What the marked lines are: the text that the call was to write, the one to be replaced."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """Evidence with the places in the file that it rests on."""

    evidence: Evidence
    excerpts: tuple[Excerpt, ...] = ()
    edit: Edit | None = None
    """What changed since a backup, where no call tells."""
