"""`sessions show`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.app.output.lines import UNSAID
from sessions_tui.storage.model.event import KINDS
from sessions_tui.storage.transcript.transcript import Transcript
from sessions_tui.widgets.words.kinds import LABELS

from ..conftest import alone

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"
PATHS = sorted(CASES.glob("**/*.jsonl"))
EDITS = CASES / "product" / "01-ordinary-edits.jsonl"
KILLED = next(CASES.glob("mycodeagent-runs/c_kill_bash/memory/transcripts/*.jsonl"))
EDITED = next(CASES.glob("mycodeagent-runs/c_kill_edit_tmp/memory/transcripts/*.jsonl"))
RESENT = next(CASES.glob("product-store/projects/*/2a028bbf-*.jsonl"))
NONE = type(None)
EVENT: dict[str, Any] = {
    "event_id": (str, NONE),
    "number": int,
    "offset": int,
    "bytes": int,
    "at": (str, NONE),
    "kind": str,
    "role": (str, NONE),
    "text": str,
    "tool": (str, NONE),
    "args": object,
    "call_id": (str, NONE),
    "action": (str, NONE),
    "state": (str, NONE),
    "model": (str, NONE),
    "branch": str,
    "inherited": bool,
}


def with_a_line(path: Path, total: int) -> list[int]:
    """Numbers of the records that speak for themselves."""
    transcript = Transcript(path, path.stem)
    transcript.read()
    unsaid = [number for number, code in enumerate(transcript.positions.kinds, 1) if code in UNSAID]
    return sorted({*range(1, total + 1)}.difference(unsaid))


def numbers(out: str) -> list[int]:
    return [int(line.split()[0]) for line in out.splitlines()]


@pytest.mark.parametrize("case", PATHS, ids=lambda path: str(path.relative_to(CASES)))
def test_every_case_can_be_shown(sessions: Sessions, tmp_path: Path, case: Path) -> None:
    path = alone(case, tmp_path)
    events = sessions("show", path, "--json").objects
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    for event in events:
        assert all(isinstance(event[name], kind) for name, kind in EVENT.items())
        assert event["kind"] in KINDS
        assert (event["event_id"] is None) == (event["kind"] == "damaged")
        assert (event["state"] is not None) == (event["kind"] == "call")
    ran = sessions("show", path)
    assert ran.code == 0
    assert numbers(ran.out) == with_a_line(path, len(events))
    assert numbers(sessions("show", path, "--last", 3).out) == numbers(ran.out)[-3:]
    assert sessions("show", path, "--json", "--last", 2).objects == events[-2:]
    for event in events[-1:]:
        kind = event["kind"]
        expected = [one for one in events if one["kind"] == kind]
        assert sessions("show", path, "--json", "--kind", kind).objects == expected
        words = ("--json", "--kind", kind, "--last", 1)
        assert sessions("show", path, *words).objects == [event]
        if event["event_id"]:
            shown = sessions("show", path, "--json", "--event", event["event_id"]).objects
            assert event in shown


@pytest.mark.parametrize("path", [EDITS, KILLED, RESENT], ids=lambda path: path.stem)
def test_the_last_none(sessions: Sessions, path: Path) -> None:
    ran = sessions("show", path, "--last", 0)
    assert (ran.code, ran.out) == (0, "")


def test_one_event_is_shown_whole(sessions: Sessions) -> None:
    prompt, *_ = sessions("show", EDITS, "--json", "--kind", "prompt").objects
    first, *text = sessions("show", EDITS, "--event", prompt["event_id"]).out.splitlines()
    assert " you " in first
    assert text == prompt["text"].splitlines()


def whole(sessions: Sessions, path: Path, number: int) -> list[str]:
    """What is printed of one event, below its line."""
    event_id = sessions("show", path, "--json").objects[number - 1]["event_id"]
    lines: list[str] = sessions("show", path, "--event", event_id).out.splitlines()
    assert lines[0].split()[0] == str(number)
    return lines[1:]


def test_a_call_is_shown_with_arguments_and_result(sessions: Sessions) -> None:
    lines = whole(sessions, EDITS, 8)
    assert lines[:5] == [
        "{",
        '  "file_path": "/Users/lin/code/inventory-api/app/stock.py"',
        "}",
        "result",
        "   1→def reserve(db, sku, n):",
    ]
    assert "return False" in lines[-2]


def test_an_edit_is_shown_as_old_and_new_lines(sessions: Sessions) -> None:
    lines = whole(sessions, EDITS, 11)
    assert lines[0].endswith("app/stock.py")
    assert lines[1] == "-     row = db.get(sku)"
    assert lines[6] == "+     n_rows = db.execute("
    assert lines[-2:] == [
        "result",
        "Successfully edited file: /Users/lin/code/inventory-api/app/stock.py",
    ]


@pytest.mark.parametrize("number", [12, 13])
def test_both_records_of_an_interrupted_call_show_it(sessions: Sessions, number: int) -> None:
    lines = whole(sessions, EDITED, number)
    assert lines == ["auth.py", "- 'secret'", "+ os.environ['SECRET']", "no result"]


def test_the_start_of_a_call_shows_its_result(sessions: Sessions) -> None:
    assert whole(sessions, EDITED, 6) == whole(sessions, EDITED, 5)
    assert "result" in whole(sessions, EDITED, 6)


def test_a_call_whose_line_has_no_end(sessions: Sessions, tmp_path: Path) -> None:
    path = tmp_path / EDITS.name
    path.write_bytes(b"".join(EDITS.read_bytes().splitlines(keepends=True)[:11]).rstrip())
    assert whole(sessions, path, 11)[-1] == "no result"


def test_lines_say_what_the_screen_says(sessions: Sessions) -> None:
    events = {event["number"]: event for event in sessions("show", EDITED, "--json").objects}
    lines = sessions("show", EDITED).out.splitlines()
    for line in lines:
        number, _, _, _, label, *_ = line.split()
        event = events[int(number)]
        assert label == (event["tool"] if event["kind"] == "call" else LABELS[event["kind"]])
    calls = [line for line in lines if line.split()[4] in ("Read", "Edit")]
    assert len(calls) == 2
    assert not [line for line in lines if line.endswith(" answer")]


def test_a_kind_may_be_named_as_its_line_names_it(sessions: Sessions) -> None:
    for kind, label in LABELS.items():
        words = ("show", EDITS, "--json", "--kind")
        assert sessions(*words, label).objects == sessions(*words, kind).objects


def test_damaged_lines_are_shown_in_their_place(sessions: Sessions) -> None:
    ran = sessions("show", CASES / "product" / "10a-third-party-rewrite.jsonl", "--json")
    damaged = [event["number"] for event in ran.objects if event["kind"] == "damaged"]
    assert damaged
    assert "damaged" in ran.err


def test_the_actions_of_a_killed_run(sessions: Sessions) -> None:
    events = sessions("show", KILLED, "--json").objects
    calls = [(event["tool"], event["state"]) for event in events if event["kind"] == "call"]
    assert calls == [("Bash", "uncertain"), ("Bash", "uncertain")]


def test_the_branch_that_was_left(sessions: Sessions) -> None:
    events = sessions("show", RESENT, "--json").objects
    assert [event["number"] for event in events if event["branch"] == "abandoned"] == [7, 9]
