"""Calls by which an agent delegates work to a sub-agent, as found in a transcript. Pure.

Each call is recorded with its offset and the sub-agent named in its result. If none is named (the
call failed, was interrupted or is still running), the beginning of its prompt is kept instead,
because a sub-agent starts with it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import orjson

from ..agents.mycodeagent.reader import payload_of
from ..model.event import Event, Record
from ..records.fields import mapping, string
from ..records.typed import typed_text

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
        delegations.append(
            Delegation(event.place.offset, call, event.at, opening=_opening(event)[:OPENING])
        )


def _open(delegations: list[Delegation], call: str) -> int | None:
    """Return the index of the newest such call that has not ended."""
    for place in range(len(delegations) - 1, -1, -1):
        if delegations[place].call == call and delegations[place].ended_at is None:
            return place
    return None


def _end(delegations: list[Delegation], event: Event, call: str) -> None:
    if (place := _open(delegations, call)) is None:
        return
    before, child = delegations[place], _named(event)
    ended = event.at or before.at or 0
    opening = "" if child else before.opening
    delegations[place] = before._replace(
        ended_at=ended, child=child, opening=opening, goes_on=_goes_on(event)
    )


def _opening(event: Event) -> str:
    args = mapping(event.args)
    prompt = string(args.get("prompt")) or ""
    if event.run is not None:  # MyCodeAgent prepends the description
        prompt = f"{args.get('description') or ''}\n\n{prompt}"
    return typed_text(prompt) or prompt.strip()


def _named(event: Event) -> str:
    """Return the sub-agent named in a result; "" if it names none."""
    if event.run is not None:
        data = mapping(mapping(payload_of(event.record).get("result")).get("data"))
        return string(data.get("child_session_id")) or ""
    result = mapping(mapping(event.record.get("providerData")).get("toolResult"))
    if named := string(mapping(result.get("subAgent")).get("sessionId")):
        return named
    if named := string(_spawned(mapping(result.get("renderer"))).get("taskId")):
        return named
    found = _NAMED.search(event.text)
    return found[1] if found else ""


def _goes_on(event: Event) -> bool:
    """Return whether a sub-agent runs in the background, as the members of a team do."""
    if event.run is not None:
        return False
    result = mapping(mapping(event.record.get("providerData")).get("toolResult"))
    is_spawned = mapping(result.get("renderer")).get("type") == "team-member-spawned"
    return is_spawned or event.text.lstrip().startswith("Spawned successfully")


def _spawned(renderer: Record) -> Record:
    value: Any = renderer.get("value")
    if renderer.get("type") != "team-member-spawned" or type(value) is not str:
        return {}
    try:
        return mapping(orjson.loads(value))
    except orjson.JSONDecodeError:
        return {}


def begins_with(prompt: str, opening: str) -> bool:
    """Return whether a sub-agent's first prompt, cut to `OPENING`, is the one given by a call."""
    if not opening or not prompt.startswith(opening):
        return False
    rest = prompt[len(opening) :].lstrip()
    return not rest or rest.startswith("Structured context:"[: len(rest)])
