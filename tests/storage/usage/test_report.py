"""Usage by day, workspace, model and tool: nothing twice, nothing lost, days as they are here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.index.index import Used
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.model.usage import PERIODS, Reports, Totals, UsageReport
from sessions_tui.storage.usage.report import SLICE, Called, Edited, UsageReports, reports_of

NOW = 1_778_508_131_000  # Monday 2026-05-11, 14:02:11 UTC
TODAY = date(2026, 5, 11)
HOUR = 3_600_000
THIS_HOUR = NOW // HOUR
QUARTERS = 4
"""The rows count by the quarter of an hour."""
DAY = 24


def path(name: str) -> Path:
    return Path(f"/store/{name}.jsonl")


def session(name: str, *, hours_ago: int = 0, **more: Any) -> Session:
    known: dict[str, Any] = {
        "session": name,
        "path": path(name),
        "agent": AGENTS["product"],
        "workspace": "/src/shop",
        "title": name,
        "title_from": "prompt",
        "status": "done",
        "why": "",
        "started_at": NOW - hours_ago * HOUR,
        "updated_at": NOW - hours_ago * HOUR,
    }
    return Session(**{**known, **more})


def used(name: str, input: int = 10, *, hour: float = THIS_HOUR, **more: Any) -> Used:
    row: dict[str, Any] = {"model": "hy3", "source": "", "responses": 1, **more}
    tokens = row.pop("tokens", Usage(input, 100 * input, input // 10))
    return Used(
        path(name), int(hour * QUARTERS), row["model"], row["source"], tokens, row["responses"]
    )


def called(
    name: str, calls: int, tool: str = "Bash", hour: float = THIS_HOUR, source: str = ""
) -> Called:
    return path(name), int(hour * QUARTERS), tool, source, calls


def reports(
    sessions: list[Session],
    usage: list[Used] | None = None,
    calls: list[Called] | None = None,
    edits: list[Edited] | None = None,
    zone: tzinfo | None = UTC,
    now: int = NOW,
) -> Reports:
    return reports_of(usage or [], calls or [], edits or [], sessions, now, zone)


def by_name(shares: Any) -> dict[str, Totals]:
    return {share.name: share.totals for share in shares}


def inputs(report: UsageReport) -> dict[date, int]:
    return {day: totals.tokens.input for day, totals in report.days if totals.tokens.input}


def test_everything_of_one_session() -> None:
    rows = [used("a", 10), used("a", 5, model="glm-5"), used("a", 1, hour=THIS_HOUR - 2)]
    calls = [called("a", 7), called("a", 2, "Edit"), called("a", 1, "Write")]
    edits = [(path("a"), "/src/x.py", 2, NOW), (path("a"), "/src/y.py", 1, NOW)]
    report = reports([session("a")], rows, calls, edits)[30]
    all_of_it = Totals(Usage(16, 1_600, 1), 3, 10, 3, frozenset([path("a")]))
    assert report.totals == all_of_it
    assert report.days == ((TODAY, all_of_it),)
    assert by_name(report.workspaces) == {"/src/shop": all_of_it}
    one = all_of_it.sessions
    assert by_name(report.models) == {
        "hy3": Totals(Usage(11, 1_100, 1), 2, sessions=one),
        "glm-5": Totals(Usage(5, 500, 0), 1, sessions=one),
    }
    assert by_name(report.tools) == {
        "Bash": Totals(calls=7, sessions=one),
        "Edit": Totals(calls=2, edits=2, sessions=one),
        "Write": Totals(calls=1, edits=1, sessions=one),
    }
    assert report.files == 2
    assert (report.first, report.last) == (TODAY - timedelta(days=29), TODAY)


# Days.

NEW_YORK, LORD_HOWE = "EST5EDT,M3.2.0,M11.1.0", "LHST-10:30LHDT-11,M10.1.0,M4.1.0"
KOLKATA, KATHMANDU, KIRITIMATI = "IST-5:30", "XXX-5:45", "XXX-14"


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Be somewhere else."""

    def be_in(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield be_in
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("moment", "zone", "day"),
    [
        ("2026-05-10T23:00", "UTC", date(2026, 5, 10)),
        ("2026-05-11T00:00", "UTC", date(2026, 5, 11)),
        ("2026-05-10T23:00", "XXX-2", date(2026, 5, 11)),
        ("2026-05-11T01:00", "XXX+2", date(2026, 5, 10)),
        ("2026-05-10T10:00", KIRITIMATI, date(2026, 5, 11)),
        # The clocks go forward: 8 March has 23 hours, from 05:00 UTC on.
        ("2026-03-08T04:00", NEW_YORK, date(2026, 3, 7)),
        ("2026-03-08T05:00", NEW_YORK, date(2026, 3, 8)),
        ("2026-03-09T03:00", NEW_YORK, date(2026, 3, 8)),
        ("2026-03-09T04:00", NEW_YORK, date(2026, 3, 9)),
        # They go back: 1 November has 25 hours.
        ("2025-11-02T04:00", NEW_YORK, date(2025, 11, 2)),
        ("2025-11-03T04:00", NEW_YORK, date(2025, 11, 2)),
        ("2025-11-03T05:00", NEW_YORK, date(2025, 11, 3)),
        # Days that begin at half past, or at a quarter to or past.
        ("2026-05-09T18:15", KOLKATA, date(2026, 5, 9)),
        ("2026-05-09T18:30", KOLKATA, date(2026, 5, 10)),
        ("2026-05-09T18:00", KATHMANDU, date(2026, 5, 9)),
        ("2026-05-09T18:15", KATHMANDU, date(2026, 5, 10)),
        ("2026-04-04T12:45", LORD_HOWE, date(2026, 4, 4)),
        ("2026-04-04T13:00", LORD_HOWE, date(2026, 4, 5)),
        ("2026-04-05T13:15", LORD_HOWE, date(2026, 4, 5)),
        ("2026-04-05T13:30", LORD_HOWE, date(2026, 4, 6)),
    ],
)
def test_a_quarter_belongs_to_a_local_day(
    here: Callable[[str], None], moment: str, zone: str, day: date
) -> None:
    here(zone)
    hour = datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp() / 3600
    report = reports([session("a")], [used("a", hour=hour)], zone=None)[0]
    assert list(inputs(report)) == [day]


