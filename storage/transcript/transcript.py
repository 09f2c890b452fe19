"""One transcript: a growing file, read forward in slices and resumed where reading stopped.

No byte is read twice as long as the file only grows; if it was truncated or replaced, reading
starts over. Nothing is written, locked or created next to the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from ..agents import AGENTS
from ..files.fingerprint import Fingerprint, reopened
from ..files.lines import LONGEST, Line, Span, opened, pread, split, tail_start, whole_lines
from ..folds.branches import Tree
from ..folds.integrity import chain_for
from ..folds.repeats import made_up, repeated
from ..model.agent import Agent
from ..model.event import Event, Place
from ..model.integrity import Integrity, Tail
from ..model.rules import Ledger
from ..records.parsing import TORN, Damage, damaged, ending_of, is_blank, read_events, read_line
from .call_names import CallNames
from .folds import Folds
from .format import Format, format_of
from .positions import MADE_UP, REPEATED, Positions


@dataclass(slots=True)
class Caches:
    """Results computed on demand from a transcript's records; valid while those are unchanged."""

    tree: Tree | None = None
    """Of the records, if a branch was abandoned."""
    names: CallNames = field(default_factory=CallNames)
    """Which records name which file, as far as open calls were judged."""
    unescaped: set[int] = field(default_factory=set)
    """Offsets of stretches that were looked through and escape no letters of ASCII."""


