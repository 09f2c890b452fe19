"""Decisions to test with, and what they come to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sessions_tui.storage.candidate import Candidate, candidate_id
from sessions_tui.storage.decision_history import FILE
from sessions_tui.storage.decisions import Decisions, RecordKey
from sessions_tui.storage.evidence import Evidence

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
    return {
        "verdicts": {key: decisions.judgement(key) for key in keys},
        "outdated": {key: decisions.outdated(key) for key in keys},
        "judged": {session: decisions.judged(session) for session, _ in places},
        "candidates": decisions.candidates(),
        "personal": {place: decisions.personal(*place) for place in places},
    }


@contextmanager
def database(directory: Path) -> Iterator[sqlite3.Connection]:
    """The database itself, as another program would open it."""
    with closing(sqlite3.connect(directory / FILE, isolation_level=None)) as db:
        yield db
