"""Messages to the model for flat records, in the form shared by two formats."""

from __future__ import annotations

from typing import Any

from ..model.recovery import Message


def spoken(role: Any, content: Any) -> Message:
    """Return a message with the given role."""
    return {"role": role, "content": content}


def tool_use(call_id: Any, name: Any, arguments: Any) -> Message:
    """Return a call as a message of the assistant."""
    block = {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
    return {"role": "assistant", "content": [block]}


def tool_result(call_id: Any, output: Any) -> Message:
    """Return a result as it was passed to the assistant."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": output}
    return {"role": "user", "content": [block]}
