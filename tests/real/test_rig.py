"""The rig's parts without any agent: scripts, model, screen, plain readers, table."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.real import codebuddy, mycodeagent
from tests.real.__main__ import _options, _shares
from tests.real.agents import AGENTS
from tests.real.comparison import Check, Shown
from tests.real.model import Model
from tests.real.program import Program
from tests.real.report import Tally, table
from tests.real.scenarios import SCENARIOS, script_of
from tests.real.screen import read
from tests.real.script import Operation, Turn

PROJECT = Path("/project")


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_seed_gives_the_same_session_every_time(name: str, tmp_path: Path) -> None:
    first, again = (script_of(SCENARIOS[name], 1, 5, tmp_path) for _ in range(2))
    assert first == again
    assert first != script_of(SCENARIOS[name], 2, 5, tmp_path)


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("number", range(8))
def test_each_operation_can_be_told_from_all_others(name: str, number: int, tmp_path: Path) -> None:
    script = script_of(SCENARIOS[name], 1, number, tmp_path)
    operations = list(script.operations())
    assert len({one.call for one in operations}) == len(operations)
    written = [one.new for one in operations if one.changes]
    assert len(set(written)) == len(written)
    assert not any(a in b for a in written for b in written if a != b)
    assert script.moment
    assert len(script.conversations[script.moment.conversation]) > script.moment.turn
    script.prepare()
    for one in operations:
        if one.kind == "edit" and one.path and "later" not in one.new:
            assert one.path.read_text(encoding="utf-8").count(one.old) == 1


@pytest.fixture
def model() -> Iterator[Model]:
    with closing(Model()) as one:
        yield one


def ask(model: Model, prompt: str, **more: Any) -> str:
    messages = [{"role": "user", "content": [{"type": "text", "text": prompt}]}]
    body = {"messages": messages, "tools": [{}], **more}
    address = f"{model.url}/chat/completions"
    request = urllib.request.Request(address, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def translate(one: Operation) -> tuple[str, dict[str, Any]]:
    return "Read", {"path": str(one.path)}


TURNS = (Turn("Looking.", (Operation("read", "c1", Path("a.py")),)), Turn("The end."))


def test_the_model_follows_its_script(model: Model) -> None:
    model.script({"one-1": TURNS}, translate)
    message = json.loads(ask(model, "[task one-1] Do it."))["choices"][0]["message"]
    assert message["content"] == "Looking."
    assert [call["id"] for call in message["tool_calls"]] == ["c1"]
    assert json.loads(message["tool_calls"][0]["function"]["arguments"]) == {"path": "a.py"}
    assert model.wait("one-1", 0, "sent", lambda: True)
    assert model.sent("one-1") == 1
    assert "The end." in ask(model, "[task one-1] Do it.")
    assert "Nothing more" in ask(model, "[task one-1] Do it.")
    assert "Nothing more" in ask(model, "[task other] Do it.")
    assert model.wait("one-1", 1, "sent", lambda: True)
    assert model.wait("one-1", 9, "sent", lambda: False) is None


def test_the_model_streams_the_same(model: Model) -> None:
    model.script({"one-1": TURNS}, translate)
    lines = ask(model, "[task one-1] Do it.", stream=True).split("\n\n")
    chunks = [
        json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")
    ]
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    assert "".join(delta.get("content") or "" for delta in deltas) == "Looking."
    pieces = [part["function"]["arguments"] for d in deltas for part in d.get("tool_calls", [])]
    assert json.loads("".join(pieces)) == {"path": "a.py"}
    assert chunks[-1]["usage"]["prompt_tokens"]
    assert lines[-2] == "data: [DONE]"


FRAME = """\
 sessions                        2 sessions · 1 needs you
 NEEDS YOU                  1 ▕ [task one-1] Do it.              10 events
▌[task one-1] Do it.       ⚠2 ▕ ✗ crashed — The turn is not finished.
▌one-1 · scripted · 1 min     ▕──────────────────────────────────────────
 [task two-1] Do it.       ⚠7 ▕ 21:35:17 Read   part3.py  ⚠ no result
                              ▕ Event   Memory   Review ⚠2   Candidates
