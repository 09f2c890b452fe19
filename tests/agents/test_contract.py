"""Every agent passes the contract."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage import agents
from sessions_tui.storage.model.agent import Agent
from tests.agents.contract import check, imports_nothing_heavy
from tests.agents.toys import blocks, notes

CASES = Path(__file__).parents[1] / "cases"
SAMPLES = {
    "product": sorted(CASES.glob("product/*.jsonl")),
    "envelope": sorted(CASES.glob("envelope/0[0-4]*.jsonl")),
    "mycodeagent": sorted(CASES.glob("mycodeagent/*.jsonl")),
}
NOTES: list[dict[str, Any]] = [
    {"who": "user", "say": "Write it down", "at": 1_790_000_000_000, "cwd": "/src/shop"},
    {"who": "run", "id": "c1", "tool": "Write", "at": 1_790_000_001_000, "say": "a.txt",
     "args": {"file_path": "a.txt", "content": "one"}},
    {"who": "ran", "id": "c1", "say": "written", "at": 1_790_000_002_000},
    {"who": "bot", "say": "Done 完成.", "at": 1_790_000_003_000},
]  # fmt: skip


BLOCKS: list[dict[str, Any]] = [
    {"from": "user", "parts": [{"text": "Edit two files"}], "time": 1_790_000_000_000},
    {"from": "bot", "parts": [{"text": "Edit two files"}], "mirror": True},
    {"from": "bot", "time": 1_790_000_001_000, "response": "r1", "tokens": 7, "parts": [
        {"text": "Both at once 完成"},
        {"id": "c1", "tool": "Write", "args": {"file_path": "a.txt", "content": "one"}},
        {"id": "c2", "tool": "Write", "args": {"file_path": "b.txt", "content": "two"}},
    ]},
    {"from": "user", "time": 1_790_000_002_000, "parts": [{"id": "c1", "result": "written"}]},
]  # fmt: skip


def copies(tmp_path: Path, name: str) -> list[Path]:
    """Some transcripts of an agent where they may be copied and damaged."""
    small = [path for path in SAMPLES[name] if 0 < path.stat().st_size < 60_000][:30]
    return [Path(shutil.copy(path, tmp_path)) for path in small]


@pytest.mark.parametrize("agent", agents.AGENTS.values(), ids=lambda agent: agent.name)
def test_our_agents(tmp_path: Path, agent: Agent) -> None:
    others = [path for name in SAMPLES if name != agent.name for path in SAMPLES[name]]
    check(agent, copies(tmp_path, agent.name), [] if agent is agents.UNKNOWN else others)


@pytest.mark.parametrize(("agent", "records"), [(notes.AGENT, NOTES), (blocks.AGENT, BLOCKS)])
def test_agents_of_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: Agent, records: list[dict[str, Any]]
) -> None:
    monkeypatch.setitem(agents.AGENTS, agent.name, agent)
    path = tmp_path / f".{agent.name}" / "n1.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(record) + "\n" for record in records * 3))
    check(agent, [path], [one for name in SAMPLES for one in SAMPLES[name]])


@pytest.mark.parametrize("folder", ["codebuddy", "envelope", "mycodeagent"])
def test_importing_an_agent_is_cheap(folder: str) -> None:
    imports_nothing_heavy(f"sessions_tui.storage.agents.{folder}")
