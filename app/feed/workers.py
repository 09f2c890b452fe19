"""The matters that a person decides on: told while they are looked at, and carried out.

What only that needs is imported when it is first needed: the first list does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.message import Message

from ...storage.decisions.decisions import Decisions
from ...storage.library.library import Library
from .insight import Aspect
from .messages import Subject
from .requests import Task

if TYPE_CHECKING:
    from .decisions import Deciding
    from .review import Reviewing
    from .search import Searching
    from .search_messages import Sought
    from .usage import Using


class Matters:
    """Used by the feed's thread alone. `now` tells the milliseconds since 1970."""

    def __init__(
        self,
        library: Library,
        decisions: Decisions,
        review_days: int,
        post: Callable[[Message], object],
        now: Callable[[], int],
    ) -> None:
        self._library = library
        self._decisions = decisions
        self._review_days = review_days
        self._post = post
        self._now = now
        self._reviewing: Reviewing | None = None
        self._deciding: Deciding | None = None
        self._using: Using | None = None
        self._searching: Searching | None = None

    def look_at(self, aspect: Aspect, subject: Subject | None) -> None:
        """Tell the cases or the candidates of this from now on; another aspect tells nothing."""
        if self._reviewing is None and aspect in ("review", "candidates"):
            from .review import Reviewing

            self._reviewing = Reviewing(
                self._library, self._decisions, self._review_days, self._post, self._now
            )
        if self._reviewing is not None:
            self._reviewing.cases.look_at(subject if aspect == "review" else None)
            self._reviewing.candidates.look_at(subject if aspect == "candidates" else None)
        if self._using is None and aspect == "usage":
            from .usage import Using

            self._using = Using(self._library, self._post, self._now)
        if self._using is not None:
            self._using.look_at(subject if aspect == "usage" else None)

    def search(self, sought: Sought) -> None:
        """Tell from now on what a search in all sessions finds."""
        if self._searching is None:
            from .search import Searching

            self._searching = Searching(self._library, self._post, self._now)
        self._searching.search(sought)

    def carry_out(self, decision: Task) -> None:
        """Do what the person decided."""
        if self._deciding is None:
            from .decisions import Deciding

            self._deciding = Deciding(self._library, self._decisions, self._post, self._now)
        self._deciding.carry_out(decision)
        if self._reviewing is not None:
            self._reviewing.decided()

    def changed(self) -> None:
        """Transcripts grew."""
        if self._reviewing is not None:
            self._reviewing.changed()
        if self._using is not None:
            self._using.changed()
        if self._searching is not None:
            self._searching.changed()

    def search_slice(self) -> bool:
        """Search a little; whether there was anything to do."""
        return self._searching is not None and self._searching.slice()

    def slice(self) -> bool:
        """Gather a little of what is looked at; whether there was anything to do."""
        if self._reviewing is not None and self._reviewing.slice():
            return True
        return self._using is not None and self._using.slice()
