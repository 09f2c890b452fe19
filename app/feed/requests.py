"""Requests of the screen to the feed; they wait in a queue for the feed's thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Literal, Union

from ...storage.model.event import Kind
from ...storage.private.bookmarks import Bookmark

if TYPE_CHECKING:
    from .tasks import Task

Aspect = Literal["memory", "recovery", "review", "candidates", "usage", "search", ""]
"""What the screen shows besides the records."""

Subject = Path | Literal["all"]
"""The session at a path, or all sessions."""

TAIL_LINES = 300
"""Approximate number of lines read from the end of a transcript before it is shown."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Open the session with this newest transcript and follow it; None closes the open one."""

    path: Path | None
    lines: int = TAIL_LINES
    """Minimum number of lines to load from the end of a long transcript."""
    older: int = 0
    """Number of earlier parts to load, once the newest is loaded completely."""


@dataclass(frozen=True, slots=True)
class FindRequest:
    """Find words in the open session."""

    words: str


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Search all sessions; an empty text ends the search."""

    text: str = ""
    """A query in the search syntax."""
    limit: int = 0
    """Maximum number of hits to post."""
    kinds: frozenset[Kind] = frozenset()
    """Kinds of events to search besides prompts and answers."""

    def is_alike(self, other: SearchRequest) -> bool:
        """Whether both find the same hits, regardless of the limit."""
        return (self.text, self.kinds) == (other.text, other.kinds)


@dataclass(frozen=True, slots=True)
class Look:
    """Post memory, recovery, cases, candidates or usage of a subject from now on."""

    aspect: Aspect
    subject: Subject | None = None
    """None for the open session."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Save bookmarks."""

    marks: Mapping[Path, Bookmark]


@dataclass(frozen=True, slots=True)
class Changed:
    """Read changed paths in session directories; sent by a watcher."""

    paths: frozenset[str]


Request = Union[OpenRequest, FindRequest, SearchRequest, Look, Marks, Changed, "Task", None]
"""A request to the feed; None stops it."""


def waiting(requests: SimpleQueue[Request], patience: float) -> Iterator[Request]:
    """Yield all queued requests; wait up to `patience` seconds for the first."""
    with suppress(Empty):
        yield requests.get(patience > 0, max(0.0, patience))
        while True:
            yield requests.get_nowait()
