"""How long a call took: as its records tell it, or nothing."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy import reader as product
from sessions_tui.storage.agents.envelope import reader as envelope
from sessions_tui.storage.agents.mycodeagent import reader as mycodeagent
from sessions_tui.storage.model.event import Event, Place
from sessions_tui.storage.timeline.rows import row_of

AT = 1_790_000_000_000
TIMES = {product: "timestamp", envelope: "recorded_at", mycodeagent: "timestamp"}


def written(dialect: ModuleType, kind: str, at: int, **more: Any) -> Event:
    record = {"type": kind, "callId": "c", "name": "Bash", TIMES[dialect]: at} | more
    if dialect is mycodeagent:
        status = "started" if kind == "function_call" else "completed"
        payload = {"tool_name": "Bash", "tool_call_id": "c", "status": status}
        record = {"event_type": "tool_lifecycle", "timestamp": at, "payload": payload}
    event: Event = dialect.read(record, Place("s", 1, 0, 0))
    return event


def shown(dialect: ModuleType, passed: int, **more: Any) -> int | None:
    call = written(dialect, "function_call", AT)
    result = written(dialect, "function_call_result", AT + passed, **more)
    return row_of(call, result, alive=False, current=False).duration


@pytest.mark.parametrize("dialect", TIMES, ids=lambda dialect: dialect.NAME)
@pytest.mark.parametrize(("passed", "duration"), [(4_000, 4_000), (1, 1), (-5, None)])
def test_a_duration_is_what_lies_between(
    dialect: ModuleType, passed: int, duration: int | None
) -> None:
    assert shown(dialect, passed) == duration


@pytest.mark.parametrize("dialect", [envelope, mycodeagent], ids=lambda dialect: dialect.NAME)
def test_records_with_times_of_their_own_may_share_a_millisecond(dialect: ModuleType) -> None:
    assert shown(dialect, 0) == 0


def test_a_result_with_the_time_of_its_call_tells_no_duration() -> None:
    assert shown(product, 0) is None


def test_how_long_a_denial_took_is_no_duration() -> None:
    assert shown(product, 12_000, status="incomplete", providerData={"error": "No"}) is None