@pytest.mark.parametrize(("hours", "day"), [(2, 11), (-15, 10)])
def test_days_may_be_those_of_elsewhere(hours: int, day: int) -> None:
    hour = int(datetime(2026, 5, 10, 23, tzinfo=UTC).timestamp()) // 3600
    zone = timezone(timedelta(hours=hours))
    report = reports([session("a")], [used("a", hour=hour)], zone=zone)[0]
    assert list(inputs(report)) == [date(2026, 5, day)]


@pytest.mark.parametrize(
    ("days_ago", "periods"),
    [
        (0, {7, 30, 90, 0}),
        (6, {7, 30, 90, 0}),
        (7, {30, 90, 0}),
        (29, {30, 90, 0}),
        (30, {90, 0}),
        (89, {90, 0}),
        (90, {0}),
        (5_000, {0}),
    ],
)
def test_periods_end_today(days_ago: int, periods: set[int]) -> None:
    hour = THIS_HOUR - days_ago * DAY
    at = hour * HOUR
    found = reports(
        [session("a", hours_ago=days_ago * DAY)],
        [used("a", hour=hour)],
        [called("a", 3, "Edit", hour)],
        [(path("a"), "/x", 3, at)],
    )
    for days in PERIODS:
        report, holds = found[days], days in periods
        assert bool(report.totals) == holds
        assert (report.totals.edits, report.files) == ((3, 1) if holds else (0, 0))
        assert [day for day, _ in report.days] == (
            [TODAY - timedelta(days=days_ago)] if holds else []
        )
        assert bool(report.workspaces and report.models and report.tools) == holds
    assert found[0].first == min(TODAY, TODAY - timedelta(days=days_ago))


