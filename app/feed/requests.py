"""What the screen asks of the feed; each waits in a queue until the feed's thread takes it."""

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
"""What is shown besides the records."""

Subject = Path | Literal["all"]
"""What it is shown of: the session at a path, or all of them."""

TAIL_LINES = 300
"""Lines at the end of a transcript that are read before it is shown, about."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Show a session by its newest transcript, None for none, and follow it."""

    path: Path | None
    lines: int = TAIL_LINES
    """How much of its end at least, if it is long."""
    older: int = 0
    """How many of its earlier parts, once the newest is there from its beginning."""


@dataclass(frozen=True, slots=True)
class FindRequest:
    """Find words in the open session."""

    words: str


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Search all sessions; an empty text ends the search."""

    text: str = ""
    """A query."""
    limit: int = 0
    """How many hits are wanted."""
    kinds: frozenset[Kind] = frozenset()
    """What is searched besides prompts and answers."""

    def is_alike(self, other: SearchRequest) -> bool:
        """Whether both find the same, if perhaps not as much of it."""
        return (self.text, self.kinds) == (other.text, other.kinds)


@dataclass(frozen=True, slots=True)
class Look:
    """Tell memory, recovery, cases, candidates or usage of a subject from now on."""

    aspect: Aspect
    subject: Subject | None = None
    """None for the open session."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Remember where the user was."""

    marks: Mapping[Path, Bookmark]


@dataclass(frozen=True, slots=True)
class Changed:
    """Look at paths in session directories that changed; sent by the watcher."""

    paths: frozenset[str]


Request = Union[OpenRequest, FindRequest, SearchRequest, Look, Marks, Changed, "Task", None]
"""What is asked of the feed; None is to stop."""


def waiting(requests: SimpleQueue[Request], patience: float) -> Iterator[Request]:
    """The requests in a queue, after so many seconds' wait for the first."""
    with suppress(Empty):
        yield requests.get(patience > 0, max(0.0, patience))
        while True:
            yield requests.get_nowait()
