"""An action: one tool call with its lifecycle, the same for all formats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ..text.paths import absolute, named_path
from .agent import Agent
from .edits import Edit
from .event import Event
from .evidence import Evidence
from .timeline import CallState, Verdict
from .tools import SideEffects

Found = Literal["", "snapshot", "directory"]
"""How an effect without a call on record was found: from a snapshot or a directory; "" for calls.
"""


@dataclass(frozen=True, slots=True)
class Action:
    """A tool call, its outcome and the user's verdict.

    Also used for an effect without a call on record: it has a path but no tool, and refers to the
    last record that gives evidence of it.
    """

    agent: Agent
    action: str | None
    """Event id of the call; of the record of its start, if the format has one."""
    session: str
    """Session id of the file that contains it."""
    call_id: str | None
    """The agent's id of the call; if the format has runs, unique only within a run."""
    tool: str
    """Name of the tool; "" if the record has none, or there is no call."""
    state: CallState
    """`uncertain`: started, outcome unknown; `pending`: requested but not started."""
    replay_allowed: bool
    """Whether the agent's own rule allows it to be repeated."""
    side_effects: SideEffects
    """Judged here, by the tool's name."""
    run_id: str | None = None
    """Id of the run; None if the format has no runs."""
    step: int | None = None
    """Step of the run; None if the format does not count steps."""
    at: int | None = None
    """Milliseconds since 1970."""
    path: str | None = None
    """Absolute path of the file concerned, in the notation of the system it is on."""
    args: Any = field(default=None, compare=False)
    """Arguments of the call, nested to any depth. Not compared, because the address of the record
    already identifies an action."""
    number: int | None = None
    """Number of the record that `action` refers to."""
    offset: int = 0
    """Address of that event in its file."""
    size: int = 0
    """Length of that record in bytes, without line end."""
    evidence: Evidence | None = None
    """What the file suggests; None if it was not checked, as on resume."""
    verdict: Verdict | None = None
    """The user's verdict; None if undecided, or if decisions were not looked up."""
    note: str | None = None
    """The user's comment on the verdict."""
    decided_at: int | None = None
    """Milliseconds since 1970."""
    found: Found = ""
    """How an effect without a call on record was found."""

    @property
    def place(self) -> tuple[int, str]:
        """Identifies an action within its transcript; several effects can share one record."""
        return self.offset, (self.path or "") if self.found else ""

    @property
    def call(self) -> tuple[str | None, Any]:
        """The tool and arguments of the call, unwrapped if it was made through another tool."""
        return self.agent.tools.inner(self.tool, self.args)

    @property
    def edit(self) -> Edit | None:
        """What the call would change; None if nothing, or described incompletely."""
        return self.agent.tools.edit_of(self.tool, self.args)


def action_of(event: Event, state: CallState, directory: str | None) -> Action:
    """Return the action of a call event; `directory`: where it ran if its record has no `cwd`."""
    tool, args = event.tool or "", event.args
    tools = event.agent.tools
    real = tools.inner(tool, args)[0] or ""
    named = named_path(args)
    return Action(
        agent=event.agent,
        action=event.event_id,
        session=event.place.session,
        call_id=event.call_id,
        tool=tool,
        state=state,
        replay_allowed=tools.may_replay(real),
        side_effects=tools.effects_of(real),
        run_id=event.run,
        step=event.step,
        at=event.at,
        path=named and absolute(named, event.cwd or directory),
        args=args,
        number=event.place.number,
        offset=event.place.address,
        size=event.place.size,
    )
