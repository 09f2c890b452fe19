"""Memory rules for MyCodeAgent: what its own deriver produces, word for word.

Adds the open items of its TodoWrite lists, which the agent itself forgets. Like the agent, it
identifies calls by run and id alone: once an id ended in a run, it has ended.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

from ...folds.facts import MOVES_ON
from ...folds.pairing import QUIET
from ...memory.notes import Notes
from ...memory.todos import Todos
from ...model.event import FOREIGN, Event, Kind, Record, Stage
from ...model.memory import MAYBE_RUNNING, ListName, MemoryItem, Source, item_of
from ...model.timeline import Alive, open_state
from ...records.fields import mapping
from ...records.typed import typed_text
from . import AGENT
from .reader import payload_of

REMEMBERED = 4096
"""Maximum number of ended calls remembered by id, to ignore late records of them."""

_BLOCKED = "Completion gate blocked finalization pending verification."
_UNRECOVERED = "Model recovery failed and required terminal fallback."


class Mark(NamedTuple):
    """One record in the lifecycle of a call."""

    event_id: str | None
    step: int | None
    at: int | None
    offset: int


class OpenAction(NamedTuple):
    """A call without a known end, and its latest records."""

    name: str
    call_id: str
    number: int
    """Number of its first record."""
    batch: int
    requested: Mark | None = None
    started: Mark | None = None


class MyCodeAgentRules:
    """Adds to the notes what events state; constant time per event."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._todos = Todos()
        self._open: dict[str, OpenAction] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._number = 0
        self._moved_on = 0
        self._batch = 0
        """Counts uninterrupted series of calls, as `Pairing` does."""
        self._in_calls = False
        self._readers: dict[Kind, Callable[[Event], None]] = {
            "prompt": self._prompt,
            "answer": self._answer,
            "transition": self._transition,
            "checkpoint": self._checkpoint,
            "terminal": self._terminal,
            "call": self._lifecycle,
            "result": self._lifecycle,
            "unknown": self._unknown,
        }

    def add(self, event: Event) -> None:
        """Process the next event."""
        self._number += 1
        kind = event.kind
        if event.stage in ("requested", "started"):
            self._batch += not self._in_calls
            self._in_calls = True
        elif kind not in QUIET:
            self._in_calls = False
        if kind in MOVES_ON:
            self._moved_on = self._number
        if reader := self._readers.get(kind):
            reader(event)

    def typed(self, goal: str) -> str:
        """Return what the user typed of a goal, which is stored as the agent stores it."""
        return typed_text(goal) or goal

    def interrupt(self) -> None:
        """Mark the open calls as interrupted: their results will never arrive."""
        self._moved_on = self._number

    def standing(self, alive: Alive, since: int = 0) -> dict[ListName, list[MemoryItem]]:
        """Return the items that hold until more events arrive: open calls and todo items."""
        recent = [one for one in self._open.values() if one.number > self._moved_on]
        newest = max((one.batch for one in recent), default=0)
        todo: list[MemoryItem | None] = []
        doubts, unknown = list[MemoryItem](), list[MemoryItem]()
        for key in sorted(self._open):
            action = self._open[key]
            awaited = action in recent and action.batch == newest
            stage: Stage = "started" if action.started else "requested"
            state = open_state(stage, action.name in AGENT.tools.questions, awaited, alive)
            if state == "unknown":
                unknown.append(_unknown(action))
            elif state == "uncertain":
                doubts.append(_doubt(action))
            if state == "uncertain" or (
                state == "pending" and not (awaited and alive is not False)
            ):
                todo.append(_todo(action))
        return {
            "todo_items": [*filter(None, todo), *self._todos.items()],
            "verification_status": [*unknown, *doubts],
        }

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `restore`."""
        return {
            "todos": self._todos.as_json(),
            "batch": self._batch,
            "in_calls": self._in_calls,
            "open": [[key, *action] for key, action in self._open.items()],
            "ended": list(self._ended),
            "number": self._number,
            "moved_on": self._moved_on,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Continue from the result of `as_json`."""
        self._todos.restore(data["todos"])
        self._batch, self._in_calls = data["batch"], data["in_calls"]
        for key, *known, requested, started in data["open"]:
            marks = [Mark(*mark) if mark else None for mark in (requested, started)]
            self._open[key] = OpenAction(*known, *marks)
        self._ended = OrderedDict.fromkeys(data["ended"])
        self._number = data["number"]
        self._moved_on = data["moved_on"]

    def _prompt(self, event: Event) -> None:
        self._notes.goal = item_of(_content(event), event)

    def _answer(self, event: Event) -> None:
        if event.outcome == "final" and (words := _content(event)):
            self._notes.write(
                "completed_work", f"Assistant produced final response: {words}", event
            )

    def _transition(self, event: Event) -> None:
        payload = payload_of(event.record)
        reason = payload.get("reason")
        if reason == "context_compacted":
            compact = _named(mapping(payload.get("details")).get("checkpoint_id"))
            self._notes.write("key_decisions", f"Created compact checkpoint {compact}", event)
        elif reason == "stop_hook_blocking":
            self._notes.write("verification_status", _BLOCKED, event)
        elif reason == "model_recovery_failed":
            self._notes.write("failed_attempts", _UNRECOVERED, event)

    def _checkpoint(self, event: Event) -> None:
        checkpoint = _named(payload_of(event.record).get("checkpoint_id"))
        self._notes.write("key_decisions", f"Recorded checkpoint {checkpoint}", event)

    def _terminal(self, event: Event) -> None:
        if reason := payload_of(event.record).get("reason"):
            text = f"Run ended with terminal reason {_spelled(reason)}."
            self._notes.write("verification_status", text, event)

    def _unknown(self, event: Event) -> None:
        """Process a lifecycle record with an unknown status, which names its call nevertheless."""
        if event.record.get("event_type") == "tool_lifecycle" and event.problem != FOREIGN:
            self._lifecycle(event)

    def _lifecycle(self, event: Event) -> None:
        payload = payload_of(event.record)
        call_id = payload.get("tool_call_id")
        if not call_id:
            return
        name, call_id = _named(payload.get("tool_name")), _spelled(call_id)
        key = f"{event.run}\x1f{call_id}"
        if event.kind == "result":
            self._result(event, payload, name, call_id)
            self._end(key)
        elif key not in self._ended:
            self._note_open(key, event, name, call_id)

    def _result(self, event: Event, payload: Record, name: str, call_id: str) -> None:
        if event.outcome == "failed":
            self._notes.write("failed_attempts", f"Failed tool {name} ({call_id}).", event)
            return
        self._notes.write("completed_work", f"Completed tool {name} ({call_id}).", event)
        if name == "TodoWrite":
            data = mapping(mapping(payload.get("result")).get("data"))
            self._todos.write(data.get("todos"), item_of("", event))

    def _end(self, key: str) -> None:
        self._open.pop(key, None)
        self._ended[key] = None
        self._ended.move_to_end(key)
        if self._notes.keep is not None and len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)

    def _note_open(self, key: str, event: Event, name: str, call_id: str) -> None:
        before = self._open.get(key)
        requested = before.requested if before else None
        started = before.started if before else None
        mark = Mark(event.event_id, event.step, event.at, event.place.address)
        if event.stage == "requested":
            requested = mark
        elif event.stage == "started":
            started = mark
        number, batch = (before.number, before.batch) if before else (self._number, self._batch)
        # Run and id of one call may combine to the key of another: the first call's id is kept.
        known_id = before.call_id if before else call_id
        self._open[key] = OpenAction(name, known_id, number, batch, requested, started)


