"""`sessions actions`: of one session and of all, newest first."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.app.commands.actions_ import newest_first
from sessions_tui.app.output.action_lines import action_lines
from sessions_tui.app.output.progress import Reporter
from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.action import Action
from sessions_tui.storage.model.case import Case
from sessions_tui.storage.model.event import Event
from sessions_tui.storage.transcript.transcript import Transcript

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"
STORE = CASES / "product-store"
FIELDS = {
    *("action", "session", "call_id", "tool", "state", "replay_allowed", "side_effects"),
    *("run_id", "step", "at", "path", "args", "evidence", "verdict", "note", "decided_at"),
    "found",
}


def unchecked(actions: list[Any]) -> list[Any]:
    """The actions without the moment at which the disk was looked at."""
    for action in actions:
        if action["evidence"]:
            assert action["evidence"].pop("checked_at").endswith("Z")
    return actions


def test_all_sessions_open_actions_newest_first(sessions: Sessions) -> None:
    ran = sessions("actions", "--root", STORE, "--json")
    assert ran.code == 0
    assert [(action["tool"], action["state"]) for action in ran.document] == [
        ("Bash", "uncertain"),
        ("Edit", "uncertain"),
    ]
    times = [action["at"] for action in ran.document]
    assert times == sorted(times, reverse=True)
    assert ran.document[0].keys() == FIELDS


def test_they_are_those_that_the_list_counts(sessions: Sessions) -> None:
    listed = sessions("list", "--root", STORE, "--children", "--all", "--json").document
    for session in listed["sessions"]:
        found = sessions("actions", session["path"], "--root", STORE, "--json").document
        assert len(found) == session["uncertain"], session["session"]


def test_all_reads_on(sessions: Sessions) -> None:
    found = unchecked(sessions("actions", "--all", "--root", STORE, "--json").document)
    assert {action["state"] for action in found} >= {"completed", "failed", "running", "uncertain"}
    one = [action for action in found if action["session"].startswith("eb5676a9")]
    again = sessions("actions", "eb5676a9", "--all", "--root", STORE, "--json")
    assert one == unchecked(again.document)
    assert [action["tool"] for action in one] == ["Edit", "Edit", "Bash"]


def test_sessions_without_open_calls_are_left_alone(
    sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--root", STORE, "--cache-dir", tmp_path / "cache", "--json")
    first = sessions("actions", *options)
    load, loaded = Library.transcript, []

    def counted(self: Library, path: Path) -> Transcript:
        loaded.append(path.stem.partition("-")[0])
        return load(self, path)

    monkeypatch.setattr(Library, "transcript", counted)
    again = sessions("actions", *options).document
    assert unchecked(again) == unchecked(first.document)
    assert set(loaded) == {"eb5676a9", "f17d8ec0", "72d24a20"}


def test_lines_name_tool_file_and_id(sessions: Sessions) -> None:
    out = sessions("actions", "eb5676a9", "--root", STORE).out
    line, evidence = out.rstrip("\n").split("\n")
    assert "unknown: The directory in which the agent ran is not on this machine" in evidence
    assert line.startswith("⚠ uncertain")
    for words in ("Edit", "/home/mei/src/parser/src/parse.py", "transcript:eb5676a9"):
        assert words in line


def test_nothing_open_is_done(sessions: Sessions) -> None:
    ran = sessions("actions", "49aa3903", "--root", STORE, "--json")
    assert (ran.code, ran.document) == (0, [])


def test_broken_evidence_is_said(sessions: Sessions) -> None:
    path = CASES / "envelope" / "045_bad_middle_line.jsonl"
    ran = sessions("actions", path, "--root", path, "--json")
    assert (ran.code, ran.document) == (0, [])
    assert "corrupt" in ran.err


def test_an_unknown_session_is_wrong_usage(sessions: Sessions) -> None:
    assert sessions("actions", "nobody", "--root", STORE).code == 2


def test_nothing_is_hidden_in_the_note_for_an_agent(sessions: Sessions, tmp_path: Path) -> None:
    hidden = "a\U000e0049\u200b\ufeff\u00ad\ufe0f\u202eb" + "\u0e49" * 50
    records = [
        {
            "id": f"{name}-1",
            "timestamp": 1796000000000,
            "type": "function_call",
            "name": f"{name}{hidden}" if name == "Other" else name,
            "callId": f"{name}-c",
            "arguments": json.dumps({"file_path": f"/tmp/{hidden}.py", "command": hidden}),
            "sessionId": "s",
            "cwd": "/tmp",
        }
        for name in ("Edit", "Bash", "Other")
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    note = sessions("actions", path, "--for-agent")
    assert note.code == 0
    assert len(note.out.splitlines()) == 3
    assert not {*"\U000e0049\u200b\ufeff\u00ad\ufe0f\u202e"} & set(note.out)
    assert "\u0e49" * 5 not in note.out
    assert "a�b" in note.out


def case(at: int | None, name: str = "s") -> Case:
    action = Action(
        AGENTS["product"],
        name,
        "s",
        "c",
        "Edit",
        "uncertain",
        False,
        "yes",
        None,
        None,
        at,
        None,
        {},
    )
    return Case(action, Path(name), "", "")


def test_sources_are_asked_when_their_time_has_come() -> None:
    asked: list[str] = []

    def source(name: str, *times: int | None) -> Iterator[Case]:
        for at in times:
            asked.append(f"{name}{at}")
            yield case(at, name)

    merged = newest_first(
        [(9, source("a", 9, 4)), (7, source("b", 6)), (3, source("c", 3, None)), (5, source("d"))]
    )
    assert next(merged).action.at == 9
    assert asked == ["a9"]
    assert next(merged).action.at == 6
    assert asked == ["a9", "a4", "b6"]
    assert [one.action.at for one in merged] == [4, 3, None]


@given(st.lists(st.lists(st.integers(0, 50), max_size=6), max_size=90))
def test_any_sources_are_one_list(times: list[list[int]]) -> None:
    sources = [sorted(one, reverse=True) for one in times]
    merged = newest_first((max(one, default=0), map(case, one)) for one in sources)
    assert [one.action.at for one in merged] == sorted(chain(*times), reverse=True)


class Clock:
    """A clock that is asked, and goes on by a tenth of a second each time."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.1
        return self.now


