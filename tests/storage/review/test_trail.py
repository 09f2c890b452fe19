"""What the records around a call tell of its file, and what asking them costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions_tui.storage.model.event import Event
from sessions_tui.storage.review.actions import actions_of
from sessions_tui.storage.review.inspection import inspect
from sessions_tui.storage.review.trail import LOOK_BACK
from sessions_tui.storage.transcript.transcript import Transcript, open_at_end
from tests.storage.crashes import (
    AFTER,
    BEFORE,
    CALL,
    NOW,
    Crash,
    EnvelopeCrash,
    MyCodeAgentCrash,
    ProductCrash,
)
from tests.storage.scenes import DONE, NAME, NEW, OLD, SCENES, played


def test_a_reading_that_still_holds_settles_it(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE)
    own.read(NAME)
    own.change("Edit", NAME, [(OLD, NEW)])
    evidence = own.evidence()
    assert evidence.suggests == "not-applied"
    assert evidence.reason == "The file was not written since the agent read it before the call."
    own.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE + 1)
    assert own.evidence().suggests == "ambiguous"


@pytest.mark.parametrize("noted", [float("inf"), float("nan"), -1, 10**400, "soon", None, [], True])
def test_a_reading_that_notes_nonsense(own: MyCodeAgentCrash, noted: object) -> None:
    own.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE)
    own.read(NAME)
    own.records[-1]["payload"]["result"]["stats"]["file_mtime_ms"] = noted
    own.change("Edit", NAME, [(OLD, NEW)])
    assert own.evidence().suggests == "ambiguous"


def test_only_the_last_reading_counts(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, b"more", BEFORE)
    own.read(NAME)
    own.leave(NAME, f"{OLD} {NEW}".encode(), AFTER)
    own.read(NAME)
    own.leave(NAME, b"more", BEFORE)
    own.change("Edit", NAME, [("more", "less")])
    assert own.evidence().reason == "The old text is there and the new one is not."


def test_the_temporary_file_left_behind(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE)
    own.change("Edit", NAME, [(OLD, NEW)])
    own.leave("src/.mycodeagent-old.tmp", b"half", BEFORE)
    assert own.evidence().suggests == "ambiguous"
    own.leave("src/.mycodeagent-a1b2c3d4.tmp", b"half", CALL)
    evidence = own.evidence()
    assert evidence.suggests == "not-applied"
    assert evidence.reason == (
        "Its temporary file .mycodeagent-a1b2c3d4.tmp was left behind, "
        "so the edit was cut before it took effect."
    )


def test_a_temporary_file_of_a_later_call(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE)
    own.change("Edit", NAME, [(OLD, NEW)])
    own.read("other.py")
    own.leave("src/.mycodeagent-a1b2c3d4.tmp", b"half", AFTER)
    assert own.evidence().suggests == "ambiguous"


def test_another_agents_temporary_file_means_nothing(product: ProductCrash) -> None:
    product.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE)
    product.leave("src/.mycodeagent-a1b2c3d4.tmp", b"half", CALL)
    product.change("Edit", NAME, [(OLD, NEW)])
    assert product.evidence().suggests == "ambiguous"


def test_a_dry_run_writes_nothing(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, DONE.encode(), AFTER)
    edits = [{"old_string": OLD, "new_string": NEW}]
    own.ask("Edit", {"path": NAME, "edits": edits, "dry_run": True})
    evidence = own.evidence()
    assert evidence.suggests == "not-applied"
    assert evidence.reason == "The call was a dry run, which writes nothing."


@pytest.mark.parametrize(("digest", "suggests"), [("ab12", "unknown"), (None, "not-applied")])
def test_a_snapshot_knows_that_the_file_was_there(
    tmp_path: Path, digest: str | None, suggests: str
) -> None:
    crash = EnvelopeCrash(tmp_path)
    crash.snapshot(NAME, digest)
    crash.path("src").mkdir()
    crash.change("Write", NAME, "new")
    assert crash.evidence().suggests == suggests


def test_a_reading_that_failed_knows_of_no_file(crash: Crash) -> None:
    crash.path("src").mkdir()
    crash.read(NAME, failed=True)
    crash.change("Write", NAME, "new")
    assert crash.evidence().suggests == "not-applied"


def test_a_transcript_opened_at_its_end(crash: Crash) -> None:
    for _ in range(50):
        crash.read("other.py")
    played(crash, SCENES["not written and gone"])
    action = crash.action()
    transcript = open_at_end(crash.transcript, action.session, 9, 1 << 20)
    transcript.read()
    assert transcript.origin > 0
    inspection = inspect(transcript, action, NOW)
    assert inspection
    assert inspection.evidence.reason == "The file was there before the call and is gone now."


def test_looking_back_is_bounded(crash: Crash, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(LOOK_BACK):
        crash.read("other.py")
    crash.path("src").mkdir()
    crash.change("Write", NAME, "new")
    transcript, action = crash.opened(), crash.action()
    read = counted(monkeypatch)
    inspection = inspect(transcript, action, NOW)
    assert inspection
    assert inspection.evidence.suggests == "not-applied"
    assert len(transcript.positions) > 2 * LOOK_BACK
    assert len(read) <= LOOK_BACK


def test_a_file_that_is_there_asks_for_no_older_records(
    product: ProductCrash, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(100):
        product.read(NAME)
    product.leave(NAME, DONE.encode(), AFTER)
    product.change("Edit", NAME, [(OLD, NEW)])
    transcript, action = product.opened(), product.action()
    read = counted(monkeypatch)
    assert inspect(transcript, action, NOW)
    assert read == [200]


@pytest.mark.parametrize("files", [1, 7, 200])
@pytest.mark.parametrize("is_there", [False, True])
def test_many_open_calls_read_each_record_a_few_times(
    crash: Crash, monkeypatch: pytest.MonkeyPatch, files: int, is_there: bool
) -> None:
    calls = 400
    crash.path("src").mkdir()
    for file in range(files if is_there else 0):
        crash.leave(f"src/{file}.py", DONE.encode(), AFTER)
    for number in range(calls):
        crash.change("Edit", f"src/{number % files}.py", [(OLD, NEW)], f"c{number}")
    transcript = crash.opened()
    actions = list(actions_of(transcript, alive=False))
    assert len(actions) == calls
    read = counted(monkeypatch)
    suggestions = [inspect(transcript, action, NOW) for action in actions]
    assert all(suggestions)
    assert len(read) <= 6 * calls


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The indexes of the records that are read from now on."""
    read_at = Transcript._read_at
    read: list[int] = []

    def counting(self: Transcript, fd: int, index: int) -> Event:
        read.append(index)
        return read_at(self, fd, index)

    monkeypatch.setattr(Transcript, "_read_at", counting)
    return read