class Transcript:
    """One file: its events, and what is folded from its records from offset `origin` on.

    If `origin` is not 0, records have no numbers, and only what was read is counted."""

    def __init__(self, path: Path, session: str, origin: int = 0) -> None:
        self.path = path
        self.session = session
        self.origin = origin
        self.format: Format | None = None
        self.generation = 0
        """Incremented when the file was truncated or replaced and reading started over."""
        self.bytes_read = 0
        self.begins_anew = False
        """Whether the next read starts over, because what was stored was lost."""
        self.inherited_before = 0
        """For a fork, the offset before which its calls belong to its source."""
        self._clear()

    def _clear(self) -> None:
        self._go_on(Folds(self.path, self.session, self.origin == 0))
        self.fingerprint = Fingerprint(offset=self.origin)
        self.ledger: Ledger | None = None
        """The file that reports its tokens, if its records do not."""

    def _go_on(self, folds: Folds) -> None:
        self.folds, self.positions, self.facts = folds, folds.positions, folds.facts
        self.caches = Caches()
        self.begins_anew = False

    def begin_anew(self) -> None:
        """Start over with the next read, and count nothing until then."""
        self.begins_anew = True
        self.folds.tally.stop()

    @property
    def agent(self) -> Agent:
        """The agent that wrote it; `UNKNOWN` before anything was read."""
        return self.folds.agent

    @property
    def directory(self) -> str | None:
        """The working directory of the session's agent, which relative paths are relative to."""
        return self.folds.directory

    def advance(self, ledger: bool = True) -> Iterator[list[Event]]:
        """Read what is new, one slice at a time; between slices the state is consistent.

        `ledger`: whether tokens that only a file next to it reports are counted. Raises OSError
        where the file cannot be read.
        """
        yield from self._advance()
        if ledger and self.ledger is not None:
            for spent in self.ledger.advance():
                for (quarter, model), (used, responses) in spent.items():
                    self.facts.use(used)
                    if self.folds.tally.is_wanted:
                        self.folds.tally.spend(quarter, model, used, responses)
                self.facts.spawned = list(self.ledger.spawned)
                yield []

    def _advance(self) -> Iterator[list[Event]]:
        with opened(self.path) as fd:
            stat = os.fstat(fd)
            if self.fingerprint.unchanged(stat) and not self.begins_anew:
                return
            if self.begins_anew or not self._resumes(fd, stat):
                self._restart(fd, stat)
            self.fingerprint = self.fingerprint.entered(stat)
            for span in whole_lines(fd, self.fingerprint.offset, stat.st_size):
                events = list(self._take(span))
                self.folds.pairing.label()
                self.bytes_read += span.size
                self.fingerprint = self.fingerprint.advanced(fd, span.data, span.size).pressed(fd)
                yield events
            self.fingerprint = self.fingerprint.stood(stat)

    def read(self, ledger: bool = True) -> None:
        """Read everything new at once; `ledger` as for `advance`."""
        for _ in self.advance(ledger):
            pass

    @contextmanager
    def reading(self) -> Iterator[Callable[[int], Event]]:
        """Yield a function that reads the event at a 0-based index from the current file.

        Raises OSError if the file is gone or was replaced.
        """
        with reopened(self.path, self.fingerprint) as fd:
            yield lambda index: self._read_at(fd, index)

    def events(self) -> Iterator[Event]:
        """Yield all events read so far, in order; faster than reading them one by one.

        Raises OSError as `reading` does.
        """
        with reopened(self.path, self.fingerprint) as fd:
            index = 0
            for span in whole_lines(fd, self.origin, self.fingerprint.offset):
                for event in self._events_of(span, index):
                    index += 1
                    yield event

    def earlier(self, end: int, lines: int, limit: int) -> tuple[int, list[Event]]:
        """Return the offset at which the last `lines` lines before `end` begin, and their events.

        `end` is the start of a line, at most `origin`. Raises OSError as `reading` does.
        """
        with reopened(self.path, self.fingerprint) as fd:
            start = tail_start(fd, end, lines, limit)
            spans, number = whole_lines(fd, start, end), len(self.positions)
            return start, [event for span in spans for event in self._events_of(span, number)]

    def event(self, index: int) -> Event:
        """Return the event at a 0-based index; raises OSError as `reading` does."""
        with self.reading() as read:
            return read(index)

    def tail(self) -> list[Event]:
        """Return the events after the last line end, as if the file were complete.

        Empty if there are none, or if the last line is torn.
        """
        return [event for _, event in self._read_tail()[1]]

    def integrity(self) -> Integrity:
        """Return whether the transcript can be trusted, including its tail."""
        return self.ending()[0]

    def ending(self) -> tuple[Integrity, list[Event]]:
        """Return the integrity and the events of the tail, reading the tail once."""
        state, events = self._read_tail()
        chain = self.folds.chain
        if events:
            chain = chain_for(self.agent, self.session, chain.as_json())
            for line, event in events:
                if not event.place.block:
                    chain.add(event, line)
        return chain.verdict(state), [event for _, event in events]

    def tail_bytes(self) -> int:
        """Return the number of bytes after the last line end."""
        return max(0, self.fingerprint.size - self.fingerprint.offset)

    def is_torn(self) -> bool:
        """Return whether the file ends in an incomplete line."""
        return self._read_tail()[0] in TORN

    def as_json(self) -> dict[str, Any]:
        """Return plain data from which reading can continue, without positions."""
        format = self.format
        return {
            "dialect": format.agent.name if format else None,
            # As JSON, which keeps what the index cannot: half a character.
            "inner": json.dumps(format.inner) if format else "null",
            "settled": format.settled if format else False,
            "fingerprint": self.fingerprint.as_json(),
            "trace": self.ledger.as_json() if self.ledger else None,
            **self.folds.as_json(),
        }

    @classmethod
    def from_json(
        cls, path: Path, session: str, data: dict[str, Any], digests: Iterable[bytes] = ()
    ) -> Transcript:
        """Restore from the result of `as_json`; `digests` are the chunks of its sieve."""
        transcript = cls(path, session)
        if data["dialect"]:
            transcript.format = Format(
                AGENTS[data["dialect"]], json.loads(data["inner"]), data["settled"]
            )
        transcript.fingerprint = Fingerprint(**data["fingerprint"])
        folds = transcript.folds
        folds.restore(transcript.format.agent if transcript.format else folds.agent, data, digests)
        transcript._go_on(folds)
        if transcript.format is not None:
            transcript.ledger = _ledger_of(transcript, transcript.format.agent)
        if transcript.ledger is not None and data["trace"] is not None:
            transcript.ledger.load(data["trace"])
        return transcript

    def _resumes(self, fd: int, stat: os.stat_result) -> bool:
        """Return whether what was read is unchanged, so that reading can continue."""
        started = self.fingerprint.offset > self.origin
        if stat.st_size < self.fingerprint.offset:
            return False
        if started and not self.fingerprint.holds(fd, stat, self.origin):
            return False
        before = self.format
        if before is not None and before.settled:
            return True
        now = format_of(fd, stat.st_size)
        if started and before and (before.agent, before.inner) != (now.agent, now.inner):
            return False
        if not started:
            self.folds.begin(now.agent)
            self.ledger = _ledger_of(self, now.agent)
        self.format = now
        return True

    def _restart(self, fd: int, stat: os.stat_result) -> None:
        self.generation += 1
        self.format = format_of(fd, stat.st_size)
        self.origin = tail_start(fd, min(self.origin, stat.st_size), 1, LONGEST)
        self._clear()
        self.folds.begin(self.format.agent)
        self.ledger = _ledger_of(self, self.format.agent)

    def _events_of(self, span: Span, index: int) -> Iterator[Event]:
        """Yield the events of whole lines; `index` is the number of events before them."""
        number = self.positions.number(index - 1) if index else 0
        if span.data is None:
            yield _too_long(self, span, number + 1 if self.origin == 0 else None)
            return
        for line in split(span.data, span.offset, self.agent.reader.strict):
            if not is_blank(line.data):
                number += 1
                for event in self._events(line, number if self.origin == 0 else None):
                    yield _as_kept(self.positions, event, index)
                    index += 1

    def _take(self, span: Span) -> Iterator[Event]:
        folds, positions, agent, reader = self.folds, self.positions, self.agent, self.agent.reader
        is_whole, several, offsets = self.origin == 0, reader.several, positions.offsets
        inner = self.format.inner if self.format else None
        if span.data is None:
            folds.lines += 1
            record = positions.records + 1
            yield folds.add(_too_long(self, span, record if is_whole else None), len(offsets) + 1)
            return
        for line in split(span.data, span.offset, reader.strict):
            folds.lines += 1
            if is_blank(line.data):
                folds.chain.blank(folds.lines)
            else:
                number = positions.records + 1 if is_whole else None
                if several:
                    for event in self._events(line, number):
                        yield folds.add(event, len(offsets) + 1)
                else:
                    place = Place(self.session, number, line.offset, len(line.data), inner)
                    yield folds.add(read_line(line.data, place, agent), len(offsets) + 1)

    def with_other(self, index: int) -> tuple[Event, Event | None]:
        """Return the event at a 0-based index; for a call also its result, or else its start.

        Raises OSError as `reading` does.
        """
        link = self.positions.links[index]
        with self.reading() as read:
            event = read(index)
            return event, read(link - 1) if link and event.stage else None

    def bounds(self, index: int) -> tuple[int, int]:
        """Return where the line of a 0-based index begins, and where the next one does."""
        positions = self.positions
        behind = positions.behind(index)
        last = behind >= len(positions)
        end = self.fingerprint.offset if last else positions.offsets[behind]
        return positions.offsets[positions.first_of(index)], end

    def _read_at(self, fd: int, index: int) -> Event:
        start, end = self.bounds(index)
        number = self.positions.number(index) if self.origin == 0 else None
        if end - start > LONGEST:
            return _too_long(self, Span(start, end - start, None), number)
        # Without its last line end: to take that off would copy a long line.
        lines = split(pread(fd, end - start - 1, start), start, self.agent.reader.strict)
        events = self._events(next(lines), number)
        block = index - self.positions.first_of(index)
        return _as_kept(self.positions, next(islice(events, block, None)), index)

    def _events(self, line: Line, number: int | None) -> Iterator[Event]:
        inner = self.format.inner if self.format else None
        place = Place(self.session, number, line.offset, len(line.data), inner)
        return read_events(line.data, place, self.agent)

    def _read_tail(self) -> tuple[Tail, list[tuple[int, Event]]]:
        """Return the state after the last LF, and its events with their line numbers."""
        size = self.tail_bytes()
        if not size:
            return "none", []
        if size > LONGEST:
            return "torn", []
        with opened(self.path) as fd:
            data = pread(fd, size, self.fingerprint.offset)
        state, lines = ending_of(data, self.fingerprint.offset, self.agent.reader.strict)
        first = self.positions.records + 1
        return state, [
            (self.folds.lines + count, event)
            for number, (count, line) in enumerate(lines, first)
            for event in self._events(line, number if self.origin == 0 else None)
        ]

    def index_of(self, event: Event) -> int:
        """Return the 0-based index of an event; one of the tail gets the number of events."""
        index = self.positions.index_of(event.place.address)
        return len(self.positions) if index is None else index


def open_at_end(path: Path, session: str, lines: int, limit: int) -> Transcript:
    """Return an unread transcript of the last `lines` lines, at most about `limit` bytes."""
    with opened(path) as fd:
        return Transcript(path, session, tail_start(fd, os.fstat(fd).st_size, lines, limit))


def _as_kept(positions: Positions, event: Event, index: int) -> Event:
    """Return the event at a 0-based index in the form in which it was counted."""
    kind = positions.kinds[index] if index < len(positions) else None
    if kind == REPEATED:
        return repeated(event)
    return made_up(event) if kind == MADE_UP else event


def _ledger_of(transcript: Transcript, agent: Agent) -> Ledger | None:
    is_whole = transcript.origin == 0
    return agent.ledger(transcript.path) if agent.ledger and is_whole else None


def _too_long(transcript: Transcript, span: Span, number: int | None) -> Event:
    place = Place(transcript.session, number, span.offset, span.size)
    sentence = f"the line is {span.size / 1e6:,.0f} MB long, more than can be shown"
    return damaged(place, transcript.agent, Damage("too_long", sentence))
