"""Status: what follows from the last record and from who is alive, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy.desktop import Desktop
from sessions_tui.storage.agents.codebuddy.registry import Registry
from sessions_tui.storage.folds.facts import Facts, LastEvent, OpenCall
from sessions_tui.storage.library.status import Signs, State, derive
from sessions_tui.storage.model.durations import duration
from sessions_tui.storage.model.event import Kind, Outcome, Stage
from sessions_tui.storage.model.integrity import Integrity
from sessions_tui.storage.model.process import AppSession, Life, Process
from sessions_tui.storage.model.store import Root
from sessions_tui.storage.stores.discovery import discover
from sessions_tui.storage.transcript.transcript import Transcript

NOW = 1_796_000_000_000
SECOND, MINUTE, DAY = 1000, 60_000, 24 * 3600_000
CASES = Path(__file__).parents[2] / "cases"


def call(
    number: int,
    tool: str = "Edit",
    ago: int = 5 * SECOND,
    stage: Stage = "started",
    label: str = "app/db.py",
    batch: int = 1,
) -> OpenCall:
    return OpenCall(
        number, f"e{number}", f"c{number}", None, tool, NOW - ago, stage, label, batch=batch
    )


def facts(
    kind: Kind = "call",
    ago: int | None = 5 * SECOND,
    outcome: Outcome = "",
    calls: Iterable[OpenCall] = (),
    moved_on: int = 3,
) -> Facts:
    """Nine records, the last meaningful one as told."""
    at = None if ago is None else NOW - ago
    return Facts(
        records=9,
        updated_at=at,
        model="hy3",
        first_prompt="Fix it",
        last=LastEvent(kind, outcome, None, at),
        open_calls={one.call_id or "": [one] for one in calls},
        moved_on=moved_on,
    )


def process(life: Life = "alive", beat: int = 2 * SECOND) -> Process:
    return Process(4711, "s1", life, NOW - beat, host="lin-mbp")


def standing(known: Facts, **evidence: Any) -> State:
    return derive(known, Signs(NOW, **evidence))


ALIVE = {"process": process()}
HOUR_OLD = facts("result", ago=60 * MINUTE)
SIX_OLD = facts("result", ago=6 * SECOND)


@pytest.mark.parametrize(
    ("known", "evidence", "status", "why"),
    [
        (Facts(), {}, "empty", "No prompt yet."),
        (Facts(records=2), {"process": process()}, "empty", "No prompt yet."),
        (Facts(damaged=2), {}, "unknown", "No record is readable."),
        (facts("answer", outcome="final"), {}, "done", "The turn finished."),
        (facts("answer"), ALIVE, "waiting", "The turn finished, process 4711 is alive."),
        (facts("answer", outcome="failed"), {}, "done", "The turn ended with an error."),
        (facts("terminal", outcome="final"), {}, "done", "The turn finished."),
        (facts("answer", outcome="interrupted"), {}, "interrupted", "Stopped by you."),
        (
            facts("terminal", outcome="interrupted"),
            {"process": process()},
            "interrupted",
            "Stopped by you.",
        ),
        (
            facts("answer", ago=300),
            {"process": process()},
            "working",
            "Process 4711 is alive, last record 0 s ago.",
        ),
        (facts("answer", ago=300, outcome="final"), {}, "done", "The turn finished."),
        (facts("answer", ago=300), {"process": process("dead")}, "done", "The turn finished."),
        (
            facts("answer"),
            {"answers_end": False},
            "working",
            "The turn has not finished yet, last record 5 s ago.",
        ),
        (facts("injected"), {"process": process()}, "working", None),
        (facts("reasoning", ago=60 * MINUTE), {"process": process()}, "working", None),
        (
            HOUR_OLD,
            {"process": process("dead")},
            "crashed",
            "The turn did not finish and process 4711 is gone, last record 1 h ago.",
        ),
        (facts("result"), {"process": process("dead")}, "crashed", None),
        (facts("result"), {"process": process("dead", beat=DAY)}, "working", None),
        (
            HOUR_OLD,
            {"process": process("silent", beat=5 * MINUTE)},
            "unknown",
            "Process 4711 exists, but its last heartbeat was 5 min ago.",
        ),
        (
            HOUR_OLD,
            {"process": process("elsewhere")},
            "unknown",
            "Process 4711 is on lin-mbp and cannot be checked, last record 1 h ago.",
        ),
        (HOUR_OLD, {"process": process("elsewhere", beat=DAY)}, "crashed", None),
        (facts("prompt", ago=60 * SECOND), {}, "working", None),
        (
            facts("prompt", ago=61 * SECOND),
            {},
            "unknown",
            "The turn did not finish; can't tell whether the agent is running, "
            "last record 1 min ago.",
        ),
        (facts("prompt", ago=15 * MINUTE), {}, "unknown", None),
        (
            facts("prompt", ago=16 * MINUTE),
            {},
            "crashed",
            "The turn did not finish; no activity for 16 min.",
        ),
        (HOUR_OLD, {"grew_at": NOW - SECOND}, "working", None),
        (HOUR_OLD, {"modified_at": NOW - SECOND}, "crashed", None),
        (facts("result", ago=None), {"modified_at": NOW - SECOND}, "working", None),
        (facts("result", ago=None), {}, "crashed", None),
        (facts("result", ago=-DAY), {"modified_at": NOW - DAY}, "crashed", None),
        (
            facts("result", ago=-DAY),
            {},
            "working",
            "The turn has not finished yet, last record 0 s ago.",
        ),
        (
            facts("result", ago=2 * MINUTE),
            {"has_registry": True},
            "crashed",
            "The turn did not finish and no process has the session open, last record 2 min ago.",
        ),
        (facts("result", ago=5 * SECOND), {"has_registry": True}, "working", None),
        (
            SIX_OLD,
            {"has_registry": True, "had_process": True},
            "crashed",
            "The turn did not finish and no process has the session open, last record 6 s ago.",
        ),
        (SIX_OLD, {"has_registry": True}, "working", None),
        (SIX_OLD, {"had_process": True}, "working", None),
        (SIX_OLD, {"has_registry": True, "process": process("dead", beat=DAY)}, "working", None),
        (SIX_OLD, {"has_registry": True, "process": process("elsewhere")}, "working", None),
    ],
)
def test_status_and_why(
    known: Facts, evidence: dict[str, Any], status: str, why: str | None
) -> None:
    found = standing(known, **evidence)
    assert found.status == status
    assert found.needs_you is False
    assert found.why.endswith(".")
    assert why is None or found.why == why


@pytest.mark.parametrize(
    ("said", "ago", "status"),
    [
        ("working", 4 * MINUTE, "working"),
        ("working", 16 * MINUTE, "unknown"),
        ("working", None, "unknown"),
        ("completed", 1, "crashed"),
        ("terminated", 4 * MINUTE, "crashed"),
        ("terminated", 6 * MINUTE, "unknown"),
        ("terminated", None, "unknown"),
        ("pending", 1, "unknown"),
    ],
)
def test_the_desktop_app_is_believed_for_a_while(said: str, ago: int | None, status: str) -> None:
    known = facts("result", ago=5 * MINUTE)
    row = AppSession(app="WorkBuddy", status=said, last_activity_at=ago and NOW - ago)
    assert standing(known, app=row, has_registry=True).status == status


def test_what_the_desktop_app_ended_is_not_at_work() -> None:
    ended = AppSession(app="WorkBuddy", status="terminated", last_activity_at=NOW)
    open_edit = facts(ago=20 * SECOND, calls=[call(7)])
    found = standing(open_edit, app=ended)
    assert (found.status, found.uncertain, found.needs_you) == ("crashed", 1, True)
    assert found.why == (
        "The turn did not finish and WorkBuddy reports it as terminated, last record 20 s ago; "
        "1 call without a result."
    )
    assert standing(open_edit, app=ended, process=process()).status == "working"
    assert standing(open_edit, app=ended, process=process("silent")).status == "working"
    assert standing(facts(ago=4 * SECOND), app=ended).status == "working"


def test_a_session_that_was_opened_and_never_asked_is_empty() -> None:
    opened = Facts(records=2, last=LastEvent("injected", "", None, NOW - SECOND))
    assert standing(opened, process=process()).status == "empty"


@pytest.mark.parametrize("state", ["ok", "partial-tail", "damaged"])
def test_broken_lines_do_not_hide_the_status(state: Any) -> None:
    assert standing(facts("answer"), integrity=Integrity(state)).status == "done"


def test_corrupt_and_unreadable_transcripts_say_why() -> None:
    open_edit = facts(calls=[call(7)])
    corrupt = standing(open_edit, integrity=Integrity("corrupt", "sequence", 3, "3 after 1"))
    assert corrupt == State("corrupt", False, "The transcript is corrupt: 3 after 1.")
    shut = standing(facts("answer"), integrity=Integrity("unreadable", detail="Permission denied"))
    assert (shut.status, shut.why) == (
        "unknown",
        "The transcript cannot be read: Permission denied.",
    )


@pytest.mark.parametrize("tool", ["AskUserQuestion", "ExitPlanMode"])
@pytest.mark.parametrize("life", ["alive", "dead"])
def test_an_open_question_asks_whoever_is_alive(tool: str, life: Life) -> None:
    asked = facts(ago=90 * DAY, calls=[call(7, tool, 90 * DAY)])
    found = standing(asked, process=process(life))
    assert (found.status, found.needs_you, found.uncertain) == ("asking", True, 0)
    assert found.why == f"Waiting for your answer to {tool}."


def test_a_question_that_was_passed_over_asks_nothing() -> None:
    passed = facts("answer", calls=[call(2, "AskUserQuestion")])
    found = standing(passed)
    assert (found.status, found.needs_you, found.uncertain) == ("done", False, 1)


def test_an_edit_beside_a_question_is_uncertain_once_nobody_is_alive() -> None:
    known = facts(calls=[call(7), call(8, "AskUserQuestion")])
    assert standing(known, process=process()).uncertain == 0
    assert standing(known, process=process("dead")).uncertain == 1


def test_a_running_call_is_what_a_working_session_does() -> None:
    running = facts(calls=[call(7, "Bash", label="pytest -q")])
    found = standing(running, process=process())
    assert (found.status, found.doing, found.uncertain) == ("working", "Bash pytest -q", 0)
    parallel = facts(calls=[call(7), call(8, "Read")])
    assert standing(parallel, process=process()).doing == "Edit app/db.py and 1 more"
    assert standing(facts("result"), process=process()).doing == "thinking"


def test_a_long_call_may_wait_for_approval() -> None:
    long = facts(ago=5 * MINUTE, calls=[call(7, "Bash", 5 * MINUTE, label="make")])
    found = standing(long, process=process())
    assert found.doing == "Bash make, running or waiting for approval for 5 min"


def test_an_interrupted_edit_needs_its_person_until_it_is_decided() -> None:
    crashed = facts(calls=[call(7)])
    found = standing(crashed, process=process("dead"))
    assert (found.status, found.needs_you, found.uncertain) == ("crashed", True, 1)
    assert found.why.endswith("; 1 call without a result.")
    decided = standing(crashed, process=process("dead"), decided={"e7"})
    assert (decided.status, decided.needs_you, decided.uncertain) == ("crashed", False, 0)


@pytest.mark.parametrize(
    ("one", "needs_you"),
    [
        (call(7, "Read"), False),
        (call(7, "Grep"), False),
        (call(7, "mcp__db__run"), True),
        (call(7, ago=6 * DAY), True),
        (call(7, ago=8 * DAY), False),
    ],
)
def test_reads_and_old_crashes_do_not_cry(one: OpenCall, needs_you: bool) -> None:
    found = standing(facts(ago=20 * MINUTE, calls=[one]))
    assert (found.status, found.uncertain, found.needs_you) == ("crashed", 1, needs_you)
    if not needs_you:
        assert "none of them a change in the last 7 days" in found.why


def test_the_days_are_the_persons_choice() -> None:
    old = facts(ago=8 * DAY, calls=[call(7, ago=8 * DAY)])
    assert standing(old, review_days=9).needs_you


def test_a_call_that_was_only_asked_for_is_not_uncertain() -> None:
    found = standing(facts(ago=20 * MINUTE, calls=[call(7, stage="requested")]))
    assert (found.status, found.uncertain) == ("crashed", 0)


@pytest.mark.parametrize("kind", ["answer", "prompt", "result"])
def test_an_older_open_call_stays_uncertain_while_the_session_goes_on(kind: Kind) -> None:
    found = standing(facts(kind, calls=[call(2)]), process=process())
    assert (found.uncertain, found.needs_you) == (1, True)
    assert "Edit" not in found.doing


def test_a_newer_response_leaves_the_calls_of_the_one_before() -> None:
    known = facts(calls=[call(6, "Edit"), call(8, "Bash", label="ls", batch=2)])
    found = standing(known, process=process())
    assert (found.uncertain, found.doing) == (1, "Bash ls")


def test_nobody_is_declared_dead_on_no_evidence() -> None:
    found = standing(facts(ago=5 * MINUTE, calls=[call(7)]))
    assert (found.status, found.uncertain, found.needs_you) == ("unknown", 0, False)


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (0, "0 s"),
        (59_999, "59 s"),
        (MINUTE, "1 min"),
        (47 * 60 * MINUTE, "47 h"),
        (2 * DAY, "2 days"),
    ],
)
def test_lengths_of_time_are_short(length: int, text: str) -> None:
    assert duration(length) == text


def read(path: Path, **evidence: Any) -> State:
    transcript = Transcript(path, path.stem)
    transcript.read()
    now = 1_795_400_000_000
    return derive(transcript.facts, Signs(now, transcript.integrity(), **evidence))


def test_every_session_of_a_real_store() -> None:
    home = CASES / "product-store"
    registry, desktop = Registry(home, "desk"), Desktop(home)
    registry.refresh()
    desktop.refresh()
    found = {
        file.session[:8]: read(
            file.path,
            process=registry.process(file.session, NOW),
            has_registry=registry.tells_all(NOW),
            app=desktop.sessions.get(file.session),
        )
        for file in discover(Root(home, "home", "workbuddy")).files
        if file.owner is None
    }
    assert {session: (one.status, one.needs_you) for session, one in found.items()} == {
        "0d951c95": ("done", False),
        "2a028bbf": ("done", False),
        "72d24a20": ("asking", True),
        "8af70573": ("done", False),
        "aa8e88a6": ("done", False),
        "f17d8ec0": ("crashed", True),
        "ec3e3f81": ("done", False),
        "0da18c4c": ("done", False),
        "0e895aaf": ("done", False),
        "438a0bda": ("done", False),
        "49aa3903": ("done", False),
        "7db2dbc9": ("interrupted", False),
        "eb5676a9": ("crashed", True),
    }


@pytest.mark.parametrize(
    ("name", "status", "uncertain"),
    [
        ("01-ordinary-edits", "done", 0),
        ("02-subagent", "done", 0),
        ("03a-crash-mid-edit", "crashed", 1),
        ("03b-user-interrupt", "interrupted", 0),
        ("03c-torn-last-line", "crashed", 1),
        ("04-compaction", "done", 0),
        ("05-images-large-output", "done", 0),
        ("06-noise-titles", "done", 0),
        ("08a-waiting-question", "asking", 0),
        ("08b-waiting-approval-or-running", "crashed", 1),
        ("10a-third-party-rewrite", "done", 0),
        ("10b-empty", "empty", 0),
        ("10c-bad-utf8-lone-surrogate", "done", 0),
    ],
)
def test_transcripts_as_the_products_write_them(name: str, status: str, uncertain: int) -> None:
    found = read(CASES / "product" / f"{name}.jsonl")
    assert (found.status, found.uncertain) == (status, uncertain)
