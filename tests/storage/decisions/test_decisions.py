"""Decisions: each is kept once, in a history, and what is so now is the sum of that history."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.decisions.decisions import Decisions, Judgement, Personal, RecordKey
from sessions_tui.storage.model.decision import Decision
from sessions_tui.storage.model.timeline import Verdict
from tests.storage.deciding import (
    EVIDENCE,
    FILES,
    KEY,
    OTHER_BYTES,
    PATH,
    database,
    insert,
    opened,
    present,
    proposed,
)


@pytest.fixture
def decisions(tmp_path: Path) -> Iterator[Decisions]:
    with opened(tmp_path / "data") as decisions:
        yield decisions
        with opened(tmp_path / "data") as again:
            assert present(again) == present(decisions)
            assert (again.notice, decisions.notice) == ("", "")


def test_a_verdict_is_there_in_the_next_run(tmp_path: Path, decisions: Decisions) -> None:
    assert decisions.judgement(KEY) is None
    given = decisions.judge(KEY, PATH, "not-applied", "tried it", EVIDENCE, 100)
    assert given == Judgement("not-applied", "tried it", 100, EVIDENCE)
    with opened(tmp_path / "data") as again:
        for known in (decisions, again):
            assert known.judgement(KEY) == given
            assert known.judged("s-1") == {KEY.event_id: {KEY.sha256}}
            assert known.judged("s-2") == {}
        assert again.history() == decisions.history()


def test_a_note_that_is_not_said_stays_with_its_verdict(decisions: Decisions) -> None:
    def note_of(verdict: Verdict, note: str | None) -> str | None:
        return decisions.judge(KEY, PATH, verdict, note, None, 1).note

    assert note_of("verified", "by hand") == "by hand"
    assert note_of("verified", None) == "by hand"
    assert len(decisions.history()) == 1
    assert note_of("partial", None) is None
    assert note_of("partial", "half of it") == "half of it"
    assert note_of("partial", " \n") is None
    assert len(decisions.history()) == 4


def rejected(decisions: Decisions, now: int) -> object:
    asked = proposed()
    if decisions.candidate(asked.candidate) is None:
        decisions.propose(asked)
    return decisions.settle(asked.candidate, "rejected", now)


DECIDED: dict[str, Callable[[Decisions, int], object]] = {
    "verdict": lambda d, now: d.judge(KEY, PATH, "partial", "half", EVIDENCE, now),
    "verdict without a note": lambda d, now: d.judge(KEY, PATH, "dismissed", None, None, now),
    "proposal": lambda d, now: d.propose(proposed(now=now)),
    "approval": lambda d, now: d.settle(d.propose(proposed()).candidate, "approved", now),
    "rejection": rejected,
    "edit": lambda d, now: d.edit(d.propose(proposed()).candidate, "better", "words", now),
    "title": lambda d, now: d.set_title("s-1", PATH, "修复 [b]库存", now),
    "pin": lambda d, now: d.set_pinned("s-1", PATH, True, now),
    "hide": lambda d, now: d.set_hidden("s-1", PATH, True, now),
}


@pytest.mark.parametrize("decide", DECIDED.values(), ids=DECIDED)
def test_the_same_decision_twice_is_one(
    decisions: Decisions, decide: Callable[[Decisions, int], object]
) -> None:
    first = decide(decisions, 20)
    history, now = decisions.history(), present(decisions)
    version = decisions.version
    assert history
    assert decide(decisions, 30) == first
    assert decisions.history() == history
    assert present(decisions) == now
    assert decisions.version == version


def test_what_is_so_anyway_needs_no_decision(tmp_path: Path, decisions: Decisions) -> None:
    decisions.set_title("s-1", PATH, None, 1)
    decisions.set_title("s-1", PATH, "  ", 1)
    decisions.set_pinned("s-1", PATH, False, 1)
    decisions.set_hidden("s-1", PATH, False, 1)
    assert decisions.take_back(KEY, PATH, 1) is None
    with pytest.raises(KeyError):
        decisions.settle("c-0", "approved", 1)
    with pytest.raises(KeyError):
        decisions.edit("c-0", "a", "b", 1)
    with pytest.raises(KeyError):
        decisions.undo("c-0", 1)
    assert decisions.candidate("c-0") is None
    assert decisions.history() == []
    assert not (tmp_path / "data").exists()


def test_verdicts_are_undone_step_by_step(decisions: Decisions) -> None:
    verdicts: tuple[Verdict, ...] = ("verified", "not-applied", "dismissed", "partial")
    given = [
        decisions.judge(KEY, PATH, verdict, f"note {now}", EVIDENCE, now)
        for now, verdict in enumerate(verdicts)
    ]
    kept = decisions.judge(OTHER_BYTES, PATH, "verified", None, None, 9)
    for before in reversed(given[:-1]):
        assert decisions.take_back(KEY, PATH, 50) == before
        assert decisions.judgement(KEY) == before
    assert decisions.take_back(KEY, PATH, 51) is None
    assert decisions.judgement(KEY) is None
    assert decisions.judged("s-1") == {KEY.event_id: {OTHER_BYTES.sha256}}
    rows = len(decisions.history())
    assert decisions.take_back(KEY, PATH, 52) is None
    assert len(decisions.history()) == rows == 9
    assert decisions.judgement(OTHER_BYTES) == kept
    decisions.take_back(OTHER_BYTES, PATH, 53)
    assert decisions.judged("s-1") == {}
    again = decisions.judge(KEY, PATH, "partial", None, None, 60)
    assert again == Judgement("partial", None, 60, None)


def test_decisions_on_a_candidate_are_undone_step_by_step(decisions: Decisions) -> None:
    asked = proposed()
    steps = [
        decisions.propose(asked),
        decisions.edit(asked.candidate, "other words", "other reason", 20),
        decisions.settle(asked.candidate, "approved", 30),
        decisions.settle(asked.candidate, "rejected", 40),
        decisions.propose(replace(asked, created_at=50)),
    ]
    edited = replace(asked, summary="other words", selection_reason="other reason")
    assert steps == [
        asked,
        edited,
        replace(edited, status="approved", decided_at=30),
        replace(edited, status="rejected", decided_at=40),
        asked,
    ]
    for before in reversed(steps[:-1]):
        assert decisions.undo(asked.candidate, 60) == before
        assert decisions.candidate(asked.candidate) == before
    assert decisions.undo(asked.candidate, 61) is None
    assert decisions.candidate(asked.candidate) == asked
    assert len(decisions.history()) == 9


def test_an_undone_decision_stays_in_the_history(decisions: Decisions) -> None:
    decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 100)
    decisions.take_back(KEY, Path("/moved.jsonl"), 200)
    made, undone = decisions.history()
    assert (made.id, made.at, made.kind, made.undoes) == (1, 100, "verdict", None)
    assert made.value["note"] == "seen"
    assert made.value["evidence"]["reason"] == EVIDENCE.reason
    assert undone == Decision(
        id=2,
        at=200,
        by=made.by,
        kind="verdict",
        session="s-1",
        subject=KEY.event_id,
        path=Path("/moved.jsonl"),
        sha256=KEY.sha256,
        undoes=1,
        value=None,
    )
    user, _, host = made.by.partition("@")
    assert user
    assert host


def test_a_known_candidate_is_given_back_as_it_is(decisions: Decisions) -> None:
    asked = decisions.propose(proposed())
    edited = decisions.edit(asked.candidate, "better", "it works", 20)
    assert decisions.propose(asked) == edited
    approved = decisions.settle(asked.candidate, "approved", 30)
    assert decisions.propose(replace(asked, created_at=99)) == approved
    assert len(decisions.history()) == 3


def test_candidates_come_oldest_first(decisions: Decisions) -> None:
    made = [proposed(words, now) for words, now in (("c", 30), ("a", 10), ("b", 20), ("d", 20))]
    for candidate in made:
        decisions.propose(candidate)
    decisions.settle(made[1].candidate, "rejected", 40)
    ordered = sorted(made, key=lambda one: (one.created_at, one.candidate))
    assert [one.candidate for one in decisions.candidates()] == [one.candidate for one in ordered]


def test_a_verdict_on_other_bytes_is_outdated(decisions: Decisions) -> None:
    old = decisions.judge(KEY, PATH, "verified", None, None, 1)
    assert decisions.outdated(OTHER_BYTES) == old
    assert decisions.outdated(KEY) is None
    assert decisions.outdated(replace(KEY, event_id="another")) is None
    third = replace(KEY, sha256="d" * 64)
    newer = decisions.judge(third, PATH, "partial", None, None, 0)
    assert decisions.outdated(OTHER_BYTES) == newer
    decisions.judge(OTHER_BYTES, PATH, "dismissed", None, None, 2)
    assert decisions.outdated(OTHER_BYTES) is None
    decisions.take_back(OTHER_BYTES, PATH, 3)
    decisions.take_back(third, PATH, 3)
    assert decisions.outdated(OTHER_BYTES) == old
    assert decisions.judged("s-1") == {KEY.event_id: {KEY.sha256}}


COPY = Path("/copy/s-1.jsonl")


def test_a_copied_store_has_verdicts_of_its_own(decisions: Decisions) -> None:
    given = decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 1)
    assert decisions.judgement(KEY, path=COPY, others=[PATH]) is None
    assert decisions.take_back(KEY, COPY, 2, others=[PATH]) is None
    assert len(decisions.history()) == 1
    copied = decisions.judge(KEY, COPY, "verified", None, None, 3, others=[PATH])
    assert copied == Judgement("verified", None, 3, None)
    assert decisions.judge(KEY, COPY, "verified", None, None, 4, others=[PATH]) == copied
    assert len(decisions.history()) == 2
    assert decisions.judgement(KEY, path=PATH, others=[COPY]) == given
    assert decisions.judgement(KEY, path=COPY, others=[PATH]) == copied
    assert decisions.judgement(KEY) == copied
    assert decisions.take_back(KEY, COPY, 5, others=[PATH]) is None
    assert decisions.judgement(KEY, path=PATH, others=[COPY]) == given
    assert decisions.judged("s-1") == {KEY.event_id: {KEY.sha256}}


def test_verdicts_follow_a_transcript_that_was_moved(decisions: Decisions) -> None:
    moved = Path("/else/s-1.jsonl")
    first = decisions.judge(KEY, PATH, "partial", None, None, 1)
    second = decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 2)
    decisions.judge(KEY, COPY, "dismissed", None, None, 3, others=[PATH])
    assert decisions.judgement(KEY, path=moved, others=[COPY]) == second
    there = decisions.judge(KEY, moved, "verified", None, None, 4, others=[COPY])
    assert (there.note, there.decided_at) == ("seen", 4)
    assert decisions.take_back(KEY, moved, 5, others=[COPY]) == second
    assert decisions.take_back(KEY, moved, 6, others=[COPY]) == first
    assert decisions.take_back(KEY, moved, 7, others=[COPY]) is None
    assert decisions.judgement(KEY, path=PATH, others=[COPY]) is None
    assert decisions.judgement(KEY, path=COPY, others=[moved]) is not None


def test_a_verdict_on_other_bytes_of_a_copy_is_not_outdated(decisions: Decisions) -> None:
    old = decisions.judge(KEY, PATH, "verified", None, None, 1)
    assert decisions.outdated(OTHER_BYTES, path=COPY, others=[PATH]) is None
    assert decisions.outdated(OTHER_BYTES, path=PATH, others=[COPY]) == old
    copied = decisions.judge(OTHER_BYTES, COPY, "partial", None, None, 2, others=[PATH])
    assert decisions.outdated(OTHER_BYTES, path=PATH, others=[COPY]) == old
    assert decisions.outdated(KEY, path=COPY, others=[PATH]) == copied
    assert decisions.outdated(KEY, path=COPY) is None


def test_a_title_follows_a_transcript_that_was_moved(decisions: Decisions) -> None:
    moved, again = Path("/else/s-1.jsonl"), Path("/third/s-1.jsonl")
    decisions.set_title("s-1", PATH, "mine", 1)
    decisions.set_pinned("s-1", PATH, True, 2)
    assert decisions.personal("s-1", PATH) == Personal("mine", pinned=True)
    assert decisions.personal("s-1", moved) == Personal("mine", pinned=True)
    assert decisions.personal("s-2", PATH) == Personal()
    decisions.set_title("s-1", moved, "at its new place", 3)
    decisions.set_pinned("s-1", moved, False, 4)
    decisions.set_hidden("s-1", moved, True, 5)
    assert decisions.personal("s-1", again) == Personal("at its new place", hidden=True)
    assert decisions.personal("s-1", PATH) == Personal("mine", pinned=True, hidden=True)
    decisions.set_title("s-1", again, None, 6)
    assert decisions.personal("s-1", again).title is None


def test_a_copy_does_not_take_over_what_was_decided_on_the_original(decisions: Decisions) -> None:
    copy = Path("/copy/s-1.jsonl")
    decisions.set_title("s-1", PATH, "the original", 1)
    decisions.set_hidden("s-1", PATH, True, 1)
    assert decisions.personal("s-1", copy, others=[PATH]) == Personal()
    assert decisions.personal("s-1", PATH, others={copy}) == Personal("the original", hidden=True)
    decisions.set_title("s-1", copy, "the copy", 2)
    assert decisions.personal("s-1", copy, others=[PATH]) == Personal("the copy")
    assert decisions.personal("s-1", PATH, others=[copy]).title == "the original"
    renamed = Path("/copy/again/s-1.jsonl")
    assert decisions.personal("s-1", renamed, others=[PATH]) == Personal("the copy")


def test_the_same_title_at_another_place_is_a_decision(decisions: Decisions) -> None:
    moved = Path("/else/s-1.jsonl")
    decisions.set_title("s-1", PATH, "mine", 1)
    decisions.set_title("s-1", moved, "mine", 2)
    assert decisions.personal("s-1", moved, others=[PATH]).title == "mine"
    assert len(decisions.history()) == 2


HOSTILE = [
    "a\0b",
    "\ud800 alone",
    "'; drop table decisions; --",
    '"quoted" \\ {"json": [1]}',
    "\x1b]0;title\x07 [bold]\u202e",
    os.fsdecode(b"caf\xe9"),
    "修复 \U0001f4a5\r\n\t",
    "x" * 1_000_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=[ascii(text)[:20] for text in HOSTILE])
def test_any_text_is_kept(tmp_path: Path, decisions: Decisions, text: str) -> None:
    stored = text.replace("\ud800", "\ufffd").replace("\udce9", "\ufffd")
    key = RecordKey(text, text, text)
    path = Path("/store") / text.replace("\0", "")[:200]
    said: Any = replace(EVIDENCE, reason=text, path=text)
    given = decisions.judge(key, path, "verified", text, said, 1)
    candidate = replace(
        proposed(text), session_id=text, source_id=text, selection_reason=text, path=path
    )
    decisions.propose(candidate)
    decisions.edit(candidate.candidate, text + "!", text, 2)
    decisions.set_title(text, path, text, 3)
    with opened(tmp_path / "data") as again:
        assert again.judgement(key) == given
        assert given.note == stored
        assert given.evidence == replace(EVIDENCE, reason=stored, path=stored)
        assert again.judged(text) == {stored: {stored}}
        kept = again.candidate(candidate.candidate)
        assert kept
        assert (kept.summary, kept.session_id) == (stored + "!", stored)
        assert again.personal(text, path).title == stored
        assert len(again.history()) == 4
    if "\ud800" not in text:
        assert kept.path == path


def test_only_our_own_user_may_look(tmp_path: Path, decisions: Decisions) -> None:
    decisions.set_pinned("s-1", PATH, True, 1)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "data").iterdir()}
    assert set(modes) == FILES
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "change",
    [
        "update decisions set at = 0",
        "update decisions set value = 'false' where id = 1",
        "delete from decisions",
        "delete from decisions where id = 2",
        "insert or replace into decisions select * from decisions where id = 1",
        "replace into decisions (id, at, by, kind, session, subject, path, sha256, undoes, value)"
        " select 9, at, by, kind, session, subject, path, sha256, 1, value from decisions limit 1",
    ],
)
def test_what_was_decided_cannot_be_changed(
    tmp_path: Path, decisions: Decisions, change: str
) -> None:
    decisions.judge(KEY, PATH, "verified", None, None, 1)
    decisions.take_back(KEY, PATH, 2)
    before = decisions.history()
    with (
        database(tmp_path / "data") as db,
        pytest.raises(sqlite3.IntegrityError, match="decisions are only ever added"),
    ):
        db.execute(change)
    assert decisions.history() == before


def test_a_row_that_makes_no_sense_does_not_count(tmp_path: Path) -> None:
    with opened(tmp_path) as decisions:
        decisions.judge(KEY, PATH, "verified", None, None, 1)
        decisions.propose(proposed())
        with database(tmp_path) as db:
            for kind, value in (
                ("verdict", '{"verdict": "perhaps", "note": null, "evidence": null}'),
                ("verdict", '{"verdict": "partial", "note": null, "evidence": {"x": 1}}'),
                ("candidate", '{"status": "lost"}'),
                ("candidate", '{"sequence": 1}'),
                ("title", "[1]"),
                ("pin", "not json"),
            ):
                insert(db, (1, kind, "s-1", KEY.event_id, KEY.sha256, value))
        before = decisions.judgement(KEY), decisions.candidates(), decisions.personal("s-1", PATH)
        assert decisions.refresh()
        assert decisions.notice == "Decision 8 makes no sense and does not count."
        after = decisions.judgement(KEY), decisions.candidates(), decisions.personal("s-1", PATH)
        assert after == before
        assert len(decisions.history()) == 8
        assert decisions.judge(KEY, PATH, "partial", None, None, 9).verdict == "partial"
