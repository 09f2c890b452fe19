"""Every action's state, in every dialect, and the two ways in which an open call could hide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.model.action import Action
from sessions_tui.storage.review.actions import actions_of
from sessions_tui.storage.transcript.transcript import Transcript

AT = 1_795_000_000_000
STATES = {"uncertain", "pending"}


def read(path: Path, data: bytes) -> Transcript:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    transcript = Transcript(path, path.stem.removeprefix("transcript-"))
    transcript.read()
    return transcript


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def product(kind: str, **more: Any) -> dict[str, Any]:
    return {"timestamp": AT, "type": kind, "sessionId": "s", "cwd": "/src", **more}


def call(call_id: str, tool: str = "Edit", **args: Any) -> dict[str, Any]:
    given = json.dumps(args or {"file_path": "a.py"})
    return product("function_call", callId=call_id, name=tool, arguments=given)


def result(call_id: str, status: str = "completed") -> dict[str, Any]:
    return product("function_call_result", callId=call_id, status=status, output="")


def thought() -> dict[str, Any]:
    return product("reasoning", rawContent=[{"type": "reasoning_text", "text": "hm"}])


def own(status: str, call_id: str, step: int = 1, tool: str = "Edit") -> dict[str, Any]:
    """A lifecycle record of MyCodeAgent's."""
    payload = {"tool_name": tool, "tool_call_id": call_id, "status": status}
    if status in ("requested", "started"):
        payload["args"] = {"path": "a.py"}  # type: ignore[assignment]
    return {
        "event_id": f"evt-{status}-{call_id}-{step}",
        "timestamp": "2026-11-20T10:00:00Z",
        "session_id": "s-1",
        "run_id": "run-1",
        "step": step,
        "event_type": "tool_lifecycle",
        "payload": payload,
        "schema_version": 1,
    }


