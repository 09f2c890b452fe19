"""Creates and runs the workers for cases, candidates, usage, searches and decisions.

Each is imported when it is first needed, to speed up the first list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .context import Context
from .effects import EffectsWorker
from .requests import Aspect, Subject

if TYPE_CHECKING:
    from .decisions import DecisionWorker
    from .requests import SearchRequest
    from .review import ReviewWorker
    from .search import SearchWorker
    from .tasks import Task
    from .usage import UsageWorker


class Workers:
    """Distribute requests and slices among the workers; used by the feed's thread only."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._effects = EffectsWorker(context)
        self._review: ReviewWorker | None = None
        self._decision: DecisionWorker | None = None
        self._usage: UsageWorker | None = None
        self._search: SearchWorker | None = None

    def look_at(self, aspect: Aspect, subject: Subject | None) -> None:
        """Gather cases, candidates or usage of a subject from now on; others gather nothing."""
        if self._review is None and aspect in ("review", "candidates"):
            from .review import ReviewWorker

            self._review = ReviewWorker(self._context, self._effects.of)
        if self._review is not None:
            self._review.cases.look_at(subject if aspect == "review" else None)
            self._review.candidates.look_at(subject if aspect == "candidates" else None)
        if self._usage is None and aspect == "usage":
            from .usage import UsageWorker

            self._usage = UsageWorker(self._context)
        if self._usage is not None:
            self._usage.look_at(subject if aspect == "usage" else None)

    def search(self, sought: SearchRequest) -> None:
        """Search all sessions and post the hits from now on."""
        if self._search is None:
            from .search import SearchWorker

            self._search = SearchWorker(self._context)
        self._search.search(sought)

    def carry_out(self, task: Task) -> None:
        """Carry out a task of the user, and apply it to the lists under review."""
        if self._decision is None:
            from .decisions import DecisionWorker

            self._decision = DecisionWorker(self._context)
        self._decision.carry_out(task)
        if self._review is not None:
            self._review.decided()

    def changed(self) -> None:
        """Let all workers gather again, because transcripts have grown."""
        self._effects.changed()
        if self._review is not None:
            self._review.changed()
        if self._usage is not None:
            self._usage.changed()
        if self._search is not None:
            self._search.changed()

    def search_slice(self) -> bool:
        """Search for one slice; return whether there was anything to do."""
        return self._search is not None and self._search.slice()

    def slice(self) -> bool:
        """Gather what is shown for one slice; return whether there was anything to do."""
        if self._review is not None and self._review.slice():
            return True
        return self._usage is not None and self._usage.slice()

    def rest_slice(self) -> bool:
        """Search for unrecorded effects for one slice; return whether there was anything to do."""
        return self._effects.slice()
