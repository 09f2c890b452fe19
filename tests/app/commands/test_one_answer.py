"""Every place says the same of a call without a result, whatever its session's status is."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sessions = Callable[..., Any]
Record = dict[str, Any]
HOUR = 3_600_000


class Home:
    """An agent's home with one session, and a registry that says who has it."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / ".codebuddy"
        self.now = int(time.time() * 1000)
        (self.path / "projects" / "shop").mkdir(parents=True)
        (self.path / "sessions").mkdir()

    def write(self, *records: Record, ago: int = 2_000) -> None:
        """Write the session's records, all of one time."""
        path = self.path / "projects" / "shop" / "s1.jsonl"
        common = {"timestamp": self.now - ago, "sessionId": "s1", "cwd": str(self.path.parent)}
        lines = [json.dumps({"id": f"r{n}", **common, **one}) for n, one in enumerate(records)]
        path.write_text("".join(f"{line}\n" for line in lines))

    def register(self, pid: int, **said: Any) -> None:
        """Have a process say that it has the session."""
        entry = {"pid": pid, "sessionId": "s1", "lastHeartbeat": self.now, "kind": "interactive"}
        path = self.path / "sessions" / f"{pid}.json"
        path.write_text(json.dumps({**entry, "hostname": socket.gethostname(), **said}))


def prompt(text: str = "Paint the shop") -> Record:
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content, "providerData": {"agent": "cli"}}


def answer(text: str = "Painted.") -> Record:
    content = [{"type": "output_text", "text": text}]
    usage = {"input_tokens": 9, "output_tokens": 3, "total_tokens": 12}
    record = {"type": "message", "role": "assistant", "status": "completed", "content": content}
    return {**record, "message": {"usage": usage}, "providerData": {"agent": "cli"}}


def stop() -> Record:
    marker = {**answer("Interrupted by user"), "status": "incomplete"}
    del marker["message"]
    return {**marker, "providerData": {"skipRun": True}}


def call(tool: str = "Bash", call_id: str = "c1") -> Record:
    arguments = json.dumps({"command": f"./paint {call_id}"})
    usage = {"message": {"usage": {"input_tokens": 9, "output_tokens": 3, "total_tokens": 12}}}
    return {
        "type": "function_call",
        "callId": call_id,
        "name": tool,
        "arguments": arguments,
    } | usage


def result(call_id: str = "c1") -> Record:
    output = {"type": "text", "text": "painted"}
    given = {"content": "painted", "renderer": {"type": "text"}}
    record = {"type": "function_call_result", "callId": call_id, "name": "Bash", "output": output}
    return {**record, "status": "completed", "providerData": {"toolResult": given}}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def alive(home: Home) -> None:
    home.register(os.getpid())


def dead(home: Home) -> None:
    home.register(dead_pid(), startedAt=home.now - HOUR)


def elsewhere(home: Home) -> None:
    home.register(4711, hostname="another-machine")


