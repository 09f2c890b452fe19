"""What the agents' tools do to the world outside their transcript, judged by their names."""

from __future__ import annotations

from typing import Any, Literal

SideEffects = Literal["yes", "no", "unknown"]

QUESTIONS = frozenset({"AskUserQuestion", "ExitPlanMode"})
"""Tools whose result is the person's answer."""

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
"""Tools that change nothing: an interrupted one is no matter for a person."""

CHANGES = frozenset(
    {"Edit", "MultiEdit", "Write", "NotebookEdit", "Bash", "PowerShell", "Task", "Agent"}
)
"""Tools that may leave something behind wherever they are stopped."""

_NEVER_REPLAYED = frozenset({"Edit", "Bash", "Task"})


_DEFERRED = "DeferExecuteTool"
"""By which CodeBuddy calls a tool that was not offered to the model from the start."""


def inner_call(tool: str | None, args: Any) -> tuple[str | None, Any]:
    """The tool that a call is really made of, with its arguments: a deferred one is inside it."""
    if tool != _DEFERRED or not isinstance(args, dict):
        return tool, args
    name = args.get("toolName")
    return (name, args.get("params")) if isinstance(name, str) and name else (tool, args)


def side_effects(tool: str) -> SideEffects:
    """Whether a call of the tool may have changed anything."""
    if tool in CHANGES:
        return "yes"
    return "no" if tool in READS else "unknown"


def replay_allowed(tool: str, dialect: str) -> bool:
    """Whether an interrupted call may be made again unseen.

    MyCodeAgent has a rule of its own, which lets everything pass but three tools; for the other
    agents it is pure reads only.
    """
    return tool not in _NEVER_REPLAYED if dialect == "mycodeagent" else tool in READS
