"""Calls and results: in order, by id, with ids that repeat."""

from __future__ import annotations

from typing import Any

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.folds.pairing import Pairing
from sessions_tui.storage.model.event import Event, Place

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
    return AGENTS["product"].reader.read(record, Place("s", 1, 0, 0))


def mycodeagent(step: Step) -> Event:
    status, call = step
    call, _, at = call.partition("@")
    call, _, tool = call.partition(":")
    payload: dict[str, Any] = {"tool_name": tool or "Edit", "tool_call_id": call, "status": status}
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
    return AGENTS["mycodeagent"].reader.read(record, Place("s", 1, 0, 0, "s"))


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
        # The name of a result decides which of the calls with its id it ends.
        ([("call", "a Edit"), ("call", "a Bash"), ("result", "a Bash")], [0, 0, 2], [1]),
        ([("call", "a Edit"), ("call", "a Bash"), ("result", "a Edit")], [0, 0, 1], [2]),
        (
            [*[("call", f"a {tool}") for tool in ("Edit", "Bash", "Edit")], ("result", "a Edit")],
            [0, 0, 0, 1],
            [2, 3],
        ),
        # A second result of one call does not end the other.
        (
            [("call", "a Edit"), ("call", "a Bash"), ("result", "a Bash"), ("result", "a Bash")],
            [0, 0, 2, 2],
            [1],
        ),
        # Nor does the result of a call that has no record.
        ([("call", "a Edit"), ("result", "a Bash")], [0, 0], [1]),
        ([("call", "a Edit"), ("call", "a Bash"), ("result", "a Grep")], [0, 0, 0], [1, 2]),
        # Without a name on either side the order decides, as long as one is not named.
        ([("call", "a Edit"), ("call", "a Bash"), ("result", "a ")], [0, 0, 1], [2]),
        ([("call", "a "), ("call", "a Bash"), ("result", "a Edit")], [0, 0, 1], [2]),
        # Of several responses that count from one id: the newest that has such a call.
        (
            [("call", "a Edit"), ("think", ""), ("call", "a Bash"), ("result", "a Edit")],
            [0, 0, 0, 1],
            [3],
        ),
        (
            [("call", "a Edit"), ("think", ""), ("call", "a Edit"), ("result", "a Edit")],
            [0, 0, 0, 3],
            [1],
        ),
    ],
)
@pytest.mark.parametrize("dialect", ["product", "envelope"])
def test_calls_that_share_an_id(
    steps: list[Step], calls: list[int], still_open: list[int], dialect: str
) -> None:
    pairing = Pairing()
    found = [pairing.add(named(step, dialect), n).call for n, step in enumerate(steps, 1)]
    assert found == calls
    assert sorted(c.number for cs in pairing.open.values() for c in cs) == still_open


def named(step: Step, dialect: str) -> Event:
    kind, words = step
    call, _, tool = words.partition(" ")
    record: dict[str, Any] = {"type": "reasoning", "content": "hm", "rawContent": []}
    if kind != "think":
        record = {"callId": call} | ({"name": tool} if tool else {})
        record |= {"type": "function_call"} if kind == "call" else {"type": "function_call_result"}
    return AGENTS[dialect].reader.read(record, Place("s", 1, 0, 0))


@pytest.mark.parametrize(
    ("steps", "calls", "still_open"),
    [
        # Two requests of one step and id: the tool tells their records apart.
        (
            [
                ("requested", "c:Edit"),
                ("requested", "c:Bash"),
                ("started", "c:Edit"),
                ("started", "c:Bash"),
                ("completed", "c:Bash"),
            ],
            [0, 0, 1, 2, 2],
            [1],
        ),
        # With nothing else to go by, the id decides, as for the agent's own loader.
        ([("started", "c:Edit"), ("completed", "c:Bash")], [0, 1], []),
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
