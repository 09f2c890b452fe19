"""What is read behind the end of a transcript gives way to what comes at its end."""

from __future__ import annotations

import time
from pathlib import Path

from textual.message import Message

from sessions_tui.app.feed.context import Context
from sessions_tui.app.feed.follower import SMALL, Follower
from sessions_tui.app.feed.messages import TranscriptGrew, TranscriptOpened
from sessions_tui.app.feed.requests import OpenRequest
from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.store import Root

LINE = b'{"type":"message","role":"user","content":"' + b"x" * 1000 + b'"}\n'


def test_waits_for_a_new_record_to_be_shown(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(LINE * (4 * SMALL // len(LINE)))
    library = Library((Root(path, "file", ""),), None)
    library.rescan()
    posted: list[Message] = []
    follower = Follower(Context(library, Decisions(tmp_path), 7, posted.append, lambda: 0))
    follower.show(OpenRequest(path))
    assert follower.quiet_until > time.monotonic()  # the screen shows the end first
    assert follower.slice()
    with path.open("ab") as file:
        file.write(LINE)
    follower.quiet_until, before = 0.0, time.monotonic()
    assert follower.follow()
    assert isinstance(posted[-1], TranscriptGrew)
    assert follower.quiet_until > before
    while follower.slice():
        pass
    assert isinstance(posted[-1], TranscriptOpened)
    library.close()
