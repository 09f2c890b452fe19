"""The messages that a model is given for records that are flat: one shape for two dialects."""

from __future__ import annotations

from typing import Any

from ..model.recovery import Message


def spoken(role: Any, content: Any) -> Message:
    """What somebody said."""
    return {"role": role, "content": content}


def tool_use(call_id: Any, name: Any, arguments: Any) -> Message:
    """A call, as the assistant made it."""
    block = {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
    return {"role": "assistant", "content": [block]}


def tool_result(call_id: Any, output: Any) -> Message:
    """A result, as it was handed to the assistant."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": output}
    return {"role": "user", "content": [block]}
