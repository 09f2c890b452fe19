"""What the screen asks of the feed; each waits in a queue until the feed's thread takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...storage.private.bookmarks import Bookmark
from .follower import Asked
from .insight import Aspect
from .search_messages import Sought

if TYPE_CHECKING:
    from .decisions import DecisionWorker

Task = Callable[["DecisionWorker"], None]
"""Something to carry out; made by the screen, carried out by the feed's thread."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words to find in the open transcript."""

    words: str


@dataclass(frozen=True, slots=True)
class Look:
    """What is looked at besides the open transcript's records: of it, of another, or of all."""

    aspect: Aspect
    everywhere: bool = False
    of: Path | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """Where the person was."""

    marks: Mapping[Path, Bookmark]


Request = Asked | Words | Sought | Look | Marks | Task | set[str] | None
"""What is asked of the feed; a set are paths that changed, None is to stop."""
