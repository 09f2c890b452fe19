"""The state of a call without a result: determined here only, for list, screens and commands.

A call may still get its result as long as its session has not moved past it (`Facts.current_calls`)
and its agent is alive. If it cannot be determined whether the agent is alive, the call is neither
running nor uncertain, but `unknown`.
"""

from __future__ import annotations

from .event import Stage
from .timeline import Alive, CallState
from .tools import QUESTIONS


def open_state(stage: Stage, tool: str | None, current: bool, alive: Alive) -> CallState:
    """Return the state of a call without a result; `current`: the session has not moved past it.

    An open question awaits the user's answer, whether or not its agent is alive.
    """
    if stage == "requested":
        return "pending"
    if not current:
        return "uncertain"
    if alive or tool in QUESTIONS:
        return "running"
    return "unknown" if alive is None else "uncertain"
