"""Decisions to test with, and what they come to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.decisions.decisions import Decisions, DecisionsError, Judgement, RecordKey
from sessions_tui.storage.decisions.history import FILE
from sessions_tui.storage.decisions.rows import count_of, seal_of, set_count
from sessions_tui.storage.model.candidate import Candidate, candidate_id
from sessions_tui.storage.model.evidence import Evidence

PATH = Path("/store/projects/shop/s-1.jsonl")
KEY = RecordKey("s-1", "transcript:s-1:7", "a" * 64)
OTHER_BYTES = replace(KEY, sha256="b" * 64)
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


FILES = {FILE, f"{FILE}-wal", f"{FILE}-shm", "decisions.count"}
"""All that is kept of decisions, at most."""


def proposed(words: str = "remember this", now: int = 10, path: Path = PATH) -> Candidate:
    """A candidate that a person has just thought of."""
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
        path=path,
        source_sha256=KEY.sha256,
    )


@contextmanager
def opened(directory: Path) -> Iterator[Decisions]:
    """The decisions of a directory, closed in the end."""
    with closing(Decisions(directory)) as decisions:
        yield decisions


def present(decisions: Decisions) -> dict[str, Any]:
    """All that is so now, on everything that was ever decided on."""
    history = decisions.history()
    keys = {RecordKey(one.session, one.subject, one.sha256) for one in history}
    places = {(one.session, one.path) for one in history}
    paths = {path for _, path in places}
    there = {(key, path) for key in keys for path in paths}
    also = {(key, path): paths - {path} for key, path in there}
    return {
        "verdicts": {key: decisions.judgement(key) for key in keys},
        "outdated": {key: decisions.outdated(key) for key in keys},
        "there": {at: decisions.judgement(at[0], path=at[1]) for at in there},
        "alone": {at: decisions.judgement(at[0], path=at[1], others=also[at]) for at in there},
        "judged": {session: decisions.judged(session) for session, _ in places},
        "candidates": decisions.candidates(),
        "personal": {place: decisions.personal(*place) for place in places},
    }


@contextmanager
def database(directory: Path) -> Iterator[sqlite3.Connection]:
    """The database itself, as another program would open it."""
    with closing(sqlite3.connect(directory / FILE, isolation_level=None)) as db:
        yield db


def insert(db: sqlite3.Connection, *rows: tuple[int, str, str, str, str, str]) -> None:
    """Add rows as another program would, all at once: at, kind, session, subject, hash, value."""
    last = db.execute("select coalesce(max(id), 0) from decisions").fetchone()[0]
    db.execute("begin")
    for id, (at, kind, session, subject, sha256, value) in enumerate(rows, last + 1):
        row = (at, "me", kind, session, subject, b"/", sha256, None, value)
        marks = ", ".join("?" * 11)
        seal = seal_of(id, [part.encode() if isinstance(part, str) else part for part in row])
        db.execute(f"insert into decisions values ({marks})", (id, *row, seal))
    set_count(db, count_of(db) + len(rows))
    db.commit()


def kept(directory: Path) -> Judgement:
    """A directory with decisions, the first of which is given back."""
    with opened(directory) as decisions:
        for n in range(200):
            decisions.propose(proposed(f"candidate {n}", n))
        return decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 1)


def refused(decisions: Decisions, directory: Path) -> str:
    """Why a decision cannot be made; every kind of decision is tried."""
    told = set()
    for decide in (
        lambda: decisions.judge(OTHER_BYTES, PATH, "partial", None, None, 9),
        lambda: decisions.propose(proposed("a new one")),
        lambda: decisions.set_title("s-1", PATH, "title", 9),
        lambda: decisions.set_pinned("s-1", PATH, True, 9),
        lambda: decisions.set_hidden("s-1", PATH, True, 9),
    ):
        with pytest.raises(DecisionsError) as info:
            decide()
        told.add(str(info.value))
    assert decisions.judgement(OTHER_BYTES) is None
    assert decisions.personal("s-1", PATH).title is None
    (said,) = told
    start, end = f"Could not save the decision: {directory / FILE} ", "."
    assert said.startswith(start)
    assert said.endswith(end)
    assert "\n" not in said
    return said.removeprefix(start).removesuffix(end)
