"""One growing file as a person's evidence: read forward in slices, resumed where it was left.

A transcript never reads a byte twice while its file only grows, and starts anew where the file
was cut or replaced. It never writes, locks or creates anything beside the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from errno import ENOENT
from pathlib import Path
from typing import Any

from ..agents import DIALECTS
from ..agents.codebuddy.branches import Tree
from ..agents.mycodeagent.trace import Trace
from ..files.fingerprint import Fingerprint
from ..files.lines import LONGEST, Line, Span, opened, pread, split, tail_start, whole_lines
from ..folds.facts import Facts
from ..folds.integrity import Chain, chain_for
from ..folds.pairing import Pairing, call_key, is_late
from ..folds.repeats import Repeats, repeated
from ..folds.tally import SAID, Tally
from ..model.event import Dialect, Event, Place, Usage
from ..model.integrity import Integrity
from ..records.parsing import TORN, Damage, Tail, damaged, ending_of, is_blank, read_line
from ..stores.roots import TRANSCRIPTS
from .call_names import CallNames
from .format import Format, format_of
from .positions import REPEATED, Positions, code_of


class Transcript:
    """One file: positions, facts, open calls, integrity of its records from `origin` on.

    Past the start, records have no numbers, and only what is read counts."""

    def __init__(self, path: Path, session: str, origin: int = 0) -> None:
        self.path = path
        self.session = session
        self.origin = origin
        self.manner: Format | None = None
        self.generation = 0
        """Grows when the file was cut or replaced and everything known of it was dropped."""
        self.bytes_read = 0
        self.begins_anew = False
        """Whether the next reading begins at the start: what was stored of it is lost."""
        self.inherited_before = 0
        """Of a fork the offset before which its calls are its source's, which asks about them."""
        stored = path.parts[-3:-1] == TRANSCRIPTS.parts
        self._project = str(path.absolute().parents[2]) if stored else None
        self._clear()

    def _clear(self) -> None:
        self.begins_anew = False
        self.positions = Positions()
        self.tally = Tally()
        self.is_fresh = True
        """Whether the index holds nothing of it, or of what was there before."""
        self.repeats = Repeats()
        self.pairing = Pairing()
        self.facts = Facts(open_calls=self.pairing.open)
        self.fingerprint = Fingerprint(offset=self.origin)
        self.lines = 0
        self.fault: int | None = None
        """The 0-based index of the record at which the evidence broke."""
        self._chain: Chain | None = None
        self.unescaped: set[int] = set()
        """Offsets of stretches that were looked through and escape no letters of ASCII."""
        self.tree = Tree()
        """Of the records, where it was asked for."""
        self.names = CallNames()
        """Which records name which file, as far as open calls were judged."""
        self.trace = Trace.beside(self.path) if self.origin == 0 else None
        """Where its tokens are told, if not in its records."""

    def begin_anew(self) -> None:
        """Read from the start next time, and count nothing until then."""
        self.begins_anew = True
        self.tally.stop()

    @property
    def dialect(self) -> Dialect:
        """The dialect; envelope while nothing was read."""
        return self.manner.dialect if self.manner else DIALECTS["envelope"]

    @property
    def chain(self) -> Chain:
        """The fold that judges the evidence."""
        if self._chain is None:
            self._chain = chain_for(self.dialect.NAME, self.session)
        return self._chain

    @property
    def directory(self) -> str | None:
        """Where the session's agent ran, which relative paths begin at."""
        if self.dialect.NAME != "mycodeagent":
            return self.facts.last_cwd
        return self._project

    def advance(self) -> Iterator[list[Event]]:
        """Read what is new, a slice at a time; between slices the state is whole.

        Raises OSError where the file cannot be read.
        """
        yield from self._advance()
        if self.trace is not None:
            for spent in self.trace.advance():
                for (quarter, model), (used, responses) in spent.items():
                    self.facts.use(used)
                    if self.tally.is_wanted:
                        self.tally.spend(quarter, model, used, responses)
                self.facts.spawned = list(self.trace.spawned)
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
                self.pairing.label()
                self.bytes_read += span.size
                self.fingerprint = self.fingerprint.advanced(fd, span.data, span.size).pressed(fd)
                yield events
            self.fingerprint = self.fingerprint.stood(stat)

    def read(self) -> None:
        """Read all that is new at once."""
        for _ in self.advance():
            pass

    @contextmanager
    def reading(self) -> Iterator[Callable[[int], Event]]:
        """A function that reads the event at a 0-based index, from the file as it is now.

        Raises OSError where the file is gone or is another one.
        """
        with self._same_file() as fd:
            yield lambda index: self._read_at(fd, index)

    def events(self) -> Iterator[Event]:
        """The events of all records that were read, in order; raises OSError as `reading` does.

        Faster than reading them one by one.
        """
        with self._same_file() as fd:
            number = 0
            for span in whole_lines(fd, self.origin, self.fingerprint.offset):
                for event in self._events_of(span, number):
                    number += 1
                    yield event

    def earlier(self, end: int, lines: int, limit: int) -> tuple[int, list[Event]]:
        """Where the last `lines` lines before `end` begin, and their events.

        `end` is where a line begins, at most `origin`. Raises OSError as `reading` does.
        """
        with self._same_file() as fd:
            start = tail_start(fd, end, lines, limit)
            spans, number = whole_lines(fd, start, end), len(self.positions)
            return start, [event for span in spans for event in self._events_of(span, number)]

    def event(self, index: int) -> Event:
        """The event of the record at a 0-based index; raises OSError as `reading` does."""
        with self.reading() as read:
            return read(index)

    def tail(self) -> list[Event]:
        """The events of the bytes after the last line end, were the file to end there.

        Empty where there are none or where they are torn.
        """
        return [event for _, event in self._read_tail()[1]]

    def integrity(self) -> Integrity:
        """Whether the evidence can be trusted, the tail included."""
        return self.ending()[0]

    def ending(self) -> tuple[Integrity, list[Event]]:
        """The integrity and the tail's events, for one look at the file."""
        state, events = self._read_tail()
        chain = self.chain
        if events:
            chain = chain_for(self.dialect.NAME, self.session, self.chain.as_json())
            for line, event in events:
                chain.add(event, line)
        return chain.verdict(state), [event for _, event in events]

    def tail_bytes(self) -> int:
        """Bytes after the last line end."""
        return max(0, self.fingerprint.size - self.fingerprint.offset)

    def is_torn(self) -> bool:
        """Whether the file ends in a line that was cut before its end."""
        return self._read_tail()[0] in TORN

    def as_json(self) -> dict[str, Any]:
        """Plain data from which reading can go on, positions apart."""
        manner = self.manner
        return {
            "dialect": manner.dialect.NAME if manner else None,
            # As JSON, which keeps what the index cannot: half a character.
            "inner": json.dumps(manner.inner) if manner else "null",
            "settled": manner.settled if manner else False,
            "lines": self.lines,
            "fingerprint": self.fingerprint.as_json(),
            "facts": self.facts.as_json(),
            "pairing": self.pairing.as_json(),
            "repeats": self.repeats.as_json(),
            "fault": self.fault,
            "chain": self.chain.as_json(),
            "trace": self.trace.as_json() if self.trace else None,
        }

    @classmethod
    def from_json(
        cls, path: Path, session: str, data: dict[str, Any], digests: Iterable[bytes] = ()
    ) -> Transcript:
        """What `as_json` gave, without positions; `digests` are the chunks of its repeats."""
        transcript = cls(path, session)
        if data["dialect"]:
            transcript.manner = Format(
                DIALECTS[data["dialect"]], json.loads(data["inner"]), data["settled"]
            )
        transcript.lines = data["lines"]
        transcript.fault = data["fault"]
        transcript.fingerprint = Fingerprint(**data["fingerprint"])
        transcript.pairing = Pairing.from_json(data["pairing"])
        transcript.repeats = Repeats.from_json(data["repeats"], digests)
        transcript.facts = Facts.from_json(data["facts"])
        transcript.facts.open_calls = transcript.pairing.open
        transcript._chain = chain_for(transcript.dialect.NAME, session, data["chain"])
        if transcript.trace is not None:
            transcript.trace.load(data["trace"])
        return transcript

    def _resumes(self, fd: int, stat: os.stat_result) -> bool:
        started = self.fingerprint.offset > self.origin
        if stat.st_size < self.fingerprint.offset:
            return False
        if started and not self.fingerprint.holds(fd, stat, self.origin):
            return False
        return (self.manner is not None and self.manner.settled) or self._settles(fd, stat, started)

    def _settles(self, fd: int, stat: os.stat_result, started: bool) -> bool:
        """Look at the head again; whether what was read of the file was read in its manner."""
        before, now = self.manner, format_of(fd, stat.st_size)
        if started and before and (before.dialect, before.inner) != (now.dialect, now.inner):
            return False
        if not started:
            self._chain = None
        self.manner = now
        return True

    def _restart(self, fd: int, stat: os.stat_result) -> None:
        self.generation += 1
        self.manner = format_of(fd, stat.st_size)
        self.origin = tail_start(fd, min(self.origin, stat.st_size), 1, LONGEST)
        self._clear()

    @contextmanager
    def _same_file(self) -> Iterator[int]:
        with opened(self.path) as fd:
            stat = os.fstat(fd)
            if (stat.st_dev, stat.st_ino) != (self.fingerprint.device, self.fingerprint.inode):
                raise FileNotFoundError(ENOENT, "the file was replaced", str(self.path))
            yield fd

    def _events_of(self, span: Span, number: int) -> Iterator[Event]:
        """The events of whole lines that come after so many records."""
        if span.data is None:
            yield self._too_long(span, number + 1 if self.origin == 0 else None)
            return
        for line in split(span.data, span.offset, self.dialect.STRICT):
            if not is_blank(line.data):
                number += 1
                event = self._event(line, number if self.origin == 0 else None)
                yield self._as_kept(event, number - 1)

    def _take(self, span: Span) -> Iterator[Event]:
        if span.data is None:
            self.lines += 1
            yield self._add(self._too_long(span, self._next_number()))
            return
        for line in split(span.data, span.offset, self.dialect.STRICT):
            self.lines += 1
            if is_blank(line.data):
                self.chain.blank(self.lines)
            else:
                yield self._add(self._event(line, self._next_number()))

    def _add(self, event: Event) -> Event:
        index = len(self.positions.offsets) + 1
        if self.repeats.is_one(event):
            return self._add_repeat(repeated(event))
        call, merged = self.pairing.add(event, index)
        text = event.text if event.kind in SAID else ""
        self.positions.add(event.place.offset, code_of(event, merged, text), call)
        if merged and event.stage != "told":
            self.positions.link(call - 1, index)
        used = self.facts.add(event, text)
        if not call and self.facts.ancestry.continues and is_late(event):
            self.facts.ancestry.answer(call_key(event) or "", event.place.offset)
        self.chain.add(event, self.lines)
        if self.tally.is_wanted and self.origin == 0:
            self._count(event, index - 1, text, used, merged)
        if self.fault is None and self.origin == 0 and self.chain.is_broken:
            self.fault = index - 1
        return event

    def _add_repeat(self, event: Event) -> Event:
        """Keep the place of a record that was there before, and count nothing of it."""
        self.positions.add(event.place.offset, REPEATED, 0)
        self.facts.repeat()
        self.chain.add(event, self.lines)
        return event

    def _as_kept(self, event: Event, index: int) -> Event:
        kinds = self.positions.kinds
        return repeated(event) if index < len(kinds) and kinds[index] == REPEATED else event

    def _count(self, event: Event, index: int, text: str, used: Usage | None, merged: bool) -> None:
        counts = event.kind == "call" and not merged
        source = self.facts.ancestry.source_of(event) if counts or used is not None else ""
        if text or counts:
            self.tally.add(event, index, text, self.directory, source)
        if used is not None:
            self.tally.use(event, used, self.facts.model, source)

    def with_other(self, index: int) -> tuple[Event, Event | None]:
        """The event at a 0-based index, and of a call its result, or its start where none came.

        Raises OSError as `reading` does.
        """
        link = self.positions.links[index]
        with self.reading() as read:
            event = read(index)
            return event, read(link - 1) if link and event.stage else None

    def awaits(self, index: int) -> bool:
        """Whether a result may still come for the call at a 0-based index: nothing moved on."""
        return self.facts.is_current(index + 1)

    def bounds(self, index: int) -> tuple[int, int]:
        """Where the line of a 0-based index begins and where what follows it begins."""
        last = index + 1 >= len(self.positions)
        end = self.fingerprint.offset if last else self.positions.offsets[index + 1]
        return self.positions.offsets[index], end

    def _read_at(self, fd: int, index: int) -> Event:
        start, end = self.bounds(index)
        number = index + 1 if self.origin == 0 else None
        if end - start > LONGEST:
            return self._too_long(Span(start, end - start, None), number)
        # Without its last line end: to take that off would copy a long line.
        lines = split(pread(fd, end - start - 1, start), start, self.dialect.STRICT)
        return self._as_kept(self._event(next(lines), number), index)

    def _next_number(self) -> int | None:
        return len(self.positions) + 1 if self.origin == 0 else None

    def _event(self, line: Line, number: int | None) -> Event:
        inner = self.manner.inner if self.manner else None
        place = Place(self.session, number, line.offset, len(line.data), inner)
        return read_line(line.data, place, self.dialect)

    def _too_long(self, span: Span, number: int | None) -> Event:
        place = Place(self.session, number, span.offset, span.size)
        sentence = f"the line is {span.size / 1e6:,.0f} MB long, more than can be shown"
        return damaged(place, self.dialect, Damage("too_long", sentence))

    def _read_tail(self) -> tuple[Tail, list[tuple[int, Event]]]:
        """What follows the last LF; its events, each with its line's number in the file."""
        size = self.tail_bytes()
        if not size:
            return "none", []
        if size > LONGEST:
            return "torn", []
        with opened(self.path) as fd:
            data = pread(fd, size, self.fingerprint.offset)
        state, lines = ending_of(data, self.fingerprint.offset, self.dialect.STRICT)
        first = len(self.positions) + 1
        return state, [
            (self.lines + count, self._event(line, number if self.origin == 0 else None))
            for number, (count, line) in enumerate(lines, first)
        ]


def open_at_end(path: Path, session: str, lines: int, limit: int) -> Transcript:
    """A transcript of the last `lines` lines, at most about `limit` bytes; not read yet."""
    with opened(path) as fd:
        return Transcript(path, session, tail_start(fd, os.fstat(fd).st_size, lines, limit))
