"""Calls and the records that belong to them: start, result, and the result as shown to the model.

Call ids are not unique in practice: parallel calls may share one, and some providers count from
`call_0` in every response. A result therefore goes to the first open call of the newest response
with the same id and tool name; older calls stay open, because they were interrupted. A result of
another tool ends no call: only MyCodeAgent's own loader ignores the name.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

from ..model.event import Event, Kind
from .facts import OpenCall

REMEMBERED = 256
"""Number of finished calls that a late `told` record can still be matched to."""

LABEL = 200
"""Maximum length of a call's label, in characters."""


class Paired(NamedTuple):
    """What an event belongs to: the 1-based index of its call, 0 for none."""

    call: int = 0
    merged: bool = False
    """Whether the record is represented by the row of the call."""


ALONE = Paired()
QUIET: frozenset[Kind] = frozenset({"snapshot", "title", "meta", "unknown", "damaged"})
"""Kinds that may occur between the calls of one response."""


class Pairing:
    """The open calls of a transcript; constant time per event."""

    def __init__(self) -> None:
        self.open: dict[str, list[OpenCall]] = {}
        self._ended: OrderedDict[str, tuple[int, str]] = OrderedDict()
        self._batch = 0
        self._in_calls = False
        self._unlabelled: dict[int, Event] = {}
        """The calls added since the last `label`, by index."""

    def add(self, event: Event, index: int) -> Paired:
        """Process the event with the 1-based index `index`."""
        stage = event.stage
        if stage == "started" or stage == "requested":
            return self._call(event, index)
        if event.kind not in QUIET:
            self._in_calls = False
        if not stage:
            return ALONE
        return self._result(event) if stage == "ended" else self._told(event)

    @property
    def batch(self) -> int:
        """Number of the newest uninterrupted series of calls."""
        return self._batch

    def label(self) -> None:
        """Set the labels of the calls that are still open.

        Called occasionally rather than per call: most calls end soon, and computing a label takes
        longer than everything else done for a call here.
        """
        for index, event in self._unlabelled.items():
            calls = self.open.get(call_key(event) or f"#{index}", [])
            for at, call in enumerate(calls):
                if call.number == index:
                    calls[at] = call._replace(label=event.text[:LABEL])
        self._unlabelled.clear()

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the index."""
        calls = [[key, *call] for key, calls in self.open.items() for call in calls]
        return {
            "open": calls,
            "ended": [[key, *ended] for key, ended in self._ended.items()],
            "batch": self._batch,
            "in_calls": self._in_calls,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Pairing:
        """Restore from the result of `as_json`."""
        pairing = cls()
        for key, *fields in data["open"]:
            pairing.open.setdefault(key, []).append(OpenCall(*fields))
        pairing._ended = OrderedDict((key, (number, tool)) for key, number, tool in data["ended"])
        pairing._batch = data["batch"]
        pairing._in_calls = data["in_calls"]
        return pairing

    def _call(self, event: Event, index: int) -> Paired:
        if not self._in_calls:
            self._in_calls = True
            self._batch += 1
        key = call_key(event) or f"#{index}"
        calls = self.open.setdefault(key, [])
        if event.run is not None:
            same_step = [call for call in calls if call.step == event.step]
            if same_step and event.stage == "started":
                call = _requested(_of_tool(same_step, event.tool) or same_step)
                calls[calls.index(call)] = call._replace(
                    stage="started",
                    event_id=event.event_id,
                    at=event.at or call.at,
                    offset=event.place.address,
                    size=event.place.size,
                )
                return Paired(call.number, merged=True)
        calls.append(_opened(event, index, self._batch))
        self._unlabelled[index] = event
        return ALONE

    def _result(self, event: Event) -> Paired:
        key = call_key(event)
        if key is None:
            return ALONE
        calls = self.open.get(key, [])
        call = _matching(calls, event)
        if call is None:
            return Paired(self._ended_call(key, event))
        calls.remove(call)
        self._unlabelled.pop(call.number, None)
        if not calls:
            del self.open[key]
        self._remember(key, call)
        return Paired(call.number, merged=True)

    def _remember(self, key: str, call: OpenCall) -> None:
        """Remember the index of the last ended call with this id."""
        self._ended[key] = call.number, call.tool
        self._ended.move_to_end(key)
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)

    def _ended_call(self, key: str, event: Event) -> int:
        """Return the index of the ended call that a late record belongs to; 0 if none."""
        number, tool = self._ended.get(key, (0, ""))
        is_its = event.run is not None or not event.tool or tool in ("", event.tool)
        return number if is_its else 0

    def call_of(self, event: Event) -> int:
        """Return the 1-based index of the call of a result or `told` record; 0 if none."""
        key = call_key(event)
        if key is None:
            return 0
        call = _matching(self.open.get(key, []), event)
        return call.number if call else self._ended_call(key, event)

    def _told(self, event: Event) -> Paired:
        call = self.call_of(event)
        return Paired(call, merged=bool(call))


def call_key(event: Event) -> str | None:
    """Return what the records of one call share: run (if the format has runs) and call id."""
    if event.call_id is None:
        return None
    return event.call_id if event.run is None else f"{event.run}\x1f{event.call_id}"


def is_late(event: Event) -> bool:
    """Return whether a record without a call in its file may belong to one in an earlier part.

    This holds for results, and for starts of calls whose request is a record of its own.
    """
    if event.call_id is None:
        return False
    return event.stage == "ended" or (event.stage == "started" and event.run is not None)


def _opened(event: Event, index: int, batch: int) -> OpenCall:
    return OpenCall(
        number=index,
        event_id=event.event_id,
        call_id=event.call_id,
        run=event.run,
        step=event.step,
        batch=batch,
        tool=event.tool or "",
        at=event.at,
        stage=event.stage,
        label="",
        offset=event.place.address,
        size=event.place.size,
    )


def _matching(calls: list[OpenCall], event: Event) -> OpenCall | None:
    """Return the call that a result answers; None if none is of the same tool.

    Prefers the call of the same step if the format counts steps, else one of the newest response.
    """
    if len(calls) == 1 and calls[0].tool == event.tool:
        return calls[0]
    named = _of_tool(calls, event.tool) or (calls if event.run is not None else [])
    same_step = [call for call in named if event.step is not None and call.step == event.step]
    if same_step:
        return same_step[0]
    return _newest(named) if named else None


def _of_tool(calls: list[OpenCall], tool: str | None) -> list[OpenCall]:
    """Return the calls of a tool, else those without a name; all calls if `tool` is empty."""
    if not tool:
        return calls
    named = [call for call in calls if call.tool == tool]
    return named or [call for call in calls if not call.tool]


def _newest(calls: list[OpenCall]) -> OpenCall:
    """Return the first call of the newest response."""
    newest = calls[-1].batch
    return next(call for call in calls if call.batch == newest)


def _requested(calls: list[OpenCall]) -> OpenCall:
    """Return the first call that has not started yet, else the first call."""
    return next((call for call in calls if call.stage == "requested"), calls[0])
