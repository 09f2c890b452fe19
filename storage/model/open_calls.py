"""How a call without a result stands: decided here alone, for list, screens and commands.

A call may still get its result while its session did not move on behind it
(`Facts.current_calls`) and its agent works. Where nobody can tell whether the agent works, the
call is neither running nor uncertain, but `unknown`.
"""

from __future__ import annotations

from .event import Stage
from .timeline import Alive, CallState
from .tools import QUESTIONS


def open_state(stage: Stage, tool: str | None, current: bool, alive: Alive) -> CallState:
    """The state of a call without a result; `current`: its session did not move on behind it.

    An open question is the user's to answer, whether or not its agent is alive.
    """
    if stage == "requested":
        return "pending"
    if not current:
        return "uncertain"
    if alive or tool in QUESTIONS:
        return "running"
    return "unknown" if alive is None else "uncertain"
