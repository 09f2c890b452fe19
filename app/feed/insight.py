"""Gathers memory and recovery of the open session while the screen shows them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...storage.model.timeline import Alive
from ...storage.transcript.transcript import Transcript
from .context import Context
from .messages import InsightChanged
from .requests import Aspect

if TYPE_CHECKING:
    from ...storage.insight.insight import Insight


RECOVERED_EVERY = 1.0
"""Minimum seconds between two recoveries of a growing session, which restore all its messages."""

ASKED_EVERY = 0.2
"""Minimum seconds between two checks whether the agent is running."""


class InsightWorker:
    """Fold one session in slices while the screen shows it; used by the feed's thread only."""

    def __init__(self, context: Context) -> None:
        self._aspect: Aspect = ""
        self._library = context.library
        self._post = context.post
        self._now = context.now
        self._insight: Insight | None = None
        self._is_told = False
        self._alive: Alive = False
        """Whether the agent was running at the last post."""
        self._works: Alive = False
        self._asked_of, self._next_asked = Path(), 0.0
        """The result of the last check (`_works`), its path, and the time of the next check."""
        self._next_recovery = 0.0

    def look_at(self, aspect: Aspect) -> None:
        """Post this aspect from now on; aspects other than memory and recovery post nothing."""
        self._aspect = aspect if aspect in ("memory", "recovery") else ""
        self._is_told, self._next_recovery = False, 0.0

    def grew(self) -> None:
        """Post again, because the transcript has more records or its ending has changed."""
        self._is_told = False

    def slice(
        self,
        paths: Sequence[Path],
        transcript: Transcript | None,
        older: Callable[[], Sequence[Transcript] | None],
    ) -> bool:
        """Fold one slice, or post the result when all is folded; return whether there was work.

        `paths` are those of all parts of the session and `transcript` is the newest part. `older`
        returns the parts before it, or None while one of them is not read completely.
        """
        if not self._aspect or transcript is None or transcript.origin:
            return False
        alive = self._is_alive(paths[-1])
        from ...storage.insight.insight import Insight  # late, to speed up the first list

        insight = self._insight
        if insight is None or insight.transcript is not transcript or insight.paths != [*paths]:
            if (before := older()) is None:
                return False
            if insight is None or not insight.goes_on_in([*before, transcript]):
                insight = Insight(transcript, before)
            self._insight, self._is_told = insight, False
        if self._is_told and alive == self._alive:
            return False
        if not insight.advance():
            return self._tell(paths[-1], insight, alive)
        return True

    def _tell(self, path: Path, insight: Insight, alive: Alive) -> bool:
        if self._aspect == "memory":
            self._post(InsightChanged(path, memory=insight.memory(alive)))
        elif time.monotonic() < self._next_recovery:
            return False
        else:
            self._next_recovery = time.monotonic() + RECOVERED_EVERY
            self._post(InsightChanged(path, recovery=insight.recovery(alive, self._now())))
        self._is_told, self._alive = True, alive
        return True

    def _is_alive(self, path: Path) -> Alive:
        """Whether the agent is running; checked rarely, as the check may be slow."""
        if path != self._asked_of or time.monotonic() >= self._next_asked:
            start = time.thread_time()
            session = self._library.session(path, self._now())
            self._works = session.alive if session else False
            took = time.thread_time() - start
            self._asked_of, self._next_asked = path, time.monotonic() + max(ASKED_EVERY, 20 * took)
        return self._works
