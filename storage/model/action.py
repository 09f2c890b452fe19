"""An action: one tool call with its lifecycle, alike for all dialects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ..text.paths import absolute, named_path
from .event import Event
from .evidence import Evidence
from .timeline import CallState, Verdict
from .tools import SideEffects, inner_call, replay_allowed, side_effects

Found = Literal["", "snapshot", "directory"]
"""How an effect without a record was found: named by a snapshot, or changed on disk; "" for calls.
"""


@dataclass(frozen=True, slots=True)
class Action:
    """A call, what became of it, and what a person made of that.

    An effect without a record is one too: it has a path and no tool, and its record is the last
    that tells of it.
    """

    action: str | None
    """The event id of the call; where starting has a record of its own, of that."""
    session: str
    """The session id of the file that holds it."""
    call_id: str | None
    """As the agent called it: unique at most within a run, where there are runs."""
    tool: str
    """Its name; "" where the record says none, or there is no call."""
    state: CallState
    """`uncertain`: started, and nobody knows the end; `pending`: asked for and not started."""
    replay_allowed: bool
    """By the agent's own rule."""
    side_effects: SideEffects
    """Our judgement."""
    run_id: str | None = None
    """The run, where there are runs."""
    step: int | None = None
    """The step of the run, where steps are counted."""
    at: int | None = None
    """Milliseconds since 1970."""
    path: str | None = None
    """The file concerned, absolute, as its own system writes it."""
    args: Any = field(default=None, compare=False)
    """The call's arguments, however deep they are nested. Not compared: the record's place tells an
    action from others."""
    number: int | None = None
    """Of the record that `action` names."""
    offset: int = 0
    """Where that record begins in its file."""
    size: int = 0
    """Its bytes, without line end."""
    evidence: Evidence | None = None
    """What the file concerned suggests; None where nobody looked, as on resume."""
    verdict: Verdict | None = None
    """What a person decided, where decisions are asked."""
    note: str | None = None
    """The person's own words on it."""
    decided_at: int | None = None
    """Milliseconds since 1970."""
    found: Found = ""
    """How an effect without a record was found."""

    @property
    def place(self) -> tuple[int, str]:
        """What tells an action from others of its transcript: of one record may be several."""
        return self.offset, (self.path or "") if self.found else ""


def action_of(event: Event, state: CallState, directory: str | None) -> Action:
    """The action of a call's event; `directory` is where it ran, unless its record says so."""
    tool, args = event.tool or "", event.args
    real, _ = inner_call(tool, args)
    named = named_path(args)
    return Action(
        action=event.event_id,
        session=event.place.session,
        call_id=event.call_id,
        tool=tool,
        state=state,
        replay_allowed=replay_allowed(real or "", event.dialect.NAME),
        side_effects=side_effects(real or ""),
        run_id=event.run,
        step=event.step,
        at=event.at,
        path=named and absolute(named, event.dialect.cwd(event.record) or directory),
        args=args,
        number=event.place.number,
        offset=event.place.offset,
        size=event.place.size,
    )