def test_progress_is_reported_after_a_second_and_then_less_often(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reporter = Reporter(Clock())
    assert len(list(reporter.counted(range(5), str))) == 5
    assert capsys.readouterr().err == ""
    assert len(list(reporter.counted(range(100), str))) == 100
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "sessions: 7"
    assert 3 <= len(lines) <= 5


def test_the_first_action_is_printed_before_the_last_is_read(
    sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    call = {"type": "function_call", "name": "Edit", "sessionId": "s", "cwd": "/tmp"}
    with path.open("w") as file:
        for number in range(300):
            args = json.dumps({"file_path": f"/tmp/none/{number}", "old_string": "a"})
            record = {"id": f"i{number}", "timestamp": 1796000000000 + number, "arguments": args}
            file.write(json.dumps(record | call | {"callId": f"c{number}"}) + "\n")
    read: list[int] = []
    printed: list[int] = []
    read_at = Transcript._read_at

    def counted(self: Transcript, fd: int, index: int) -> Event:
        read.append(index)
        return read_at(self, fd, index)

    def shown(action: Action, width: int) -> Iterator[str]:
        printed.append(len(read))
        return action_lines(action, width)

    monkeypatch.setattr(Transcript, "_read_at", counted)
    monkeypatch.setattr("sessions_tui.app.commands.actions_.action_lines", shown)
    assert sessions("actions", "--root", path).code == 0
    assert len(printed) == 300
    assert printed[0] < 10
    assert printed[-1] <= 4 * 300
