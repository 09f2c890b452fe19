"""What the agents' tools do to the world outside the transcript, judged by their names."""

from __future__ import annotations

from typing import Any, Literal

SideEffects = Literal["yes", "no", "unknown"]

QUESTIONS = frozenset({"AskUserQuestion", "ExitPlanMode"})
"""Tools whose result is the user's answer."""

COMMANDS = frozenset({"Bash", "PowerShell"})
"""Tools that run a command."""

READS = frozenset(
    {
        *("Read", "Grep", "Glob", "LS", "NotebookRead", "WebSearch", "WebFetch", "ToolSearch"),
        *("TodoRead", "TaskGet", "TaskList", "TaskOutput", "BashOutput"),
        *(
            "read_file",
            "list_dir",
            "list_files",
            "search_file",
            "search_content",
            "codebase_search",
        ),
    }
)
"""Tools that change nothing; an interrupted call needs no review."""

CHANGES = frozenset(
    {"Edit", "MultiEdit", "Write", "NotebookEdit", "Bash", "PowerShell", "Task", "Agent"}
)
"""Tools that may have had an effect wherever they were interrupted."""

_NEVER_REPLAYED = frozenset({"Edit", "Bash", "Task"})


_DEFERRED = "DeferExecuteTool"
"""The tool by which CodeBuddy calls one that was not offered to the model from the start."""


def inner_call(tool: str | None, args: Any) -> tuple[str | None, Any]:
    """Return the name and arguments of the actual tool call, unwrapping a deferred one."""
    if tool != _DEFERRED or not isinstance(args, dict):
        return tool, args
    name = args.get("toolName")
    return (name, args.get("params")) if isinstance(name, str) and name else (tool, args)


def side_effects(tool: str) -> SideEffects:
    """Return whether a call of the tool may have changed anything."""
    if tool in CHANGES:
        return "yes"
    return "no" if tool in READS else "unknown"


def replay_allowed(tool: str, dialect: str) -> bool:
    """Return whether an interrupted call may be repeated without a check.

    MyCodeAgent has its own rule, which excludes only three tools; for other agents only pure reads
    may be repeated.
    """
    return tool not in _NEVER_REPLAYED if dialect == "mycodeagent" else tool in READS
