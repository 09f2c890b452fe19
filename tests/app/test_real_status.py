"""The status of what real programs wrote: cases of `tests/cases/real`, and others like them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .laid_out import laid_out
from .seat import write_agent

Sessions = Callable[..., Any]


def listed(sessions: Sessions, root: Path) -> dict[str, Any]:
    """Sessions and sub-agents by their ids."""
    document = sessions("list", "--children", "--root", root, "--json").document
    return {session["session"]: session for session in document["sessions"]}


def test_a_program_that_ended_without_an_answer_is_done(sessions: Sessions, tmp_path: Path) -> None:
    (session,) = listed(sessions, laid_out("cb06", tmp_path)).values()
    assert (session["status"], session["needs_you"], session["uncertain"]) == ("done", False, 0)
    assert "ended without an answer" in session["why"]


def test_with_the_entry_of_a_dead_process_it_was_killed(sessions: Sessions, tmp_path: Path) -> None:
    root = laid_out("cb06", tmp_path)
    pid = 2**22 + 4711  # beyond what a system gives
    entry = {"pid": pid, "sessionId": f"interactive-{pid}", "kind": "interactive"}
    entry |= {"cwd": str(root.parent / "project"), "startedAt": 1_790_000_000_000}
    (root / "sessions" / f"{pid}.json").write_text(json.dumps(entry))
    (session,) = listed(sessions, root).values()
    assert session["status"] == "crashed"
    assert f"process {pid} is gone" in session["why"]


def test_a_child_whose_call_has_its_result_is_at_its_end(
    sessions: Sessions, tmp_path: Path
) -> None:
    found = listed(sessions, laid_out("cb07", tmp_path))
    child = found["agent-c7c7c7c7"]
    assert (child["status"], child["needs_you"]) == ("done", False)
    assert "has its result" in child["why"]
    (parent,) = (session for session in found.values() if not session["parent"])
    assert (parent["children"], parent["children_working"]) == (1, 0)


SPAWNED = {
    "content": "Spawned successfully.\nagent_id: lamps@team",
    "renderer": {
        "type": "team-member-spawned",
        "value": json.dumps({"name": "lamps", "taskId": "agent-c7c7c7c7"}),
    },
}


@pytest.mark.parametrize("change", ["open", "spawned"])
def test_a_child_that_goes_on_is_judged_by_its_own_records(
    sessions: Sessions, tmp_path: Path, change: str
) -> None:
    """Its call has no result yet, or the result only says that it began."""
    root = laid_out("cb07", tmp_path)
    (path,) = root.glob("projects/*/*.jsonl")
    records = [json.loads(line) for line in path.read_text().splitlines()]
    if change == "open":
        records = records[:3]
    else:
        result = next(one for one in records if one["type"] == "function_call_result")
        result["output"]["text"] = SPAWNED["content"]
        result["providerData"]["toolResult"] = SPAWNED
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    child = listed(sessions, root)["agent-c7c7c7c7"]
    assert "has its result" not in child["why"]


BROKEN = {
    "cut inside a character": "数".encode()[:2],
    "no text": b"\xff\xfe\n{}\n",
    "not JSON in its middle": b'{"session_id": "s-x"}\n{"broken\n{"session_id": "s-x"}\n',
    "no record": b"[1]\n",
}


def warnings(sessions: Sessions, project: Path, session: str) -> list[str]:
    ran = sessions("resume", session, "--root", project, "--dry-run", "--json")
    assert ran.document["refusal"] is None
    found: list[str] = ran.document["warnings"]
    return found


@pytest.fixture
def mycodeagent(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install an agent of that name."""
    write_agent(own_home / "bin" / "mycodeagent", own_home / "report.json", "")
    monkeypatch.setenv("PATH", str(own_home / "bin"))


@pytest.mark.usefixtures("mycodeagent")
def test_what_mycodeagent_will_refuse_is_said_before(sessions: Sessions, tmp_path: Path) -> None:
    project = laid_out("05", tmp_path) / "shop"
    cut = "transcript-s-20261129-110000-0b0b.jsonl"
    (own,) = warnings(sessions, project, "s-20261129-110000-0b0b")
    assert own.startswith("MyCodeAgent will refuse to resume it")
    assert cut in own
    (other,) = warnings(sessions, project, "s-20261129-100000-0a0a")
    assert "any session of this project" in other
    assert f"{cut} (its last line was cut inside a character)" in other
    assert "Moving it out of" in other
    (project / "memory" / "transcripts" / cut).unlink()
    assert warnings(sessions, project, "s-20261129-100000-0a0a") == []