CASES: list[tuple[str, Callable[[Home], None], list[Record], int, dict[str, str]]] = [
    ("working", alive, [prompt(), call()], 2_000, {"c1": "running"}),
    ("working", alive, [prompt(), call()], 3 * 60_000, {"c1": "running"}),
    (
        "working",
        alive,
        [prompt(), call(), call(call_id="c2"), result("c2")],
        2_000,
        {"c1": "running", "c2": "completed"},
    ),
    (
        "working",
        alive,
        [prompt(), call(), answer("Cut off."), prompt("Go on"), call(call_id="c2")],
        2_000,
        {"c1": "uncertain", "c2": "running"},
    ),
    (
        "working",
        alive,
        [prompt(), call(), call(call_id="c2"), result("c2"), call(call_id="c3")],
        2_000,
        {"c1": "uncertain", "c2": "completed", "c3": "running"},
    ),
    ("waiting", alive, [prompt(), call(), answer()], 2_000, {"c1": "uncertain"}),
    ("crashed", dead, [prompt(), call()], 2_000, {"c1": "uncertain"}),
    (
        "crashed",
        dead,
        [prompt(), call(), call("Edit", "c2")],
        HOUR,
        {"c1": "uncertain", "c2": "uncertain"},
    ),
    ("unknown", elsewhere, [prompt(), call()], 5 * 60_000, {"c1": "unknown"}),
    (
        "unknown",
        elsewhere,
        [prompt(), call(), answer(), prompt(), call(call_id="c2")],
        5 * 60_000,
        {"c1": "uncertain", "c2": "unknown"},
    ),
    ("interrupted", alive, [prompt(), call(), stop()], 2_000, {"c1": "uncertain"}),
    ("asking", alive, [prompt(), call("AskUserQuestion")], 2_000, {"c1": "running"}),
    ("asking", dead, [prompt(), call("ExitPlanMode")], 2_000, {"c1": "running"}),
    (
        "asking",
        alive,
        [prompt(), call(), call("AskUserQuestion", "c2")],
        2_000,
        {"c1": "running", "c2": "running"},
    ),
    (
        "asking",
        dead,
        [prompt(), call(), call("AskUserQuestion", "c2")],
        2_000,
        {"c1": "uncertain", "c2": "running"},
    ),
    (
        "asking",
        elsewhere,
        [prompt(), call(), call("AskUserQuestion", "c2")],
        5 * 60_000,
        {"c1": "unknown", "c2": "running"},
    ),
    ("done", dead, [prompt(), call(), result(), answer()], 2_000, {"c1": "completed"}),
]
SIGNS = {"running": "●", "uncertain": "⚠", "unknown": "~", "completed": "✓"}


@pytest.mark.parametrize(("status", "registered", "records", "ago", "states"), CASES)
def test_all_commands_say_the_same_of_every_call(
    sessions: Sessions,
    home: Home,
    status: str,
    registered: Callable[[Home], None],
    records: list[Record],
    ago: int,
    states: dict[str, str],
) -> None:
    home.write(*records, ago=ago)
    registered(home)
    root = ("--root", home.path)
    as_json = {one: "running" if state == "unknown" else state for one, state in states.items()}
    uncertain = sorted(one for one, state in states.items() if state == "uncertain")

    [listed] = sessions("list", *root, "--json").document["sessions"]
    assert (listed["status"], listed["uncertain"]) == (status, len(uncertain))

    actions = sessions("actions", "s1", *root, "--all", "--json").document
    assert {one["call_id"]: one["state"] for one in actions} == as_json
    opened = sessions("actions", *root, "--json").document
    assert sorted(one["call_id"] for one in opened) == uncertain
    lines = sessions("actions", "s1", *root, "--all").out.splitlines()
    for one, state in states.items():
        assert any(line.startswith(f"{SIGNS[state]} {state}") and one in line for line in lines)

    shown = sessions("show", "s1", *root, "--kind", "call", "--json").objects
    assert {one["call_id"]: one["state"] for one in shown} == as_json

    recovery = sessions("recover", "s1", *root, "--json").document
    assert sorted(one["call_id"] for one in recovery["uncertain"]) == uncertain
    found = recovery["uncertain"] + recovery["running"] + recovery["pending"]
    unended = {one: state for one, state in as_json.items() if state != "completed"}
    assert {one["call_id"]: one["state"] for one in found} == unended
    page = sessions("recover", "s1", *root).out
    for state in ("running", "unknown"):
        number = sum(other == state for other in states.values())
        assert (f"{number} {state}" in page) == bool(number)

    memory = sessions("memory", "s1", *root, "--json").document
    items = [item["text"] for item in memory["todo_items"] + memory["verification_status"]]
    for one, state in states.items():
        words = [text for text in items if one in text]
        assert any("ncertain" in text for text in words) == (state == "uncertain")
        assert any("Unknown whether" in text for text in words) == (state == "unknown")
