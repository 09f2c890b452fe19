"""Responses that are not whole on record, and the files that no call on record changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sessions_tui.storage.folds.facts import Facts
from sessions_tui.storage.library.status import Signs, State, derive
from sessions_tui.storage.transcript.transcript import Transcript
from tests.storage.laid import laid_out
from tests.storage.responding import BEGAN, Responding

SECOND, DAY = 1_000, 24 * 3_600_000


def lost(facts: Facts) -> list[str]:
    return [Path(file.path).name for file in facts.responses.lost_files]


def standing(facts: Facts, now: int = BEGAN + 3_600_000, **known: object) -> State:
    evidence = {"has_registry": True, "session": "s1", **known}
    return derive(facts, Signs(now, **evidence))  # type: ignore[arg-type]


def whole_turn(agent: Responding) -> None:
    """A turn with a call, to its end."""
    agent.prompt("Look at it")
    agent.begin()
    call = agent.call("Read", last=True, file_path=str(agent.project / "a.py"))
    agent.result(call, "Read")
    agent.begin()
    agent.text("It is fine.", last=True)


def beginning(agent: Responding) -> None:
    """A prompt whose files are there."""
    for name in ("a.py", "b.py"):
        agent.file(name, "old\n", BEGAN - SECOND)
    agent.prompt()


def text_alone(agent: Responding) -> None:
    agent.begin()
    agent.text()


def thought_alone(agent: Responding) -> None:
    agent.begin()
    agent.think()


def call_alone(agent: Responding) -> None:
    agent.begin()
    agent.text()
    agent.edit("a.py")


def call_with_its_snapshot(agent: Responding) -> None:
    call_alone(agent)
    agent.track("a.py")


def snapshot_of_another(agent: Responding) -> None:
    call_alone(agent)
    agent.track("a.py", "b.py")


def snapshot_before_the_records(agent: Responding) -> None:
    agent.begin()
    agent.track("a.py", "b.py")
    agent.text()
    agent.edit("a.py")


def result_of_a_first_call(agent: Responding) -> None:
    agent.begin()
    call = agent.edit("a.py")
    agent.track("a.py", "b.py")
    agent.result(call)


def edited_by_the_response_before(agent: Responding) -> None:
    agent.begin()
    calls = [agent.edit("a.py"), agent.edit("b.py", last=True)]
    agent.track("a.py", "b.py")
    for call in calls:
        agent.result(call)
    agent.begin()
    agent.text()


def edited_again(agent: Responding) -> None:
    edited_by_the_response_before(agent)
    agent.track("b.py")


def named_late_for_the_response_before(agent: Responding) -> None:
    agent.begin()
    calls = [agent.edit("a.py"), agent.edit("b.py", last=True)]
    agent.track("a.py")
    for call in calls:
        agent.result(call)
    agent.track("b.py")
    agent.begin()
    agent.text()


def new_file(agent: Responding) -> None:
    agent.begin()
    agent.text()
    agent.track(new__py=None)


def whole(agent: Responding) -> None:
    agent.begin()
    agent.text()
    agent.edit("a.py", last=True)
    agent.track("a.py", "b.py")


def stopped(agent: Responding) -> None:
    text_alone(agent)
    agent.stop()


def deferred(agent: Responding) -> None:
    agent.begin()
    params = {"notebook_path": str(agent.project / "b.py")}
    agent.call("DeferExecuteTool", toolName="NotebookEdit", params=params)
    agent.track("b.py")


def no_response_on_record(agent: Responding) -> None:
    agent.begin()
    call = agent.call("Read", last=True, file_path=str(agent.project / "a.py"))
    agent.result(call, "Read")
    agent.track("b.py")


@pytest.mark.parametrize(
    ("die", "is_cut", "files"),
    [
        (text_alone, True, []),
        (thought_alone, True, []),
        (call_alone, True, []),
        (call_with_its_snapshot, True, []),
        (snapshot_of_another, True, ["b.py"]),
        (snapshot_before_the_records, True, ["b.py"]),
        (result_of_a_first_call, True, ["b.py"]),
        (edited_by_the_response_before, True, []),
        (edited_again, True, ["b.py"]),
        (named_late_for_the_response_before, True, []),
        (new_file, True, ["new.py"]),
        (whole, False, []),
        (stopped, False, []),
        (deferred, True, []),
        (no_response_on_record, True, ["b.py"]),
    ],
)
@pytest.mark.parametrize("before", [lambda agent: None, whole_turn])
def test_what_is_missing(
    tmp_path: Path,
    die: Callable[[Responding], None],
    before: Callable[[Responding], None],
    is_cut: bool,
    files: list[str],
) -> None:
    agent = Responding(tmp_path)
    before(agent)
    beginning(agent)
    die(agent)
    facts = agent.read().facts
    assert (bool(facts.responses.cut), lost(facts)) == (is_cut, files)
    found = standing(facts)
    if is_cut:
        assert found.status == "crashed"
        assert (
            "; the response was cut off while it was written; its calls may have run" in found.why
        )
    assert standing(facts, process=None, has_registry=False, now=agent.at + SECOND).status != "done"


def test_a_response_of_which_an_end_is_on_record_was_not_cut_off(tmp_path: Path) -> None:
    agent = Responding(tmp_path)
    whole_turn(agent)
    found = standing(agent.read().facts)
    assert (found.status, found.uncertain) == ("done", 0)
    assert "cut off" not in found.why


def test_after_the_next_prompt_a_turn_begins_anew(tmp_path: Path) -> None:
    agent = Responding(tmp_path)
    beginning(agent)
    snapshot_of_another(agent)
    whole_turn(agent)
    facts = agent.read().facts
    assert (facts.responses.cut, lost(facts), standing(facts).status) == (None, [], "done")


@pytest.mark.parametrize("turns", [1, 2])
def test_other_writers_that_tell_no_end_cut_nothing_off(tmp_path: Path, turns: int) -> None:
    agent = Responding(tmp_path)
    agent.extra = {}
    for _ in range(turns):
        agent.prompt()
        agent.begin()
        agent.text()
    facts = agent.read().facts
    assert facts.responses.cut is None
    assert standing(facts).status == "done"


def test_one_that_went_on_without_an_end_before_tells_nothing(tmp_path: Path) -> None:
    agent = Responding(tmp_path)
    for _ in range(2):
        agent.prompt()
        agent.begin()
        agent.text()
    facts = agent.read().facts
    assert (facts.responses.cut, standing(facts).status) == (None, "done")


def test_another_form_tells_nothing_though_ends_are_on_record(tmp_path: Path) -> None:
    """As where a program adds a last answer of its own to what the agent wrote."""
    agent = Responding(tmp_path)
    agent.extra = {}
    whole_turn(agent)
    agent.prompt()
    text_alone(agent)
    facts = agent.read().facts
    assert (facts.responses.cut, standing(facts).status) == (None, "done")


def test_lost_files_need_their_user_while_they_are_recent_and_without_a_verdict(
    tmp_path: Path,
) -> None:
    agent = Responding(tmp_path)
    beginning(agent)
    snapshot_of_another(agent)
    call = standing(facts := agent.read().facts)
    assert (call.needs_you, call.uncertain) == (True, 2)
    assert "1 call without a result; 1 file possibly changed by a call without a record" in call.why
    calls = {one.event_id for calls in facts.open_calls.values() for one in calls}
    rest = standing(facts, decided=calls)
    assert (rest.needs_you, rest.uncertain) == (True, 1)
    ids = {f"effect:s1:{agent.project / 'b.py'}"}
    assert standing(facts, decided=calls | ids).needs_you is False
    old = standing(facts, now=BEGAN + 8 * DAY)
    assert (old.needs_you, old.uncertain) == (False, 2)


def test_a_living_session_has_lost_nothing(tmp_path: Path) -> None:
    agent = Responding(tmp_path)
    beginning(agent)
    snapshot_of_another(agent)
    now = standing(agent.read().facts, now=agent.at + SECOND, has_registry=False)
    assert (now.status, now.uncertain, now.needs_you) == ("working", 0, False)
    assert "cut off" not in now.why


def test_a_tail_knows_only_what_it_saw(tmp_path: Path) -> None:
    agent = Responding(tmp_path)
    beginning(agent)
    agent.begin()
    for name in ("a.py", "b.py"):
        call = agent.edit(name, last=True)
        agent.track(name)
        agent.result(call)
        agent.begin()
    start = agent.transcript.stat().st_size
    agent.text()
    agent.track("a.py")
    transcript = Transcript(agent.transcript, "s1", start)
    transcript.read()
    assert transcript.facts.responses.cut
    assert lost(transcript.facts) == []  # the first snapshot in sight may name older changes


@pytest.mark.parametrize("die", [snapshot_of_another, new_file, edited_again, text_alone])
def test_it_goes_on_from_where_it_was_stored(
    tmp_path: Path, die: Callable[[Responding], None]
) -> None:
    agent = Responding(tmp_path)
    whole_turn(agent)
    beginning(agent)
    die(agent)
    wanted = agent.read().facts
    for kept in range(wanted.records):
        resumed = Facts()
        for index, event in enumerate(agent.read().events()):
            if index == kept:
                resumed = Facts.from_json(json.loads(json.dumps(resumed.as_json())))
            resumed.add(event)
        assert resumed.responses == wanted.responses


def test_a_copy_is_not_changed_by_what_comes_later(tmp_path: Path) -> None:
    agent = Responding(tmp_path)
    beginning(agent)
    snapshot_of_another(agent)
    facts = agent.read().facts
    copy = facts.copy()
    agent.edit("b.py")
    for event in list(agent.read().events())[facts.records :]:
        facts.add(event)
    assert (lost(copy), lost(facts)) == (["b.py"], [])


@pytest.mark.parametrize(
    ("case", "files", "uncertain"),
    [
        ("cb02-text-without-usage", ["util.py"], 1),
        ("cb03-calls-without-record", ["two.py", "three.py"], 3),
    ],
)
def test_as_the_real_program_leaves_it(
    tmp_path: Path, case: str, files: list[str], uncertain: int
) -> None:
    home = laid_out(case, tmp_path)
    path = next((home / "projects").rglob("*.jsonl"))
    transcript = Transcript(path, path.stem)
    transcript.read()
    assert lost(transcript.facts) == files
    found = standing(transcript.facts, now=1_790_000_100_000)
    assert (found.status, found.uncertain, found.needs_you) == ("crashed", uncertain, True)
