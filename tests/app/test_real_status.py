"""The status of what real programs wrote: cases of `tests/cases/real`, and others like them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .laid_out import laid_out

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