def _content(event: Event) -> str:
    content = payload_of(event.record).get("content")
    return "" if content is None else _spelled(content).strip()


def _named(value: Any) -> str:
    return _spelled(value or "unknown")


def _spelled(value: Any) -> str:
    """Return a value as Python's `str` gives it, which is how MyCodeAgent stores it."""
    try:
        return str(value)
    except RecursionError:
        return "nested too deeply to be told"


def _todo(action: OpenAction) -> MemoryItem | None:
    name, call_id = action.name, action.call_id
    if action.started:
        text = f"Resolve uncertain action for {name} ({call_id}) before claiming completion."
        return _item(text, action.requested or action.started, action.started, uncertain=True)
    if action.requested:
        text = f"Replan pending tool call {name} ({call_id})."
        return _item(text, action.requested, action.requested, uncertain=False)
    return None


def _doubt(action: OpenAction) -> MemoryItem:
    text = f"Uncertain tool action detected for {action.name} ({action.call_id})."
    assert action.started
    return _item(text, action.requested or action.started, action.started, uncertain=True)


def _unknown(action: OpenAction) -> MemoryItem:
    text = f"{MAYBE_RUNNING}: {action.name} ({action.call_id})"
    assert action.started
    return _item(text, action.requested or action.started, action.started, uncertain=False)


def _item(text: str, start: Mark, end: Mark, uncertain: bool) -> MemoryItem:
    source = Source(start.event_id, end.event_id, start.step, end.step)
    return MemoryItem(text, source, end.at, start.offset, uncertain)