"""


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (("", ""), Shown("crashed", 2, 2)),
        (("✗ crashed — ", "● working: Bash pytest, 4 s — "), Shown("working", 2, 2)),
        (("Review ⚠2", "Review"), Shown("crashed", 2, 0)),
        (("Do it.       ⚠2", "Do it.        ●"), Shown("crashed", 0, 2)),
        (("[task one-1] Do it.              10", "[task two-1] Do it.              10"), None),
        (("✗ crashed — The turn is not finished.", ""), None),
    ],
)
def test_the_screen_is_read(change: tuple[str, str], shown: Shown | None) -> None:
    assert read(FRAME.replace(*change).split("\n"), "[task one-1]") == shown
    assert read([""], "[task one-1]") is None


def message(text: str, role: str = "assistant", **data: Any) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"text": text}], "providerData": data}


def call(name: str, **data: Any) -> dict[str, Any]:
    return {"type": "function_call", "callId": name, "name": "Edit", "providerData": data}


RESULT = {"type": "function_call_result", "callId": "c1", "status": "completed"}
USED: dict[str, Any] = {"usage": {"inputTokens": 1}}
SNAPSHOT: dict[str, Any] = {
    "type": "file-history-snapshot",
    "cwd": "/project",
    "snapshot": {"trackedFileBackups": {"a.py": {}}},
}


@pytest.mark.parametrize(
    ("records", "calls", "finished", "cut"),
    [
        ([message("Do", "user")], {}, False, False),
        ([message("Do", "user"), message("I will.")], {}, False, True),
        ([message("Do", "user"), message("Done.", **USED)], {}, True, False),
        ([message("Now."), call("c1", **USED), SNAPSHOT], {"c1": "open"}, False, False),
        ([message("Now."), call("c1"), SNAPSHOT], {"c1": "open"}, False, True),
        ([call("c1", **USED), RESULT], {"c1": "done"}, False, False),
        ([call("c1"), RESULT], {"c1": "done"}, False, True),
        ([call("c1", **USED), RESULT, message("So")], {"c1": "done"}, False, True),
    ],
)
def test_codebuddys_records_are_read_plainly(
    records: list[dict[str, Any]], calls: dict[str, str], finished: bool, cut: bool, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    found = codebuddy.transcript(path, records)
    assert (dict(found.calls), found.is_finished, found.is_cut) == (calls, finished, cut)
    assert found.named == ({"/project/a.py"} if SNAPSHOT in records else set())
    assert not found.is_torn


def lifecycle(status: str) -> dict[str, Any]:
    return {"event_type": "tool_lifecycle", "payload": {"tool_call_id": "c1", "status": status}}


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        (["requested"], "asked"),
        (["requested", "started"], "open"),
        (["requested", "started", "completed"], "done"),
        (["requested", "failed"], "done"),
    ],
)
def test_mycodeagents_records_are_read_plainly(
    statuses: list[str], state: str, tmp_path: Path
) -> None:
    path = tmp_path / "transcript-s-1.jsonl"
    lines = [json.dumps(lifecycle(status)) + "\n" for status in statuses]
    path.write_text("".join(lines) + '{"event_ty', encoding="utf-8")
    found = mycodeagent.transcript(path)
    assert (found.session, found.calls, found.is_torn) == ("s-1", {"c1": state}, True)
    assert not found.is_finished
    path.write_text(json.dumps({"event_type": "terminal", "payload": {}}) + "\n", encoding="utf-8")
    assert mycodeagent.transcript(path).is_finished


def test_an_agent_that_is_not_there_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("MYCODEAGENT", raising=False)
    for name, install in AGENTS.items():
        with pytest.raises(Exception, match="is skipped") as told:
            install(tmp_path / name)
        assert str(told.value).count(".") == 1


def test_the_program_is_asked(tmp_path: Path) -> None:
    project = tmp_path / "home" / "projects" / "here"
    project.mkdir(parents=True)
    (tmp_path / "home" / "sessions").mkdir()
    prompt = {"id": "m1", "timestamp": 1, "sessionId": "s", "cwd": str(tmp_path)}
    lines = [prompt | message("Do it", "user"), prompt | call("c1", **USED) | {"arguments": "{}"}]
    (project / "s.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    program = Program([tmp_path / "home"], tmp_path / "program", {})
    (row,) = program.ask("list", "--why", "--json").json()["sessions"]
    assert (row["session"], row["events"]) == ("s", 2)
    assert len(program.ask("show", "s", "--json").lines()) == 2
    unknown = program.ask("show", "no-such", "--json")
    assert (unknown.code, unknown.json()) == (2, None)
    assert unknown.errors


def test_the_table_counts_what_agreed() -> None:
    checks = [Check("status", "agreed"), Check("status", "wrong"), Check("status", "unsure")]
    tallies = [Tally("write", 2, 0, checks), Tally("bash", 1, 0, [Check("show", "agreed")])]
    assert table(tallies).split("\n") == [
        "scenario  kills  status     show",
        "write     2      1/3 ~1 ✗1  ·",
        "bash      1      ·          1/1",
        "all       3      1/3 ~1 ✗1  1/1",
    ]


def test_kills_are_shared_out() -> None:
    assert _shares(8, 3) == [3, 3, 2]


def test_a_folder_with_something_in_it_is_not_used(tmp_path: Path) -> None:
    assert _options(["--keep", str(tmp_path)]).keep == tmp_path
    (tmp_path / "mine").touch()
    with pytest.raises(SystemExit):
        _options(["--keep", str(tmp_path)])
