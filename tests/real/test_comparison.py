"""The rig's own judgement: what it calls agreed, unsure and wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.real.comparison import Answers, Check, Shown, compare, compare_later
from tests.real.script import Operation
from tests.real.truth import Effect, Fact, Transcript, Truth, effect_of, facts

PATH = Path("/project/part.py")
EDIT = Operation("edit", "c1", PATH, "old text", "new text")
EVENT = "transcript:s:1"


def action(call: str | None, state: str, suggests: str = "", **more: Any) -> dict[str, Any]:
    evidence = {"suggests": suggests} if suggests else None
    found = {"action": EVENT, "session": "s", "call_id": call, "state": state, "verdict": None}
    return {**found, "evidence": evidence, "path": str(PATH), **more}


def truth(
    effect: Effect = "not-applied", record: str = "open", *, cut: bool = False, **more: Any
) -> Truth:
    calls = {} if record == "none" else {"c1": record}
    main = Transcript("s", Path("s.jsonl"), calls, more.pop("finished", False), cut, False)
    fact = Fact(EDIT, effect, record, "s" if calls else "", True)  # type: ignore[arg-type]
    return Truth("one", main, (), (fact,), True)


def answers(
    *actions: Mapping[str, Any], status: str = "crashed", why: str = "", **more: Any
) -> Answers:
    count = sum(one["state"] == "uncertain" for one in actions)
    row = {"session": "s", "status": status, "why": why, "uncertain": count}
    calls = [one for one in actions if one["call_id"]]
    opened = [one for one in calls if one["state"] == "uncertain"]
    given = Answers(
        [row],
        actions=actions,
        show=[
            {"kind": "call", "event_id": EVENT, "call_id": one["call_id"], "state": one["state"]}
            for one in calls
        ],
        recover={
            "uncertain": opened,
            "completed": [one["call_id"] for one in calls if one["state"] == "completed"],
            "failed": [],
        },
        memory={"current_goal": {"text": "[task one] Do it."}},
        check=[{"session": "s", "integrity": {"state": "ok"}}],
        shown=Shown(status, count, count),
    )
    return replace(given, **more)


def verdicts(given: Truth, said: Answers, kind: str) -> list[str]:
    return [check.verdict for check in compare(given, said) if check.kind == kind]


def test_a_session_that_is_described_rightly_has_no_other_verdict() -> None:
    said = answers(action("c1", "uncertain", "not-applied"))
    checks = list(compare(truth(), said))
    assert [check for check in checks if check.verdict != "agreed"] == []
    assert len({check.kind for check in checks}) == 9


@pytest.mark.parametrize(
    ("effect", "suggests", "verdict"),
    [
        ("applied", "applied", "agreed"),
        ("applied", "not-applied", "wrong"),
        ("applied", "unknown", "unsure"),
        ("not-applied", "not-applied", "agreed"),
        ("not-applied", "applied", "wrong"),
        ("not-applied", "changed-since", "unsure"),
        ("both", "ambiguous", "agreed"),
        ("both", "applied", "unsure"),
        ("neither", "applied", "wrong"),
        ("neither", "changed-since", "agreed"),
    ],
)
def test_a_suggestion_is_held_to_the_file(effect: Effect, suggests: str, verdict: str) -> None:
    said = answers(action("c1", "uncertain", suggests))
    assert verdicts(truth(effect), said, "suggestions") == [verdict]


def test_a_file_that_changed_meanwhile_proves_nothing() -> None:
    given = truth("applied")
    given = replace(given, facts=(replace(given.facts[0], is_settled=False),))
    said = answers(action("c1", "uncertain", "not-applied"))
    assert verdicts(given, said, "suggestions") == []


@pytest.mark.parametrize(
    ("status", "finished", "verdict"),
    [
        ("crashed", False, "agreed"),
        ("unknown", False, "unsure"),
        ("working", False, "wrong"),
        ("done", False, "wrong"),
        ("waiting", False, "wrong"),
        ("done", True, "agreed"),
        ("working", True, "wrong"),
    ],
)
def test_a_dead_session_is_not_at_work(status: str, finished: bool, verdict: str) -> None:
    said = answers(action("c1", "uncertain", "not-applied"), status=status)
    assert verdicts(truth(finished=finished), said, "status") == [verdict]


def test_what_is_unknown_at_first_is_held_to_the_truth_later() -> None:
    running = answers(action("c1", "running"), status="unknown")
    kinds = {check.kind: check.verdict for check in compare(truth(), running)}
    assert kinds["status"] == "unsure"
    assert "open calls" not in kinds
    assert "suggestions" not in kinds
    said = answers(action("c1", "uncertain", "applied"))
    later = {check.kind: check.verdict for check in compare_later(truth(), said)}
    assert later["status after a minute"] == later["open calls"] == "agreed"
    assert later["suggestions"] == "wrong"


@pytest.mark.parametrize(
    ("record", "state", "kind", "verdict"),
    [
        ("done", "completed", "completed calls", "agreed"),
        ("done", "uncertain", "completed calls", "wrong"),
        ("open", "uncertain", "open calls", "agreed"),
        ("open", "completed", "open calls", "wrong"),
        ("open", "running", "open calls", "unsure"),
    ],
)
def test_a_call_is_in_the_state_that_is_on_record(
    record: str, state: str, kind: str, verdict: str
) -> None:
    assert verdicts(truth("applied", record), answers(action("c1", state)), kind) == [verdict]


EFFECT = "effect:s:/project/part.py"


@pytest.mark.parametrize(
    ("cut", "items", "why", "expected"),
    [
        (True, [action(None, "uncertain", action=EFFECT)], "", {"unrecorded effects": "agreed"}),
        (True, [], "", {"unrecorded effects": "wrong"}),
        (True, [], "The response was cut off.", {"unrecorded effects": "unsure"}),
        (False, [], "", {"unrecorded, unknowable": "unsure"}),
    ],
)
def test_an_effect_without_a_record_is_announced_where_that_is_possible(
    cut: bool, items: list[dict[str, Any]], why: str, expected: dict[str, str]
) -> None:
    checks = list(compare(truth("applied", "none", cut=cut), answers(*items, why=why)))
    assert {c.kind: c.verdict for c in checks if c.kind.startswith("unrecorded")} == expected


def test_an_effect_that_a_recorded_call_had_is_not_named_again() -> None:
    item = action(None, "uncertain", action=EFFECT)
    said = answers(action("c1", "completed"), item)
    assert verdicts(truth("applied", "done"), said, "named effects") == ["wrong"]
    assert verdicts(truth("applied", "none", cut=True), answers(item), "named effects") == [
        "agreed"
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"shown": Shown("working", 1, 1)},
        {"shown": Shown("crashed", 0, 1)},
        {"shown": None},
        {"memory": {"current_goal": {"text": "something else"}}},
        {"check": [{"session": "s", "integrity": {"state": "damaged"}}]},
        {"check": []},
        {"recover": {"uncertain": [], "completed": ["c1"], "failed": []}},
        {"show": []},
        {"resume": {"command": ["agent"], "warnings": []}, "resumed": "it refused"},
        {"resume": {"command": [], "warnings": [], "refusal": ""}},
    ],
)
def test_each_of_the_other_answers_is_held_to_the_truth(wrong: dict[str, Any]) -> None:
    said = answers(action("c1", "uncertain", "not-applied"), **wrong)
    assert "wrong" in [check.verdict for check in compare(truth(), said)]


@pytest.mark.parametrize(
    "right",
    [
        {"resume": {"command": ["agent"], "warnings": []}, "resumed": ""},
        {"resume": {"command": ["agent"], "warnings": ["It cannot."]}, "resumed": "it refused"},
        {"resume": {"command": [], "refusal": "It cannot."}},
    ],
)
def test_a_resumption_works_or_was_warned_about(right: dict[str, Any]) -> None:
    said = answers(action("c1", "uncertain", "not-applied"), **right)
    assert verdicts(truth(), said, "resume") == ["agreed"]


def test_a_session_that_ended_by_itself_is_done() -> None:
    given = replace(truth("applied", "done"), was_killed=False)
    said = answers(action("c1", "completed"), status="done")
    assert {check.kind for check in compare(given, said)} == {"status", "counts"}
    assert Check("status", "wrong", "s is crashed: ") in list(
        compare(given, answers(action("c1", "completed")))
    )


@pytest.mark.parametrize(
    ("kind", "old", "new", "content", "effect"),
    [
        ("edit", "a", "b", "b", "applied"),
        ("edit", "a", "b", "a", "not-applied"),
        ("edit", "a", "b", "a b", "both"),
        ("edit", "a", "b", None, "neither"),
        ("write", "", "b", None, "not-applied"),
        ("write", "", "b", "b", "applied"),
        ("write", "", "b\nc", "b", "neither"),
        ("write", "a", "b", "a", "not-applied"),
        ("bash", "", "b", None, "not-applied"),
        ("bash", "", "b", "a\nb\n", "applied"),
    ],
)
def test_an_effect_is_read_from_the_file(
    kind: Any, old: str, new: str, content: str | None, effect: str
) -> None:
    assert effect_of(Operation(kind, "c1", PATH, old, new), content) == effect


def test_a_fact_joins_disk_and_record() -> None:
    main = Transcript("s", Path("s.jsonl"), {"c1": "open"}, False, False, False)
    before, after = {PATH: "old text"}, {PATH: "new text"}
    (fact,) = facts([EDIT], [main], before, after, lambda one: True)
    assert fact == Fact(EDIT, "applied", "open", "s", True, is_settled=False)
    (fact,) = facts([EDIT], [], after, after, lambda one: False)
    assert fact == Fact(EDIT, "applied", "none", "", False, is_settled=True)