def test_what_has_no_time_counts_in_all_there_is() -> None:
    found = reports(
        [session("a", started_at=None, updated_at=None)],
        [used("a", 9, hour=0)],
        [called("a", 4, hour=0)],
        [(path("a"), "/x", 1, 0)],
    )
    assert found[90].totals == Totals()
    assert found[0].totals.tokens.input == 9
    assert found[0].totals.calls == 4
    assert found[0].files == 1
    assert found[0].days == ()
    assert found[0].first == TODAY


@pytest.mark.parametrize("hour", [THIS_HOUR + 1, THIS_HOUR + 400 * DAY, 2**58])
def test_what_is_to_come_counts_today_or_has_no_day(hour: int) -> None:
    report = reports([session("a")], [used("a", 9, hour=hour)])[0]
    assert report.totals.tokens.input == 9
    assert set(inputs(report)) <= {TODAY}
    assert report.first == TODAY


# Sessions that are one, and sessions that are two.


def test_what_a_fork_was_copied_from_counts_there() -> None:
    sessions = [session("origin"), session("fork")]
    rows = [used("origin", 10), used("fork", 10, source="origin"), used("fork", 3)]
    assert reports(sessions, rows)[7].totals.tokens.input == 13


def test_where_the_origin_is_gone_the_copy_counts_once() -> None:
    sessions = [session("one"), session("two"), session("three")]
    rows = [
        used("one", 10, source="gone", responses=4),
        used("two", 8, source="gone", responses=3),
        used("three", 10, source="gone", responses=4),
        used("two", 5, source="gone", hour=THIS_HOUR - 1),
        used("one", 1),
    ]
    assert reports(sessions, rows)[7].totals.tokens.input == 16


def test_a_fork_of_a_fork() -> None:
    sessions = [session(name) for name in ("a", "b", "c")]
    rows = [
        used("a", 1),
        used("b", 1, source="a"),
        used("b", 2),
        used("c", 1, source="a"),
        used("c", 2, source="b"),
        used("c", 4),
    ]
    assert reports(sessions, rows)[7].totals.tokens.input == 7


def child(name: str, parent: str, **more: Any) -> Session:
    return session(name, parent=parent, parent_path=path(parent), **more)


def test_sub_agents_are_part_of_their_session() -> None:
    sessions = [
        session("lead", hours_ago=48),
        child("agent-1", "lead", workspace="/src/shop-worktree"),
        child("agent-2", "agent-1"),
    ]
    rows = [used("lead", 1), used("agent-1", 10, source="lead"), used("agent-2", 5, model="kimi")]
    calls = [called("agent-1", 3), called("agent-2", 4)]
    report = reports(sessions, rows, calls)[7]
    assert report.totals.tokens.input == 16
    assert report.totals.calls == 7
    assert report.totals.sessions == {path("lead")}
    shares = by_name(report.workspaces)
    assert shares["/src/shop-worktree"].tokens.input == 10
    assert shares["/src/shop-worktree"].sessions == {path("lead")}
    assert by_name(report.models)["kimi"].sessions == {path("lead")}
    assert [totals.sessions for _, totals in report.days] == [{path("lead")}] * 2


def test_sub_agents_without_a_known_session_stand_for_themselves() -> None:
    lost = child("agent-1", "gone")
    circle = [child("agent-2", "agent-3"), child("agent-3", "agent-2")]
    report = reports([lost, *circle], [used("agent-1", 3), used("agent-2", 4)])[7]
    assert report.totals.tokens.input == 7
    assert path("agent-1") in report.totals.sessions


def test_transcripts_that_are_not_listed_do_not_count() -> None:
    edits = [(path("b"), "/x", 1, NOW)]
    report = reports([session("a")], [used("b")], [called("b", 5)], edits)[0]
    assert report.totals == Totals(sessions=frozenset([path("a")]))
    assert report.files == 0


# Sessions that tell little.


