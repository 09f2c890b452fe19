"""Calls by which an agent delegates work to a sub-agent, as found in a transcript. Pure.

Each call is recorded with its offset and the sub-agent named in its result. If none is named (the
call failed, was interrupted or is still running), the beginning of its prompt is kept instead,
because a sub-agent starts with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..model.event import Event
from ..model.rules import DelegationRule
from ..records.fields import mapping, string
from ..records.typed import typed_text

if TYPE_CHECKING:
    from .facts import Facts

EARLY = 1_000
"""Milliseconds by which a sub-agent may seem to start before the call it works for."""

OPENING = 500
"""Characters kept of a sub-agent's opening prompt: as many as of a session's first prompt."""

_NAMED = re.compile(r"(?:^task_id: |\[Agent ID: )(agent-[0-9A-Za-z_-]+)", re.MULTILINE)
"""The forms in which a result names a sub-agent: spawned in the background, or finished."""


class Delegation(NamedTuple):
    """One call that delegates work to a sub-agent."""

    offset: int
    """Byte offset of the call's first record, which identifies its row in the timeline."""
    call: str
    """Run (if the format has runs) and call id."""
    at: int | None
    ended_at: int | None = None
    child: str = ""
    """The result's name of the sub-agent: foreign; "" if there is no result or it names none."""
    opening: str = ""
    """The opening prompt of the sub-agent, truncated; "" once it is named."""
    goes_on: bool = False
    """Whether the result only says that the sub-agent was started, in the background."""

    @property
    def is_over(self) -> bool:
        """Whether the sub-agent has ended, regardless of its own records."""
        return self.ended_at is not None and not self.goes_on

    @property
    def ends_in_time(self) -> bool:
        """Whether a sub-agent's records cannot be later than `ended_at`.

        False for CodeBuddy, whose results may carry the time of their calls.
        """
        return not self.call.startswith("None\x1f")


def delegate(delegations: list[Delegation], event: Event) -> None:
    """Process the call or the result of a tool that delegates work."""
    call = f"{event.run}\x1f{event.call_id}"
    if event.kind == "result":
        _end(delegations, event, call)
    elif not (event.stage == "started" and event.run and _open(delegations, call) is not None):
        opening = _rule(event).opening(event)[:OPENING]
        delegations.append(Delegation(event.place.address, call, event.at, opening=opening))


def _rule(event: Event) -> DelegationRule:
    return event.agent.delegations or PLAIN


def _open(delegations: list[Delegation], call: str) -> int | None:
    """Return the index of the newest such call that has not ended."""
    for place in range(len(delegations) - 1, -1, -1):
        if delegations[place].call == call and delegations[place].ended_at is None:
            return place
    return None


def _end(delegations: list[Delegation], event: Event, call: str) -> None:
    if (place := _open(delegations, call)) is None:
        return
    before, rule = delegations[place], _rule(event)
    child, ended = rule.child(event), event.at or before.at or 0
    opening = "" if child else before.opening
    delegations[place] = before._replace(
        ended_at=ended, child=child, opening=opening, goes_on=rule.goes_on(event)
    )


class Plain:
    """The default rule: the prompt is an argument, and the text of a result names the sub-agent."""

    def opening(self, event: Event) -> str:
        """Return the prompt among the arguments, as the user would have typed it."""
        prompt = string(mapping(event.args).get("prompt")) or ""
        return typed_text(prompt) or prompt.strip()

    def child(self, event: Event) -> str:
        """Return the sub-agent that the text of a result names."""
        found = _NAMED.search(event.text)
        return found[1] if found else ""

    def goes_on(self, event: Event) -> bool:
        """Return whether the text of a result says that a sub-agent was started."""
        return event.text.lstrip().startswith("Spawned successfully")


PLAIN = Plain()


def begins_with(prompt: str, opening: str) -> bool:
    """Return whether a sub-agent's first prompt, cut to `OPENING`, is the one given by a call."""
    if not opening or not prompt.startswith(opening):
        return False
    rest = prompt[len(opening) :].lstrip()
    return not rest or rest.startswith("Structured context:"[: len(rest)])


def fits(child: Facts, one: Delegation) -> bool:
    """Return whether a sub-agent may have been started by a call, by its prompt and its time."""
    begun = child.started_at
    if begun is None or one.at is None or not one.at - EARLY <= begun:
        return False
    in_time = one.ended_at is None or not one.ends_in_time or begun <= one.ended_at
    return in_time and begins_with(child.first_prompt, one.opening)


def nearness(child: Facts, one: Delegation) -> tuple[bool, int]:
    """Return a sort key, highest for the last call before the start, lower for any after it."""
    at, begun = one.at or 0, child.started_at or 0
    return at <= begun, at if at <= begun else -at
