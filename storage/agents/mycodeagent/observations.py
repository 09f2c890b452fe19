"""What MyCodeAgent's loader tells a model about calls without a recorded result message.

Every call in an assistant's message gets an answer: the recorded one, or one derived from the
call's lifecycle. The texts are the agent's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ...model.event import Record
from ...model.recovery import Message
from ...records.prose import dump

State = Literal["completed", "failed", "pending", "uncertain", ""]

_LOST: dict[str, tuple[str, str]] = {
    "pending": (
        "NOT_EXECUTED_REPLAN",
        "Tool execution did not start; it may be planned again.",
    ),
    "uncertain": (
        "INTERRUPTED_UNCERTAIN",
        "Tool execution was interrupted; inspect before retrying.",
    ),
    "": (
        "RECOVERY_STATE_UNKNOWN",
        "No recognized tool lifecycle fact was recorded; inspect before retrying.",
    ),
}
_NO_LIFECYCLE = (
    "RECOVERY_STATE_UNKNOWN",
    "No tool lifecycle fact was recorded; inspect before retrying.",
)
_FAILED = "Tool execution failed before its observation was recorded."


class Lifecycle(NamedTuple):
    """A call according to its lifecycle records."""

    tool: str
    statuses: frozenset[str]
    payload: Record
    """Payload of the last record."""

    @property
    def state(self) -> State:
        """The decisive status, regardless of their order."""
        if "completed" in self.statuses:
            return "completed"
        if "failed" in self.statuses:
            return "failed"
        if "started" in self.statuses:
            return "uncertain"
        return "pending" if "requested" in self.statuses else ""


Lifecycles = Mapping[tuple[str, str], Lifecycle]
"""Lifecycles by run and call id."""


def paired(history: Sequence[Message], lifecycles: Lifecycles) -> tuple[Message, ...]:
    """Return the history with an observation added for every call not followed by one."""
    whole: list[Message] = []
    calls: list[Record] = []
    told: set[str] = set()
    run = ""
    for message in history:
        if message["role"] == "tool":
            told.add(str(message["metadata"].get("tool_call_id")))
        else:
            whole += _missing(calls, told, run, lifecycles)
            calls, told = _calls_of(message), set()
            run = message["metadata"]["_transcript_run_id"]
        whole.append(message)
    return (*whole, *_missing(calls, told, run, lifecycles))


def _calls_of(message: Message) -> list[Record]:
    calls = message["metadata"].get("tool_calls") if message["role"] == "assistant" else None
    return [call for call in calls if type(call) is dict] if type(calls) is list else []


def _missing(
    calls: list[Record], told: set[str], run: str, lifecycles: Lifecycles
) -> list[Message]:
    named = [(str(call["id"]), call) for call in calls if call.get("id")]
    return [
        _observation(call_id, call, lifecycles.get((run, call_id)))
        for call_id, call in named
        if call_id not in told
    ]


def _observation(call_id: str, call: Record, lifecycle: Lifecycle | None) -> Message:
    tool = (lifecycle.tool if lifecycle else "") or call.get("name") or "unknown_tool"
    return {
        "role": "tool",
        "content": _content(lifecycle),
        "metadata": {"tool_name": tool, "tool_call_id": call_id, "recovered": True},
    }


def _content(lifecycle: Lifecycle | None) -> str:
    if lifecycle is None:
        return _error(*_NO_LIFECYCLE)
    if lifecycle.state == "completed":
        return _result(lifecycle.payload)
    if lifecycle.state == "failed":
        return _error("EXECUTION_FAILED", str(lifecycle.payload.get("error") or _FAILED))
    return _error(*_LOST[lifecycle.state])


def _result(payload: Record) -> str:
    result: Any = payload["result"] if "result" in payload else payload.get("result_text")
    if result is None:
        return dump({"status": "success", "data": {"recovered": True}})
    return result if type(result) is str else dump(result)


def _error(code: str, words: str) -> str:
    error = {"code": code, "message": words}
    return dump({"status": "error", "error": error, "data": {"recovered": True}})
