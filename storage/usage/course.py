"""The usage of one session over time, in steps of equal length.

A fold over its events, or over the quarters of an hour in the index. The number of steps is
bounded: if a session lasts too long, the length of a step doubles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..folds.tally import QUARTER
from ..model.event import Event, Usage
from ..model.usage import Course, Moment
from .report import Called, UsageRow

SECOND = 1_000

MOST = 512
"""Maximum number of steps: more than any screen has columns."""


class CourseFold:
    """Processes events of one session in file order, or its quarters of an hour in any order."""

    def __init__(self, step: int = SECOND) -> None:
        self._step = step
        self._used: dict[int, tuple[Usage, int]] = {}
        """Tokens and calls by number of the step since 1970."""
        self._metered = ""
        """State of the agent's meter."""

    def add(self, event: Event) -> None:
        """Process an event; one without a time is ignored."""
        if event.at is None or event.kind == "damaged":
            return
        tokens = None
        if counted := event.agent.meter(event, self._metered):
            self._metered, tokens = counted
        is_call = event.kind == "call"
        if tokens is not None or is_call:
            self.use(event.at, tokens or Usage(), int(is_call))

    def use(self, at: int, tokens: Usage, calls: int) -> None:
        """Add what was used at a time (milliseconds since 1970)."""
        place = at // self._step
        before = self._used.get(place, (Usage(), 0))
        self._used[place] = (before[0] + tokens, before[1] + calls)
        while len(self._used) > MOST:
            self._widen()

    def course(self) -> Course:
        """Return the course so far."""
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
    """Return the course of a session from its rows in the index."""
    course_fold = CourseFold(QUARTER)
    for row in usage:
        if row.quarter:
            course_fold.use(row.quarter * QUARTER, row.tokens, 0)
    for _, quarter, _, _, count in calls:
        if quarter:
            course_fold.use(quarter * QUARTER, Usage(), count)
    return course_fold.course()


def together(courses: Sequence[Course]) -> Course:
    """Return the combined course of several, in the longest of their steps."""
    course_fold = CourseFold(max((course.step for course in courses), default=SECOND))
    for course in courses:
        for moment in course.moments:
            course_fold.use(*moment)
    return course_fold.course()
