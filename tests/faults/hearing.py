"""The feed without a screen, and what it said."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition

from textual.message import Message

from sessions_tui.app.feed.feed import Feed
from sessions_tui.app.feed.messages import (
    DecisionOutcome,
    SessionsChanged,
    TranscriptGrew,
    TranscriptOpened,
)
from sessions_tui.app.feed.tasks import Task
from sessions_tui.app.startup.early import Early
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.private.places import Places
from sessions_tui.storage.stores.roots import Roots
from sessions_tui.storage.transcript.transcript import Transcript
from tests.app.sitting import NOW, PATIENCE


class Listener:
    """Hears what a feed says, from its thread."""

    def __init__(self) -> None:
        self.feed: Feed | None = None
        self._heard = Condition()
        self._sessions: SessionsChanged | None = None
        self._shown: Transcript | None = None
        self.answers: list[str] = []
        """What became of what was decided."""

    def hear(self, message: Message) -> None:
        """Take in a message."""
        with self._heard:
            if isinstance(message, SessionsChanged):
                self._sessions = message
            elif isinstance(message, TranscriptOpened | TranscriptGrew):
                self._shown = message.transcript
            elif isinstance(message, DecisionOutcome):
                self.answers.append(message.sentence)
            self._heard.notify_all()

    @property
    def sessions(self) -> dict[str, Session]:
        """The sessions by name, as they were told last."""
        told = self._sessions.sessions if self._sessions else ()
        return {session.session: session for session in told}

    @property
    def problems(self) -> str:
        """What is not as it should be, as it was told last."""
        return "\n".join(self._sessions.problems) if self._sessions else ""

    def carry_out(self, task: Task) -> None:
        """Have the feed do something."""
        assert self.feed is not None
        self.feed.carry_out(task)

    def is_watched(self) -> bool:
        """Whether changes are heard of."""
        return self.feed is not None and self.feed._stores.alive

    def is_settled(self) -> bool:
        """Whether nothing is left to be read."""
        return self._sessions is not None and not self._sessions.progress.files_left

    def records(self) -> int:
        """How many records of the open transcript were told."""
        return len(self._shown.positions) if self._shown else 0

    def until(self, true: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait until something is so; what is asked of a session that is not there is not."""
        deadline = time.monotonic() + seconds
        with self._heard:
            while not _is(true):
                left = deadline - time.monotonic()
                assert left > 0, f"it did not come to this; {self.problems or 'no problems'}"
                self._heard.wait(min(left, 0.1))


def _is(true: Callable[[], bool]) -> bool:
    try:
        return true()
    except KeyError:
        return False


@contextmanager
def listening(
    roots: Roots, places: Places, opened: Path | None = None, now: Callable[[], int] = lambda: NOW
) -> Iterator[Listener]:
    """A feed at work, with a transcript open."""
    listener = Listener()
    feed = listener.feed = Feed(Early(roots, places, 7), listener.hear, now)
    feed.go_on()
    feed.start()
    feed.open(opened)
    try:
        yield listener
    finally:
        feed.stop()
        feed.join(PATIENCE)
        assert not feed.is_alive()
