"""Decisions: each is kept once, in a history, and what is so now is the sum of that history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sessions_tui.storage.candidate import Candidate, candidate_id
from sessions_tui.storage.decisions import Decisions, Judgement, RecordKey
from sessions_tui.storage.evidence import Evidence

PATH = Path("/store/projects/shop/s-1.jsonl")
KEY = RecordKey("s-1", "transcript:s-1:7", "a" * 64)
OTHER = replace(KEY, sha256="b" * 64)
EVIDENCE = Evidence(
    suggests="not-applied",
    reason="The old text is still there in /shop/库存 .py.",
    path="/shop/库存 .py",
    exists=True,
    size=120,
    sha256="c" * 64,
    modified_at=1_795_320_000_000,
    checked_at=1_795_320_000_001,
)


def proposed(words: str = "remember this", now: int = 10) -> Candidate:
    return Candidate(
        candidate=candidate_id("s-1", KEY.event_id, KEY.sha256, words, "it works"),
        source_id=KEY.event_id,
        session_id="s-1",
        sequence=7,
        event_type="message",
        captured_at=5,
        summary=words,
        selection_reason="it works",
        status="proposed",
        created_at=now,
        decided_at=None,
        path=PATH,
        source_sha256=KEY.sha256,
    )


@pytest.fixture
def decisions(tmp_path: Path) -> Iterator[Decisions]:
    opened = Decisions(tmp_path / "data")
    yield opened
    opened.close()


def again(tmp_path: Path) -> Decisions:
    return Decisions(tmp_path / "data")


def test_a_verdict_is_there_in_the_next_run(tmp_path: Path, decisions: Decisions) -> None:
    assert decisions.judgement(KEY) is None
    given = decisions.judge(KEY, PATH, "not-applied", "tried it", EVIDENCE, 100)
    assert given == Judgement("not-applied", "tried it", 100, EVIDENCE)
    reopened = again(tmp_path)
    for known in (decisions, reopened):
        assert known.judgement(KEY) == given
        assert known.judged("s-1") == {KEY.event_id: {KEY.sha256}}
        assert known.judged("s-2") == {}
        assert known.notice == ""
    assert reopened.history() == decisions.history()
    reopened.close()


def test_a_note_that_is_not_said_stays_with_its_verdict(decisions: Decisions) -> None:
    def judged(verdict: str, note: str | None) -> str | None:
        assert verdict in ("partial", "verified")
        return decisions.judge(KEY, PATH, verdict, note, None, 1).note  # type: ignore[arg-type]

    assert judged("verified", "by hand") == "by hand"
    assert judged("verified", None) == "by hand"
    assert len(decisions.history()) == 1
    assert judged("partial", None) is None
    assert judged("partial", "half of it") == "half of it"
    assert judged("partial", " \n") is None
    assert len(decisions.history()) == 4
