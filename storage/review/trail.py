"""What the records around a call say about its file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile

from ..files.disk import Look
from ..folds.pairing import QUIET
from ..model.action import Action
from ..model.edits import Edit
from ..model.event import CODE, Event, Kind
from ..text.paths import absolute, is_same
from ..transcript.positions import MERGED_CALL
from ..transcript.transcript import Transcript

LOOK_BACK = 1000
"""Records before or after a call that are searched for its file. Agents usually read a file a few
dozen records before they change it; parsing the calls of a thousand records takes milliseconds."""

LOOK_AHEAD = 64
"""Records after a call that are searched for its snapshot. The snapshot comes next, apart from
calls made in parallel."""

MOST_OTHERS = 64
"""Maximum number of other edits of one file to compare. Reading and comparing one takes tens of
microseconds, and every open call compares all of them."""

LARGEST = 4 * 1024 * 1024
"""Maximum size of a record in bytes; larger ones are skipped."""

KEPT, SMALL = 512, 16 * 1024
"""Number of events cached for later calls, and the maximum size of each in bytes."""

_NAMING = frozenset({CODE["call"], CODE["snapshot"]})


@contextmanager
def trail_of(transcript: Transcript, action: Action) -> Iterator[Trail]:
    """Yield the records around an action's. Raises OSError if the transcript cannot be read."""
    with transcript.reading() as read:
        yield Trail(transcript, action, read)