@pytest.mark.usefixtures("mycodeagent")
@pytest.mark.parametrize("broken", BROKEN)
def test_neighbours_that_cannot_be_read_are_named(
    sessions: Sessions, tmp_path: Path, broken: str
) -> None:
    project = laid_out("05", tmp_path) / "shop"
    folder = project / "memory" / "transcripts"
    (folder / "transcript-s-20261129-110000-0b0b.jsonl").unlink()
    (folder / "transcript-s-x.jsonl").write_bytes(BROKEN[broken])
    (warning,) = warnings(sessions, project, "s-20261129-100000-0a0a")
    assert "transcript-s-x.jsonl" in warning


@pytest.mark.usefixtures("mycodeagent")
@pytest.mark.parametrize("harmless", [b"", b"{}\n", b'{"broken', b"\n\n"])
def test_neighbours_that_mycodeagent_passes_by_are_not(
    sessions: Sessions, tmp_path: Path, harmless: bytes
) -> None:
    project = laid_out("05", tmp_path) / "shop"
    folder = project / "memory" / "transcripts"
    (folder / "transcript-s-20261129-110000-0b0b.jsonl").unlink()
    (folder / "transcript-s-x.jsonl").write_bytes(harmless)
    assert warnings(sessions, project, "s-20261129-100000-0a0a") == []


def test_a_resumed_agent_takes_open_calls_for_done(
    sessions: Sessions, tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_agent(own_home / "bin" / "codebuddy", own_home / "report.json", "")
    monkeypatch.setenv("PATH", str(own_home / "bin"))
    root = laid_out("cb01", tmp_path)
    (session,) = listed(sessions, root)
    ran = sessions("resume", session, "--root", root, "--dry-run", "--json")
    (warning,) = [one for one in ran.document["warnings"] if "without a result" in one]
    assert "assume the calls succeeded" in warning
    assert f"sessions actions {session} --for-agent" in warning
    assert sessions("actions", session, "--root", root, "--for-agent").out.strip()


def fork_of(root: Path) -> tuple[Path, Path]:
    """The transcripts of the source and of its fork."""
    folder = root / "projects" / "work-shop"
    return folder / "shop-root.jsonl", folder / "shop-fork.jsonl"


def answers(sessions: Sessions, root: Path, session: str) -> tuple[Any, ...]:
    """What list, actions, recover, memory and show say of the calls of a session."""
    entry = listed(sessions, root)[session]
    actions = sessions("actions", session, "--root", root, "--json").document
    recovery = sessions("recover", session, "--root", root, "--json").document
    memory = sessions("memory", session, "--root", root, "--json").document
    shown = sessions("show", session, "--root", root, "--kind", "call", "--json").objects
    items = memory["todo_items"] + memory["verification_status"]
    return (
        (entry["needs_you"], entry["uncertain"]),
        len(actions),
        len(recovery["uncertain"]),
        sum("ncertain" in item["text"] for item in items),
        [event["state"] for event in shown],
    )


def test_a_call_that_a_fork_copied_is_asked_about_at_its_source(
    sessions: Sessions, tmp_path: Path
) -> None:
    root = laid_out("04", tmp_path)
    source, _ = fork_of(root)
    assert answers(sessions, root, "shop-fork") == ((False, 0), 0, 0, 0, [None])
    assert answers(sessions, root, "shop-root") == ((False, 0), 0, 0, 0, ["completed"])
    source.write_text("".join(source.read_text().splitlines(keepends=True)[:2]))  # it crashed
    asked = [one["session"] for one in sessions("actions", "--root", root, "--json").document]
    assert asked == ["shop-root"]
    assert answers(sessions, root, "shop-fork") == ((False, 0), 0, 0, 0, [None])
    assert answers(sessions, root, "shop-root")[1:] == (1, 1, 2, ["uncertain"])


def test_a_forks_own_open_call_is_its_own(sessions: Sessions, tmp_path: Path) -> None:
    root = laid_out("04", tmp_path)
    _, fork = fork_of(root)
    lines = fork.read_text().splitlines()
    call = {**json.loads(lines[1]), "sessionId": "shop-fork", "callId": "k9", "id": "c9"}
    fork.write_text("\n".join([*lines[:3], json.dumps(call)]) + "\n")
    assert answers(sessions, root, "shop-fork")[1:] == (1, 1, 2, [None, "uncertain"])


def test_without_its_source_a_fork_is_asked_itself(sessions: Sessions, tmp_path: Path) -> None:
    root = laid_out("04", tmp_path)
    source, _ = fork_of(root)
    source.unlink()
    assert answers(sessions, root, "shop-fork")[1:] == (1, 1, 2, ["uncertain"])
