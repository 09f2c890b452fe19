"""Decisions of several programs in one file: each sees the others', for next to no work."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions_tui.storage.decisions.decisions import Decisions, Personal
from sessions_tui.storage.decisions.standing import Decided
from tests.storage.deciding import (
    KEY,
    OTHER_BYTES,
    PATH,
    database,
    insert,
    opened,
    present,
    proposed,
)


class Counted(sqlite3.Connection):
    """A connection that writes down what it is asked, in `log` of its class."""

    log: list[str]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.set_trace_callback(self.log.append)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements of all connections from now on."""
    Counted.log = []
    monkeypatch.setattr(sqlite3, "connect", functools.partial(sqlite3.connect, factory=Counted))
    return Counted.log


def fill(directory: Path, rows: int) -> None:
    """Add verdicts as another program would, all at once."""
    with database(directory) as db:
        value = '{"verdict": "verified", "note": null, "evidence": null}'
        insert(db, *((n, "verdict", "s-2", f"e-{n}", "a", value) for n in range(rows)))


def test_each_sees_what_the_other_decides(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as one, opened(tmp_path / "data") as two:
        assert not two.refresh()
        given = one.judge(KEY, PATH, "verified", "mine", None, 1)
        assert two.judgement(KEY) is None
        assert two.refresh()
        assert two.judgement(KEY) == given
        assert not two.refresh()
        two.set_title("s-1", PATH, "ours", 2)
        assert two.version == 2
        assert one.version == 1
        assert one.refresh()
        assert one.personal("s-1", PATH) == Personal("ours")
        assert one.version == two.version == 2
        assert not one.refresh()
        assert not two.refresh()
        assert present(one) == present(two)


def test_a_decision_takes_in_what_was_decided_meanwhile(tmp_path: Path) -> None:
    with opened(tmp_path) as one, opened(tmp_path) as two:
        given = one.judge(KEY, PATH, "verified", "mine", None, 1)
        assert two.judge(KEY, PATH, "verified", None, None, 2) == given
        assert len(two.history()) == 1
        two.judge(KEY, PATH, "partial", None, None, 3)
        assert one.take_back(KEY, PATH, 4) == given
        assert two.take_back(KEY, PATH, 5) is None
        assert one.take_back(KEY, PATH, 6) is None
        asked = one.propose(proposed())
        assert two.settle(asked.candidate, "approved", 7).status == "approved"
        assert one.propose(proposed(now=8)).status == "approved"
        assert one.undo(asked.candidate, 9) == asked
        assert two.undo(asked.candidate, 10) is None
        assert len(one.history()) == 7


def test_a_file_that_another_program_makes_is_found(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as waiting:
        (tmp_path / "data").mkdir()
        assert not waiting.refresh()
        with opened(tmp_path / "data") as maker:
            given = maker.judge(KEY, PATH, "verified", None, None, 1)
        assert waiting.refresh()
        assert waiting.judgement(KEY) == given
        assert waiting.notice == ""


def test_looking_for_news_costs_one_question(tmp_path: Path, statements: list[str]) -> None:
    with opened(tmp_path) as decisions:
        decisions.refresh()
        assert statements == []
        decisions.set_pinned("s-1", PATH, True, 1)
        decisions.refresh()
        statements.clear()
        for _ in range(10):
            assert not decisions.refresh()
        assert statements == ["pragma data_version"] * 10


def test_asking_what_is_so_costs_no_question(tmp_path: Path, statements: list[str]) -> None:
    with opened(tmp_path) as decisions:
        decisions.judge(KEY, PATH, "verified", None, None, 1)
        decisions.propose(proposed())
        statements.clear()
        decisions.judgement(KEY)
        decisions.outdated(OTHER_BYTES)
        decisions.judged("s-1")
        decisions.candidates()
        decisions.candidate("c-0")
        decisions.personal("s-1", PATH)
        assert statements == []


def selects(statements: list[str]) -> list[str]:
    """The questions for decisions, each with where it reads on from."""
    return [one.partition("where ")[2] for one in statements if "from decisions" in one]


def test_ten_thousand_decisions_are_read_once(tmp_path: Path, statements: list[str]) -> None:
    with opened(tmp_path) as decisions:
        decisions.set_pinned("s-1", PATH, True, 1)
    statements.clear()
    with opened(tmp_path):
        few = len(statements)
    fill(tmp_path, 9_999)
    statements.clear()
    with opened(tmp_path) as decisions:
        assert len(statements) == few < 20
        assert selects(statements) == ["id > 0 order by id"]
        assert decisions.version == 10_000
        assert len(decisions.judged("s-2")) == 9_999
        fill(tmp_path, 1)
        statements.clear()
        assert decisions.refresh()
        assert selects(statements) == ["id > 10000 order by id"]
        assert decisions.version == 10_001
        statements.clear()
        decisions.judge(KEY, PATH, "verified", None, None, 1)
        assert selects(statements) == ["id > 10001 order by id"]
        assert decisions.version == 10_002
        assert len(statements) < 12


Act = Callable[[Decisions, int], object]
SUBJECTS = st.integers(0, 2)
WORDS = st.sampled_from(["", "one", "two"])
VERDICTS = st.sampled_from(["verified", "not-applied", "partial", "dismissed"])
PLACES = [PATH, Path("/copy/s-1.jsonl")]


def settle(number: int, status: Any, decisions: Decisions, now: int) -> None:
    asked = proposed(f"words {number}", now)
    if status is None:
        decisions.propose(asked)
    elif decisions.candidate(asked.candidate):
        decisions.settle(asked.candidate, status, now)


def change(number: int, words: str | None, decisions: Decisions, now: int) -> None:
    asked = proposed(f"words {number}", now)
    if not decisions.candidate(asked.candidate):
        return
    if words is None:
        decisions.undo(asked.candidate, now)
    else:
        decisions.edit(asked.candidate, words, words, now)


def key(number: int) -> Any:
    return replace(KEY, sha256=str(number))


ACTS: st.SearchStrategy[Act] = st.one_of(
    st.builds(
        lambda n, path, verdict, note: (
            lambda d, now: d.judge(key(n), path, verdict, note, None, now)
        ),
        SUBJECTS,
        st.sampled_from(PLACES),
        VERDICTS,
        st.none() | WORDS,
    ),
    st.builds(
        lambda n, path, others: lambda d, now: d.take_back(key(n), path, now, others=others),
        SUBJECTS,
        st.sampled_from(PLACES),
        st.sets(st.sampled_from(PLACES)),
    ),
    st.builds(
        lambda n, status: functools.partial(settle, n, status),
        SUBJECTS,
        st.sampled_from([None, "approved", "rejected"]),
    ),
    st.builds(lambda n, words: functools.partial(change, n, words), SUBJECTS, st.none() | WORDS),
    st.builds(
        lambda path, words: lambda d, now: d.set_title("s-1", path, words, now),
        st.sampled_from(PLACES),
        WORDS,
    ),
    st.builds(
        lambda path, yes: lambda d, now: d.set_pinned("s-1", path, yes, now),
        st.sampled_from(PLACES),
        st.booleans(),
    ),
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(acts=st.lists(st.tuples(st.integers(0, 1), ACTS), min_size=1, max_size=30))
def test_whoever_decides_all_know_the_same(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[int, Act]]
) -> None:
    directory = tmp_path_factory.mktemp("data")
    with ExitStack() as stack:
        both = [stack.enter_context(opened(directory)) for _ in range(2)]
        for now, (who, act) in enumerate(acts):
            act(both[who], now)
        for decisions in both:
            decisions.refresh()
        fresh = stack.enter_context(opened(directory))
        assert present(both[0]) == present(both[1]) == present(fresh)
        assert both[0].version == both[1].version == len(fresh.history())
        folded = Decided()
        for decision in fresh.history():
            folded.take(decision)
        assert folded.candidates() == fresh.candidates()
        assert all(folded.verdict(key(n)).now == fresh.judgement(key(n)) for n in range(3))
