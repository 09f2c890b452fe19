"""The state of a call without a result: determined here only, for list, screens and commands.

A call may still get its result as long as its session has not moved past it (`Facts.current_calls`)
and its agent is alive. If it cannot be determined whether the agent is alive, the call is neither
running nor uncertain, but `unknown`.
"""

from __future__ import annotations

from .event import Event, Stage
from .timeline import Alive, CallState


def open_state(stage: Stage, asks: bool, current: bool, alive: Alive) -> CallState:
    """Return the state of a call without a result; `current`: the session has not moved past it.

    An open question (`asks`) awaits the user's answer, whether or not its agent is alive.
    """
    if stage == "requested":
        return "pending"
    if not current:
        return "uncertain"
    if alive or asks:
        return "running"
    return "unknown" if alive is None else "uncertain"


def asks(event: Event) -> bool:
    """Return whether a call asks the user a question."""
    return event.tool in event.agent.tools.questions
