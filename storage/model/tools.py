"""What an agent's tools do to the world outside the transcript, judged by their names.

The defaults are the tools that most agents share; an agent states what differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from .edits import Edit, edit_of

SideEffects = Literal["yes", "no", "unknown"]

Call = tuple[str | None, Any]
"""The name of a tool and the arguments of a call, parsed if possible."""

READS = frozenset(
    {
        *("Read", "Grep", "Glob", "LS", "NotebookRead", "WebSearch", "WebFetch", "ToolSearch"),
        *("TodoRead", "TaskGet", "TaskList", "TaskOutput", "BashOutput"),
        *("read_file", "list_dir", "list_files", "search_file", "search_content"),
        "codebase_search",
    }
)
CHANGES = frozenset(
    {"Edit", "MultiEdit", "Write", "NotebookEdit", "Bash", "PowerShell", "Task", "Agent"}
)
SHELLS = frozenset({"Bash", "bash", "PowerShell", "execute_command", "run_terminal_cmd"})


def _as_is(tool: str | None, args: Any) -> Call:
    return tool, args


@dataclass(frozen=True, slots=True)
class Tools:
    """What tools do, by their names; `…_of` methods take a call as recorded."""

    reads: frozenset[str] = READS
    """Tools that change nothing; an interrupted call needs no review."""
    changes: frozenset[str] = CHANGES
    """Tools that may have had an effect wherever they were interrupted."""
    opens: frozenset[str] = frozenset({"Read", "read_file"})
    """Tools that read the file they name."""
    edits: frozenset[str] = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
    """Tools that change the file they name."""
    questions: frozenset[str] = frozenset({"AskUserQuestion", "ExitPlanMode"})
    """Tools whose result is the user's answer."""
    shells: frozenset[str] = SHELLS
    """Tools that run a command."""
    todos: frozenset[str] = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate"})
    """Tools that change the list of tasks."""
    delegates: frozenset[str] = frozenset({"Agent", "Task"})
    """Tools that delegate work to a sub-agent."""
    never_replayed: frozenset[str] | None = None
    """Tools that may not be repeated without a check; None if only pure reads may be."""
    inner: Callable[[str | None, Any], Call] = _as_is
    """Unwraps a call that was made through another tool."""
    edit: Callable[[str | None, Any], Edit | None] = edit_of
    """Returns what an unwrapped call would change; None if nothing, or described incompletely."""

    def edit_of(self, tool: str | None, args: Any) -> Edit | None:
        """Return what a call would change; None if nothing, or described incompletely."""
        return self.edit(*self.inner(tool, args))

    def may_edit(self, tool: str | None) -> bool:
        """Return whether a call may change a file that its arguments name."""
        return not (tool in self.reads or tool in self.questions or tool in self.shells)

    def effects_of(self, tool: str) -> SideEffects:
        """Return whether an unwrapped call may have changed anything."""
        if tool in self.changes:
            return "yes"
        return "no" if tool in self.reads else "unknown"

    def may_replay(self, tool: str) -> bool:
        """Return whether an interrupted, unwrapped call may be repeated without a check."""
        if self.never_replayed is None:
            return tool in self.reads
        return tool not in self.never_replayed


TOOLS = Tools()
