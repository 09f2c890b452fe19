"""How long a call took: as its records tell it, or nothing."""

from __future__ import annotations

from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy import AGENT as PRODUCT
from sessions_tui.storage.agents.envelope import AGENT as ENVELOPE
from sessions_tui.storage.agents.mycodeagent import AGENT as MYCODEAGENT
from sessions_tui.storage.model.agent import Agent
from sessions_tui.storage.model.event import Event, Place
from sessions_tui.storage.timeline.rows import row_of

AT = 1_790_000_000_000
TIMES = {PRODUCT: "timestamp", ENVELOPE: "recorded_at", MYCODEAGENT: "timestamp"}


def written(agent: Agent, kind: str, at: int, **more: Any) -> Event:
    record = {"type": kind, "callId": "c", "name": "Bash", TIMES[agent]: at} | more
    if agent is MYCODEAGENT:
        status = "started" if kind == "function_call" else "completed"
        payload = {"tool_name": "Bash", "tool_call_id": "c", "status": status}
        record = {"event_type": "tool_lifecycle", "timestamp": at, "payload": payload}
    return agent.reader.read(record, Place("s", 1, 0, 0))


def shown(agent: Agent, passed: int, **more: Any) -> int | None:
    call = written(agent, "function_call", AT)
    result = written(agent, "function_call_result", AT + passed, **more)
    return row_of(call, result, alive=False, current=False).duration


@pytest.mark.parametrize("agent", TIMES, ids=lambda agent: agent.name)
@pytest.mark.parametrize(("passed", "duration"), [(4_000, 4_000), (1, 1), (-5, None)])
def test_a_duration_is_what_lies_between(agent: Agent, passed: int, duration: int | None) -> None:
    assert shown(agent, passed) == duration


@pytest.mark.parametrize("agent", [ENVELOPE, MYCODEAGENT], ids=lambda agent: agent.name)
def test_records_with_times_of_their_own_may_share_a_millisecond(agent: Agent) -> None:
    assert shown(agent, 0) == 0


def test_a_result_with_the_time_of_its_call_tells_no_duration() -> None:
    assert shown(PRODUCT, 0) is None


def test_how_long_a_denial_took_is_no_duration() -> None:
    assert shown(PRODUCT, 12_000, status="incomplete", providerData={"error": "No"}) is None