def envelope(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


def states(actions: list[Action]) -> list[tuple[str | None, str]]:
    return [(action.call_id, action.state) for action in actions]


@pytest.mark.parametrize(
    ("records", "alive", "expected"),
    [
        ([call("a"), result("a")], False, [("a", "completed")]),
        ([call("a"), result("a", "failed")], False, [("a", "failed")]),
        ([call("a")], False, [("a", "uncertain")]),
        ([call("a")], True, [("a", "running")]),
        ([call("a"), call("b")], True, [("b", "running"), ("a", "running")]),
        # The session went on without the first: nobody brings its result any more.
        ([call("a"), thought(), call("b")], True, [("b", "running"), ("a", "uncertain")]),
        (
            [call("a"), thought(), call("b"), result("b")],
            True,
            [("b", "completed"), ("a", "uncertain")],
        ),
        # One id in two responses: the result belongs to the later call.
        (
            [call("a"), thought(), call("a"), result("a")],
            False,
            [("a", "completed"), ("a", "uncertain")],
        ),
        # The answer to a question is its person's to give, whoever is alive.
        ([call("a", "AskUserQuestion")], False, [("a", "running")]),
    ],
)
def test_product_states(
    tmp_path: Path, records: list[dict[str, Any]], alive: bool, expected: list[tuple[str, str]]
) -> None:
    transcript = read(tmp_path / "s.jsonl", lines(*records))
    found = states(list(actions_of(transcript, alive, all=True)))
    assert found == expected
    opened = [state for state in found if state[1] in STATES]
    assert states(list(actions_of(transcript, alive))) == opened


@pytest.mark.parametrize(
    ("records", "alive", "expected"),
    [
        ([own("requested", "c")], False, [("evt-requested-c-1", "pending")]),
        ([own("requested", "c")], True, [("evt-requested-c-1", "pending")]),
        ([own("requested", "c"), own("started", "c")], False, [("evt-started-c-1", "uncertain")]),
        ([own("requested", "c"), own("started", "c")], True, [("evt-started-c-1", "running")]),
        (
            [own("requested", "c"), own("started", "c"), own("completed", "c")],
            False,
            [("evt-started-c-1", "completed")],
        ),
        ([own("requested", "c"), own("failed", "c")], False, [("evt-requested-c-1", "failed")]),
        # One id in two steps of a run: the loader sees one call, completed.
        (
            [
                *(own(status, "c", 1) for status in ("requested", "started")),
                *(own(status, "c", 2) for status in ("requested", "started", "completed")),
            ],
            False,
            [("evt-started-c-2", "completed"), ("evt-started-c-1", "uncertain")],
        ),
    ],
)
def test_mycodeagent_states(
    tmp_path: Path, records: list[dict[str, Any]], alive: bool, expected: list[tuple[str, str]]
) -> None:
    path = tmp_path / "memory" / "transcripts" / "transcript-s-1.jsonl"
    actions = list(actions_of(read(path, lines(*records)), alive, all=True))
    assert [(action.action, action.state) for action in actions] == expected
    assert {action.session for action in actions} == {"s-1"}
    assert {action.path for action in actions} == {str(tmp_path / "a.py")}
    assert {action.run_id for action in actions} == {"run-1"}


def test_envelope_states(tmp_path: Path) -> None:
    records = [
        envelope("function_call", name="Bash", arguments={"command": "ls"}, callId="a"),
        envelope("function_call", name="Write", arguments={"file_path": "/x"}, callId="b"),
        envelope("function_call_result", callId="a", output={"content": "no", "is_error": True}),
    ]
    actions = list(actions_of(read(tmp_path / "s.jsonl", lines(*records)), False, all=True))
    assert states(actions) == [("b", "uncertain"), ("a", "failed")]
    assert [action.action for action in actions] == ["transcript:s:2", "transcript:s:1"]
    assert [action.path for action in actions] == ["/x", None]


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        (call("b"), [("b", "uncertain"), ("a", "uncertain")]),
        (result("a"), []),
        (thought(), [("a", "uncertain")]),
    ],
)
def test_an_unterminated_record_counts(
    tmp_path: Path, tail: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    data = lines(call("a"), tail).removesuffix(b"\n")
    transcript = read(tmp_path / "s.jsonl", data)
    assert states(list(actions_of(transcript, False))) == expected
    assert transcript.folds.pairing.open.keys() == {"a"}


def test_an_unterminated_start_names_its_action(tmp_path: Path) -> None:
    data = lines(own("requested", "c"), own("started", "c")).removesuffix(b"\n")
    (action,) = actions_of(read(tmp_path / "s.jsonl", data), False)
    assert (action.action, action.state) == ("evt-started-c-1", "uncertain")


def test_a_start_that_tells_nothing_is_told_by_its_request(tmp_path: Path) -> None:
    started = own("started", "c")
    started["payload"] = {"tool_call_id": "c", "status": "started"}
    transcript = read(tmp_path / "s.jsonl", lines(own("requested", "c"), started))
    (action,) = actions_of(transcript, False)
    assert (action.action, action.state) == ("evt-started-c-1", "uncertain")
    assert (action.tool, action.args) == ("Edit", {"path": "a.py"})


@pytest.mark.parametrize(
    ("tool", "product_replay", "own_replay", "side_effects"),
    [
        ("Edit", False, False, "yes"),
        ("Bash", False, False, "yes"),
        ("Task", False, False, "yes"),
        ("Write", False, True, "yes"),
        ("PowerShell", False, True, "yes"),
        ("Read", True, True, "no"),
        ("Grep", True, True, "no"),
        ("edit", False, True, "unknown"),
        ("mcp__db__query", False, True, "unknown"),
        ("TodoWrite", False, True, "unknown"),
    ],
)
def test_what_may_be_done_again(
    tmp_path: Path, tool: str, product_replay: bool, own_replay: bool, side_effects: str
) -> None:
    one = read(tmp_path / "s.jsonl", lines(call("a", tool)))
    other = read(tmp_path / "t.jsonl", lines(own("started", "c", tool=tool)))
    found = [*actions_of(one, False), *actions_of(other, False)]
    assert [action.replay_allowed for action in found] == [product_replay, own_replay]
    assert [action.side_effects for action in found] == [side_effects, side_effects]


@pytest.mark.parametrize(
    ("args", "cwd", "expected"),
    [
        ({"file_path": "a.py"}, "/src", "/src/a.py"),
        ({"file_path": "/etc/hosts"}, "/src", "/etc/hosts"),
        ({"notebook_path": "n.ipynb"}, "/src", "/src/n.ipynb"),
        ({"path": "./lib", "pattern": "*"}, "/src", "/src/lib"),
        ({"file_path": "C:\\work\\a.py"}, "c:\\work", "C:\\work\\a.py"),
        ({"file_path": "lib\\a.py"}, "c:\\work", "c:\\work\\lib\\a.py"),
        ({"file_path": "a.py"}, "", None),
        ({"file_path": 5}, "/src", None),
        ({"command": "ls"}, "/src", None),
    ],
)
def test_the_file_concerned(
    tmp_path: Path, args: dict[str, Any], cwd: str, expected: str | None
) -> None:
    record = call("a", "Edit", **args) | {"cwd": cwd}
    (action,) = actions_of(read(tmp_path / "s.jsonl", lines(record)), False)
    assert action.path == expected


def test_open_actions_cost_their_own_records_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [record for n in range(200) for record in (call(f"c{n}"), result(f"c{n}"))]
    transcript = read(tmp_path / "s.jsonl", lines(*pairs, call("last")))
    read_at, seen = Transcript._read_at, []

    def counted(self: Transcript, fd: int, index: int) -> Any:
        seen.append(index)
        return read_at(self, fd, index)

    monkeypatch.setattr(Transcript, "_read_at", counted)
    assert states(list(actions_of(transcript, False))) == [("last", "uncertain")]
    assert seen == [400]
