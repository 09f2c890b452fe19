"""How CodeBuddy's results name the sub-agents that they come from."""

from __future__ import annotations

from typing import Any

import orjson

from ...folds.delegations import Plain
from ...model.event import Event, Record
from ...records.fields import mapping, string

_SPAWNED = "team-member-spawned"


class CodeBuddyDelegations(Plain):
    """The default rule, but results may hold the sub-agent's id as data."""

    def child(self, event: Event) -> str:
        """Return the sub-agent named in a result; "" if it names none."""
        result = _result(event)
        if named := string(mapping(result.get("subAgent")).get("sessionId")):
            return named
        if named := string(_spawned(mapping(result.get("renderer"))).get("taskId")):
            return named
        return super().child(event)

    def goes_on(self, event: Event) -> bool:
        """Return whether a sub-agent runs in the background, as the members of a team do."""
        is_spawned = mapping(_result(event).get("renderer")).get("type") == _SPAWNED
        return is_spawned or super().goes_on(event)


def _result(event: Event) -> Record:
    return mapping(mapping(event.record.get("providerData")).get("toolResult"))


def _spawned(renderer: Record) -> Record:
    value: Any = renderer.get("value")
    if renderer.get("type") != _SPAWNED or type(value) is not str:
        return {}
    try:
        return mapping(orjson.loads(value))
    except orjson.JSONDecodeError:
        return {}
