"""What a memory layer takes over: what a person approved, while its record stands."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from sessions_tui.storage.candidates.proposals import proposal
from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.decisions.history import FILE
from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    MemoryCandidate,
    RecordingError,
    approved_candidates,
    resume,
    reviewed,
)
from sessions_tui.storage.recording.shards import read_whole
from sessions_tui.storage.review.cases import key_of

from .recordings import Ticking

SOURCE_ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A home with a session of three messages, two of them approved."""
    path = tmp_path / "home" / "projects" / "shop" / "s.jsonl"
    with EnvelopeRecorder(path, clock=Ticking()) as recorder:
        for text in ("use one UPDATE", "never mind", "run make test"):
            recorder.message("user", f"SECRET: {text}")
    transcript = read_whole(path)
    with closing(Decisions(tmp_path / "data")) as decisions:
        for event in transcript.events():
            candidate = proposal(transcript, event, f"summary {event.place.number}", "it holds", 1)
            decisions.propose(candidate)
            if event.place.number != 2:
                decisions.settle(candidate.candidate, "approved", 2)
    return tmp_path


def handed_on(store: Path, told: list[str]) -> list[MemoryCandidate]:
    found = approved_candidates([store / "home"], data_dir=store / "data", left_out=told.append)
    return list(found)


def test_what_was_approved_is_handed_on(store: Path) -> None:
    before = sorted(store.rglob("*"))
    first, third = handed_on(store, [])
    assert first == MemoryCandidate(
        source_id="transcript:s:1",
        session_id="s",
        sequence=1,
        event_type="message",
        captured_at="2026-11-30T08:00:01.000Z",
        summary="summary 1",
        selection_reason="it holds",
    )
    assert third.source_metadata() == {
        "source_id": "transcript:s:3",
        "source_type": "transcript",
        "title": "s event 3",
        "captured_at": "2026-11-30T08:00:03.000Z",
    }
    assert SOURCE_ID.match(third.source_id)
    assert "SECRET" not in repr([first, third])
    assert [path for path in sorted(store.rglob("*")) if path.parent.name != "data"] == [
        path for path in before if path.parent.name != "data"
    ]


def test_what_changed_since_is_left_out(store: Path) -> None:
    path = store / "home" / "projects" / "shop" / "s.jsonl"
    path.write_bytes(path.read_bytes().replace(b"one UPDATE", b"two UPDATE"))
    told: list[str] = []
    assert [one.sequence for one in handed_on(store, told)] == [3]
    assert told == ["transcript:s:1 is left out: the record has changed since"]


def test_nothing_is_handed_on_while_decisions_cannot_be_read(store: Path) -> None:
    (store / "data" / FILE).write_bytes(b"no database" * 1_000)
    with pytest.raises(RecordingError, match="decisions"):
        handed_on(store, [])


def test_a_mistyped_directory_is_told(store: Path) -> None:
    typo = store / "date"
    with pytest.raises(RecordingError, match="date is not there"):
        list(approved_candidates([store / "home"], data_dir=typo))
    assert not typo.exists()


@pytest.mark.parametrize("limit", [None, 2])
def test_what_a_person_found_out_of_a_call(tmp_path: Path, limit: int | None) -> None:
    file = tmp_path / "shop.py"
    file.write_text("cents = 1\n")
    edit = {"file_path": str(file), "old_string": "euros", "new_string": "cents"}
    path = tmp_path / "home" / "projects" / "shop" / "s.jsonl"
    with EnvelopeRecorder(path, limit=limit) as recorder:
        recorder.message("user", "Count in cents.")
        recorder.call("Edit", edit, "c1")
        recorder.call("Bash", {"command": "make"}, "c2")
    data = tmp_path / "data"
    data.mkdir()
    first, second = reviewed(resume(path), data_dir=data)
    assert first.evidence
    assert (first.evidence.suggests, first.verdict) == ("applied", None)
    with closing(Decisions(data)) as decisions:
        key = key_of(read_whole(path), first)
        assert key
        decisions.judge(key, path, "verified", "I looked.", None, 5)
    first, again = reviewed(resume(path), data_dir=data)
    assert (first.verdict, first.note, first.decided_at) == ("verified", "I looked.", 5)
    assert (again.call_id, again.verdict) == (second.call_id, None)
    with pytest.raises(RecordingError, match="is not there"):
        reviewed(resume(path), data_dir=tmp_path / "gone")