class Trail:
    """The records around a call. Each query reads only the records that may answer it."""

    def __init__(
        self, transcript: Transcript, action: Action, read: Callable[[int], Event]
    ) -> None:
        self.transcript, self.action, self._read_anew = transcript, action, read
        self._positions = transcript.positions
        self._tail = transcript.tail()
        index = self._positions.index_of(action.offset)
        self._index = len(self._positions) if index is None else index
        self._call = None if index is None else self._positions.call_of(index)
        """The index of the call's request, if that is a separate record."""
        event = self._in_tail() if index is None else read(index)
        self._directory = transcript.directory
        self.directory = (event.cwd if event else None) or self._directory
        """The agent's working directory."""
        self.session = event.session_in if event else None
        """The session id according to the records: foreign."""

    def existed(self) -> bool:
        """Return whether the file is known to have existed before the call."""
        tools = self.transcript.agent.tools
        calls = self._calls_before(tools.opens | tools.edits)
        return any(self._went_well(index) for index in calls)

    def existed_if_gone(self, look: Look) -> bool | None:
        """Return True if a file that is gone existed before the call; None if unknown or there."""
        return True if not look.exists and self.existed() else None

    def reads(self) -> Iterator[Event]:
        """Yield the results of calls before this one that read the file, newest first."""
        for index in self._calls_before(self.transcript.agent.tools.opens):
            if (ended := self._ended(index)) is not None:
                yield ended

    def next_at(self) -> int | None:
        """Return the time of the next record (ms since 1970); None if there is none."""
        after = self._index + 1
        return self._read(after).at if after < len(self._positions) else None

    def is_alone(self) -> bool:
        """Return whether no other call in the same response may have changed a file."""
        tools = self.transcript.agent.tools
        beside = (tools.inner(event.tool, event.args)[0] for _, event in self._beside())
        return all(tool in tools.reads for tool in beside)

    def others(self) -> tuple[Edit, ...] | None:
        """Return other edits of the file, made in parallel or later, that may have been applied.

        None if there are too many to compare.
        """
        end = min(self._index + 1 + LOOK_BACK, len(self._positions))
        around = self._response()
        later = self._naming(range(self._index + 1, max(around.stop, end)), "call")
        earlier = self._naming(range(around.start, self._index), "call")
        calls = [index for index in later + earlier if index != self._call]
        if len(calls) > MOST_OTHERS:
            return None
        found = (self._carried_out(index) for index in calls)
        return tuple(dict.fromkeys(edit for edit in found if edit is not None))

    def _in_tail(self) -> Event | None:
        offset = self.action.offset
        return next((event for event in self._tail if event.place.address == offset), None)

    def _went_well(self, index: int) -> bool:
        ended = self._ended(index)
        return ended is not None and ended.outcome != "failed"

    def snapshots_naming(self) -> Iterator[Event]:
        """Yield the snapshots before the call that name this file alone, newest first."""
        for index in self._naming(range(max(0, self._index - LOOK_BACK), self._index), "snapshot"):
            event = self._read(index)
            if self.is_ours(event.file, event):
                yield event

    def snapshot_before(self) -> Event | None:
        """Return the last snapshot before the call."""
        before = next(self._before("snapshot"), None)
        return None if before is None else self._read(before)

    def snapshots_after(self) -> Iterator[Event]:
        """Yield the snapshots after the call in the same turn, oldest first."""
        end = min(self._index + 1 + LOOK_AHEAD, len(self._positions))
        for index in range(self._index + 1, end):
            kind = self._positions.kind(index)
            if kind == "prompt":
                return
            if kind == "snapshot" and self._is_small(index):
                yield self._read(index)
        if end == len(self._positions):
            yield from (event for event in self._tail if event.kind == "snapshot")

    def _calls_before(self, tools: frozenset[str]) -> Iterator[int]:
        """Yield the indexes of calls of the given tools on the file, newest first."""
        for index in self._naming(range(max(0, self._index - LOOK_BACK), self._index), "call"):
            if not self._has_end(index, self._index):
                continue
            event = self._read(index)
            if event.tool in tools and self.is_ours(event.file, event):
                yield index

    def _carried_out(self, index: int) -> Edit | None:
        """Return the edit of our file described by a call; None if it is known to have failed."""
        event = self._read(index)
        if not self.is_ours(event.file, event):
            return None
        if self._is_requested_in_tail(event):
            return None
        ended = self._result(index) if self._has_end(index, len(self._positions)) else None
        is_failed = ended is not None and ended.outcome == "failed"
        return None if is_failed else event.agent.tools.edit_of(event.tool, event.args)

    def _response(self) -> range:
        """Return the range of records around the call that belong to its response."""
        known = self.transcript.caches.names.response
        inside = self._index in known
        first, end = (known.start, known.stop) if inside else (self._index, self._index)
        while first and self._is_in_response(first - 1):
            first -= 1
        while end < len(self._positions) and (end == self._index or self._is_in_response(end)):
            end += 1
        self.transcript.caches.names.response = range(first, end)
        return range(first, end)

    def _beside(self) -> Iterator[tuple[int, Event]]:
        """Yield the other calls in the same response, with their indexes."""
        before = range(self._index - 1, -1, -1)
        after = range(self._index + 1, len(self._positions))
        for indexes in (before, after):
            yield from self._other_calls(takewhile(self._is_in_response, indexes))

    def _is_in_response(self, index: int) -> bool:
        kind = self._positions.kind(index)
        return kind == "call" or kind in QUIET

    def _other_calls(self, indexes: Iterable[int]) -> Iterator[tuple[int, Event]]:
        """Yield those of the given records that are calls, except our own."""
        for index in indexes:
            # The start of a call is merged with its request.
            if self._positions.kinds[index] != CODE["call"] or not self._is_small(index):
                continue
            event = self._read(index)
            if index != self._call and not self._is_requested_in_tail(event):
                yield index, event

    def _is_requested_in_tail(self, event: Event) -> bool:
        """Return whether a call is the one in question, whose start is an unterminated line."""
        is_in_tail = self._index == len(self._positions)
        return is_in_tail and event.call_id == self.action.call_id

    def _has_end(self, call: int, before: int) -> bool:
        """Return whether a call's result comes before an index, without reading either record."""
        linked = self._positions.links[call] - 1
        return call < linked < before and self._positions.kinds[linked] != MERGED_CALL

    def _naming(self, indexes: range, kind: Kind) -> list[int]:
        """Return the records of a kind whose file has the same name as ours, newest first."""
        if self.action.path is None:
            return []
        name = _name(self.action.path)
        found = self.transcript.caches.names.naming(
            name, indexes.start, indexes.stop, self._name_at
        )
        return [index for index in found if self._positions.kinds[index] == CODE[kind]][::-1]

    def _name_at(self, index: int) -> str | None:
        kind = self._positions.kinds[index]
        if kind not in _NAMING or not self._is_small(index):
            return None
        event = self._read(index)
        return _name(path) if (path := event.file) else None

    def _before(self, kind: Kind) -> Iterator[int]:
        code = CODE[kind]
        first = max(0, self._index - LOOK_BACK)
        for index in range(self._index - 1, first - 1, -1):
            if self._positions.kinds[index] == code and self._is_small(index):
                yield index

    def _ended(self, call: int) -> Event | None:
        """Return the result of a call, but ignore one that follows the call in question."""
        is_later = call < self._index <= self._positions.links[call] - 1
        return None if is_later else self._result(call)

    def _read(self, index: int) -> Event:
        """Return the event at an index, cached because nearby calls often read the same ones."""
        events = self.transcript.caches.names.events
        if (event := events.get(index)) is None:
            event = self._read_anew(index)
            if event.place.size <= SMALL:
                events[index] = event
            if len(events) > KEPT:
                del events[next(iter(events))]
        return event

    def _result(self, call: int) -> Event | None:
        index = self._positions.links[call] - 1
        if not call < index < len(self._positions) or not self._is_small(index):
            return None
        event = self._read(index)
        return event if event.stage == "ended" else None

    def _is_small(self, index: int) -> bool:
        start, end = self.transcript.bounds(index)
        return end - start <= LARGEST

    def is_ours(self, path: str | None, event: Event) -> bool:
        """Return whether a path, as an event spells it, is that of the action's file."""
        ours = self.action.path
        # Most paths differ in name; comparing whole paths costs a hundred times as much.
        if path is None or ours is None or _name(path) != _name(ours):
            return False
        named = absolute(path, event.cwd or self._directory)
        return named is not None and is_same(named, ours)


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].casefold()
