"""A presence follows its recording, and ends once it was to, whatever comes in between."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from sessions_tui.storage.recording import EnvelopeRecorder, Presence

from .test_interruptions import Interruption
from .waiting import entry, files, transcript, until


def test_another_writer_that_goes_on_in_the_next_file(tmp_path: Path) -> None:
    path = transcript(tmp_path)
    with (
        EnvelopeRecorder(path, limit=1) as recorder,
        Presence(recorder, every=0.01),
        EnvelopeRecorder(path, limit=1) as other,
    ):
        recorder.message("user", "the goal")
        other.message("assistant", "in the next file")
        assert recorder.session == "s"  # it has not looked yet
        until(lambda: entry(tmp_path, os.getpid())["sessionId"] == "s_2")


def test_a_handler_may_close_in_the_midst_of_closing(tmp_path: Path) -> None:
    came, after = True, 0
    with EnvelopeRecorder(transcript(tmp_path)) as recorder:
        while came:
            after += 1
            presence = Presence(recorder)
            handler = Handler(after, presence.close)
            handler.during(presence.close)
            came = handler.left <= 0
            assert files(tmp_path) == []
    assert after > 10


class Handler:
    """Does something at the n-th call or return, as a signal handler may."""

    def __init__(self, after: int, handle: Callable[[], object]) -> None:
        self.left = after
        self._handle = handle

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        self.left -= 1
        if self.left == 0:
            sys.setprofile(None)
            self._handle()

    def during(self, work: Callable[[], object]) -> None:
        """Do something, and it in the midst."""
        sys.setprofile(self)
        try:
            work()
        finally:
            sys.setprofile(None)


def test_a_closing_that_is_interrupted_is_ended(tmp_path: Path) -> None:
    came, after = True, 0
    with EnvelopeRecorder(transcript(tmp_path)) as recorder:
        while came:
            after += 1
            presence = Presence(recorder, every=0.01)
            came = Interruption(after).during(presence.close)
            if not presence._is_closed:  # it came before anything else
                presence.close()
    assert after > 5
    until(lambda: files(tmp_path) == [])
    until(lambda: threading.active_count() == 1)