def test_sessions_without_tokens_still_count() -> None:
    quiet = [session("a", model="hy3"), session("b", agent=AGENTS["envelope"])]
    report = reports(quiet)[7]
    assert len(report.totals.sessions) == 2
    assert report.totals.tokens == Usage()
    assert [len(totals.sessions) for _, totals in report.days] == [2]
    assert by_name(report.models) == {"hy3": Totals(sessions=frozenset([path("a")]))}


def test_unknown_models_are_one() -> None:
    rows = [used("a", 1, model=""), used("b", 2, model=""), used("b", 4)]
    models = by_name(reports([session("a"), session("b")], rows)[7].models)
    assert models[""].tokens.input == 3
    assert models["hy3"].tokens.input == 4


@pytest.mark.parametrize("amount", [0, 1_000_000, 10**15])
def test_amounts(amount: int) -> None:
    row = used("a", tokens=Usage(amount, amount, amount), responses=amount)
    report = reports([session("a")], [row], [called("a", amount)])[7]
    assert report.totals.tokens == Usage(amount, amount, amount)
    assert report.totals.calls == report.totals.responses == amount


def test_nothing_at_all() -> None:
    found = reports([])
    assert set(found) == set(PERIODS)
    for report in found.values():
        assert not report.totals
        assert not report.days
        assert report.workspaces == report.models == report.tools == ()


def test_a_file_counts_once_when_it_was_edited_last() -> None:
    sessions = [session("a"), session("b")]
    edits = [
        (path("a"), "/x", 5, NOW - 40 * DAY * HOUR),
        (path("b"), "/x", 1, NOW - 2 * DAY * HOUR),
        (path("a"), "/y", 5, NOW - 40 * DAY * HOUR),
    ]
    found = reports(sessions, edits=edits)
    assert [found[days].files for days in PERIODS] == [1, 1, 2, 2]


# The whole and its parts.

ROWS = st.builds(
    used,
    st.sampled_from("abc"),
    st.integers(0, 9),
    hour=st.integers(THIS_HOUR - 120 * DAY, THIS_HOUR),
    model=st.sampled_from(["", "hy3", "glm-5"]),
    source=st.sampled_from(["", "", "a", "gone"]),
)


@given(rows=st.lists(ROWS, max_size=40))
def test_shares_and_days_add_up(rows: list[Used]) -> None:
    sessions = [session("a"), session("b"), child("c", "a", workspace="/src/lab")]
    found = reports(sessions, rows)
    before = -1
    for days in PERIODS:
        report = found[days]
        whole = report.totals.tokens
        for parts in (report.workspaces, report.models, report.days):
            assert sum((totals.tokens for _, totals in parts), Usage()) == whole
        for parts in (report.workspaces, report.days):
            union = frozenset[Path]().union(*(totals.sessions for _, totals in parts))
            assert union == report.totals.sessions
        assert whole.input >= before
        before = whole.input


def test_it_gives_way_now_and_then() -> None:
    counting = UsageReports([session("a")], NOW, UTC)
    rows = [used("a", 1, tokens=Usage(1))] * (SLICE * 5)
    calls = [called("a", 1)] * (SLICE * 3)
    slices = sum(1 for _ in counting.count(rows, calls, []))
    assert slices == 10
    assert counting.reports()[7].totals.tokens.input == SLICE * 5


def test_calls_that_a_fork_was_copied_with_count_once() -> None:
    calls = [called("a", 5), called("fork", 5, source="a"), called("fork", 2)]
    found = reports([session("a"), session("fork")], calls=calls)[30]
    assert found.totals.calls == 7
    alone = reports([session("fork")], calls=calls)[30]
    assert alone.totals.calls == 7


def test_calls_copied_from_a_session_that_is_gone_count_once() -> None:
    calls = [called("one", 5, source="gone"), called("two", 4, source="gone"), called("two", 2)]
    found = reports([session("one"), session("two")], calls=calls)[30]
    assert found.totals.calls == 7
