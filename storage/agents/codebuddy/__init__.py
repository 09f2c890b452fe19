"""CodeBuddy and WorkBuddy: their records, registry, backups, logs, forks and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""

from __future__ import annotations

from typing import Any

from ...model.agent import Agent, Reader
from ...model.tools import Call, Tools

_DEFERRED = "DeferExecuteTool"
"""The tool that calls one that was not offered to the model from the start."""


def _reader() -> Reader:
    from . import reader

    return reader


def _inner(tool: str | None, args: Any) -> Call:
    if tool != _DEFERRED or not isinstance(args, dict):
        return tool, args
    name = args.get("toolName")
    return (name, args.get("params")) if isinstance(name, str) and name else (tool, args)


AGENT = Agent(name="product", title="CodeBuddy", load_reader=_reader, tools=Tools(inner=_inner))
