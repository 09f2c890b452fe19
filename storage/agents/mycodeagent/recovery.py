"""What is restored of a MyCodeAgent session: exactly what its own loader makes of the file.

That is the whole history, as the loader has no window; the last checkpoint and terminal of any run;
and every call by run and id, as the loader identifies calls: a repeated id within a run is one call
to it. `actions` tells such calls apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...model.action import Action, action_of
from ...model.event import FOREIGN, Event, Record
from ...model.recovery import Message, Restored
from .observations import Lifecycle, paired
from .reader import metadata_of, payload_of, step_of


@dataclass(slots=True)
class _Tool:
    """The records of one call, in file order."""

    call_id: str
    run: str
    name: str = ""
    statuses: set[str] = field(default_factory=set)
    last: Event | None = None
    opened: Event | None = None
    """Its start, or its request as long as it was not started."""

    def add(self, event: Event, payload: Record) -> None:
        status = payload.get("status")
        if type(status) is str:
            self.statuses.add(status)
        name = payload.get("tool_name")
        self.name = (str(name) if name else "") or self.name
        self.last = event
        if event.stage == "started" or (event.stage == "requested" and not self._is_started()):
            self.opened = event

    def _is_started(self) -> bool:
        return self.opened is not None and self.opened.stage == "started"

    def lifecycle(self) -> Lifecycle:
        payload = payload_of(self.last.record) if self.last else {}
        return Lifecycle(self.name, frozenset(self.statuses), payload)


class MyCodeAgentFold:
    """Recovery fold; `directory` is the project root, which paths in calls are relative to."""

    def __init__(self, directory: str | None) -> None:
        self._directory = directory
        self._events = 0
        self._history: list[Message] = []
        self._tools: dict[tuple[str, str], _Tool] = {}
        self._checkpoint: Record | None = None
        self._terminal: Record | None = None
        self._run: str | None = None
        self._step = 0
        self._turns = 0

    def add(self, event: Event) -> None:
        """Process the next event; damaged ones and those of other sessions are ignored."""
        record = event.record
        if event.place.inner is None or event.problem == FOREIGN or event.kind == "damaged":
            return
        self._events += 1
        self._run = run = str(record.get("run_id"))
        self._step = max(self._step, step_of(record) or 0)
        payload = payload_of(record)
        match record.get("event_type"):
            case "message":
                self._add_message(payload, run)
            case "tool_lifecycle":
                self._add_lifecycle(event, payload, run)
            case "checkpoint" if not payload.get("legacy_snapshot_import"):
                self._checkpoint = payload
            case "terminal":
                self._terminal = payload

    def result(self) -> Restored:
        """Return what can be restored after the events so far."""
        lifecycles = {key: tool.lifecycle() for key, tool in self._tools.items()}
        states = [(tool, lifecycles[key].state) for key, tool in self._tools.items()]
        return Restored(
            total_events=self._events,
            next_sequence=None,
            messages=paired(self._history, lifecycles),
            pending=self._actions(states, "pending"),
            uncertain=self._actions(states, "uncertain"),
            completed=_ids(states, "completed"),
            failed=_ids(states, "failed"),
            checkpoint=self._checkpoint,
            terminal=self._terminal,
            run_id=self._run,
            step=self._step,
            turn_count=self._turns,
        )

    def _add_message(self, payload: Record, run: str) -> None:
        role = payload.get("role", "assistant")
        self._turns += role == "user"
        self._history.append(
            {
                "role": role,
                "content": payload.get("content", ""),
                "metadata": {**metadata_of(payload), "_transcript_run_id": run},
            }
        )

    def _add_lifecycle(self, event: Event, payload: Record, run: str) -> None:
        named = payload.get("tool_call_id")
        if not named:
            return
        key = (run, str(named))
        tool = self._tools.get(key)
        if tool is None:
            tool = self._tools[key] = _Tool(str(named), run)
        tool.add(event, payload)

    def _actions(self, states: list[tuple[_Tool, Any]], wanted: Any) -> tuple[Action, ...]:
        found = ((tool, tool.opened, tool.last) for tool, state in states if state == wanted)
        return tuple(
            action_of(_call_of(tool, opened, last), wanted, self._directory)
            for tool, opened, last in found
            if opened and last
        )


def _call_of(tool: _Tool, opened: Event, last: Event) -> Event:
    """Return the call as the loader sees it: id and place of its start, content of its last one."""
    return last._replace(
        kind="call",
        event_id=opened.event_id,
        place=opened.place,
        at=opened.at,
        tool=tool.name,
        call_id=tool.call_id,
        run=tool.run,
    )


def _ids(states: list[tuple[_Tool, Any]], wanted: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tool.call_id for tool, state in states if state == wanted))
