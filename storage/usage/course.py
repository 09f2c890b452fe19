"""The course of one session: what it used in each step of its life.

A fold over its events, or over the quarters that the index knows. Bounded: where a session lasts so
long that the steps become many, each becomes twice as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..folds.tally import QUARTER
from ..model.event import Event, Usage
from ..model.usage import Course, Moment
from .report import Called, UsageRow

SECOND = 1_000

MOST = 512
"""Steps kept: more than any screen has columns."""


class CourseFold:
    """Takes in events of one session, in any order, or quarters of it."""

    def __init__(self, step: int = SECOND) -> None:
        self._step = step
        self._used: dict[int, tuple[Usage, int]] = {}
        """Tokens and calls by the step's number since 1970."""
        self._metered = ""
        """State of the agent's meter."""

    def add(self, event: Event) -> None:
        """Take in an event; one without a time has no place in the course."""
        if event.at is None or event.kind == "damaged":
            return
        tokens = None
        if counted := event.agent.meter(event, self._metered):
            self._metered, tokens = counted
        is_call = event.kind == "call"
        if tokens is not None or is_call:
            self.use(event.at, tokens or Usage(), int(is_call))

    def use(self, at: int, tokens: Usage, calls: int) -> None:
        """Take in what was used at a moment."""
        place = at // self._step
        before = self._used.get(place, (Usage(), 0))
        self._used[place] = (before[0] + tokens, before[1] + calls)
        while len(self._used) > MOST:
            self._widen()

    def course(self) -> Course:
        """The course so far."""
        moments = (
            Moment(place * self._step, *self._used[place])
            for place in sorted(self._used)
            if self._used[place] != (Usage(), 0)
        )
        return Course(self._step, tuple(moments))

    def _widen(self) -> None:
        before, self._used = self._used, {}
        self._step *= 2
        for place, (tokens, calls) in before.items():
            sums = self._used.get(place // 2, (Usage(), 0))
            self._used[place // 2] = (sums[0] + tokens, sums[1] + calls)


def course_by_quarters(usage: Iterable[UsageRow], calls: Iterable[Called]) -> Course:
    """The course of a session, as its rows of the index tell it."""
    course_fold = CourseFold(QUARTER)
    for row in usage:
        if row.quarter:
            course_fold.use(row.quarter * QUARTER, row.tokens, 0)
    for _, quarter, _, _, count in calls:
        if quarter:
            course_fold.use(quarter * QUARTER, Usage(), count)
    return course_fold.course()


def together(courses: Sequence[Course]) -> Course:
    """The course of what went on side by side, in the longest of the steps."""
    course_fold = CourseFold(max((course.step for course in courses), default=SECOND))
    for course in courses:
        for moment in course.moments:
            course_fold.use(*moment)
    return course_fold.course()
