"""What the screen asks of the feed; each waits in a queue until the feed's thread takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Union

from ...storage.private.bookmarks import Bookmark
from .follower import Asked
from .insight import Aspect
from .messages import Subject
from .search_messages import Sought

if TYPE_CHECKING:
    from .tasks import Task


@dataclass(frozen=True, slots=True)
class Words:
    """Words to find in the open transcript."""

    words: str


@dataclass(frozen=True, slots=True)
class Look:
    """What is shown besides the records of the open session: of it, of another, or of all."""

    aspect: Aspect
    subject: Subject | None = None
    """None for the open session."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Where the person was."""

    marks: Mapping[Path, Bookmark]


@dataclass(frozen=True, slots=True)
class Changed:
    """Paths in session directories that changed; sent by the watcher."""

    paths: frozenset[str]


Request = Union[Asked, Words, Sought, Look, Marks, Changed, "Task", None]
"""What is asked of the feed; None is to stop."""
