"""The agent in CONTRIBUTING works as it is printed there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage import agents
from sessions_tui.storage.agents.plain import FlatHome, PlainReader
from sessions_tui.storage.model.agent import Agent
from sessions_tui.storage.model.event import Event
from sessions_tui.storage.records.fields import milliseconds, string
from tests.agents.contract import check
from tests.agents.test_contract import NOTES

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def test_the_agent_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {
        "Agent": Agent,
        "Event": Event,
        "FlatHome": FlatHome,
        "PlainReader": PlainReader,
        "milliseconds": milliseconds,
        "string": string,
    }
    exec(code, names)
    monkeypatch.setitem(agents.AGENTS, "notes", names["AGENT"])
    path = tmp_path / ".notes" / "n1.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(record) + "\n" for record in NOTES))
    check(names["AGENT"], [path], [])
