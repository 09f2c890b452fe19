"""Calls and results: in order, by id, with ids that repeat."""

from __future__ import annotations

from typing import Any

import pytest

from sessions_tui.storage.dialects import DIALECTS
from sessions_tui.storage.event import Event, Place
from sessions_tui.storage.pairing import Pairing

Step = tuple[str, str]


def product(step: Step) -> Event:
    kind, call = step
    record: dict[str, Any] = {"timestamp": 1_795_000_000_000}
    if kind == "call":
        record |= {"type": "function_call", "callId": call, "name": "Edit", "arguments": "{}"}
    elif kind == "result":
        record |= {"type": "function_call_result", "callId": call, "status": "completed"}
    else:
        record |= {"type": "reasoning", "rawContent": [{"type": "reasoning_text", "text": "hm"}]}
    return DIALECTS["product"].read(record, Place("s", 1, 0, 0))


def mycodeagent(step: Step) -> Event:
    status, call = step
    call, _, at = call.partition("@")
    payload: dict[str, Any] = {"tool_name": "Edit", "tool_call_id": call, "status": status}
    kind = "tool_lifecycle"
    if status == "told":
        kind, payload = (
            "message",
            {
                "role": "tool",
                "content": "ok",
                "metadata": {"tool_name": "Edit", "tool_call_id": call},
            },
        )
    record = {
        "event_id": f"evt-{status}-{call}-{at}",
        "timestamp": "2026-11-20T10:00:00Z",
        "session_id": "s",
        "run_id": "run-1",
        "step": int(at or 1),
        "event_type": kind,
        "payload": payload,
        "schema_version": 1,
    }
    return DIALECTS["mycodeagent"].read(record, Place("s", 1, 0, 0, "s"))


@pytest.mark.parametrize(
    ("steps", "calls", "still_open"),
    [
        ([("call", "a"), ("result", "a")], [0, 1], []),
        ([("call", "a"), ("call", "b"), ("result", "b"), ("result", "a")], [0, 0, 2, 1], []),
        # Parallel calls with one id: the first result answers the first call.
        ([("call", "a"), ("call", "a"), ("result", "a"), ("result", "a")], [0, 0, 1, 2], []),
        # An id used again by a later response does not hide the call that was interrupted.
        (
            [("call", "a"), ("think", ""), ("call", "a"), ("result", "a")],
            [0, 0, 0, 3],
            [1],
        ),
        ([("result", "a"), ("call", "a")], [0, 0], [2]),
        ([("call", ""), ("call", ""), ("result", "")], [0, 0, 0], [1, 2]),
        ([("call", "a"), ("result", "a"), ("result", "a")], [0, 1, 1], []),
    ],
)
def test_product_calls(steps: list[Step], calls: list[int], still_open: list[int]) -> None:
    pairing = Pairing()
    found = [pairing.add(product(step), n).call for n, step in enumerate(steps, 1)]
    assert found == calls
    assert sorted(c.number for cs in pairing.open.values() for c in cs) == still_open


@pytest.mark.parametrize(
    ("steps", "calls", "still_open"),
    [
        (
            [("requested", "c"), ("started", "c"), ("completed", "c"), ("told", "c")],
            [0, 1, 1, 1],
            [],
        ),
        ([("requested", "c"), ("started", "c")], [0, 1], [1]),
        ([("started", "c"), ("failed", "c")], [0, 1], []),
        # `call_0` of step 2 does not answer the interrupted `call_0` of step 1.
        (
            [
                ("requested", "call_0@1"),
                ("started", "call_0@1"),
                ("requested", "call_0@2"),
                ("started", "call_0@2"),
                ("completed", "call_0@2"),
            ],
            [0, 1, 0, 3, 3],
            [1],
        ),
    ],
)
def test_mycodeagent_calls(steps: list[Step], calls: list[int], still_open: list[int]) -> None:
    pairing = Pairing()
    found = [pairing.add(mycodeagent(step), n).call for n, step in enumerate(steps, 1)]
    assert found == calls
    assert sorted(c.number for cs in pairing.open.values() for c in cs) == still_open


def test_a_stored_pairing_goes_on_as_if_never_stored() -> None:
    steps = [("call", "a"), ("call", "b"), ("result", "a"), ("think", ""), ("call", "b")]
    rest = [("result", "b"), ("result", "b"), ("result", "a")]
    whole, first = Pairing(), Pairing()
    for number, step in enumerate(steps, 1):
        whole.add(product(step), number)
        first.add(product(step), number)
    again = Pairing.from_json(first.as_json())
    for number, step in enumerate(rest, len(steps) + 1):
        assert again.add(product(step), number) == whole.add(product(step), number)
    assert again.open == whole.open
