"""One transcript that is appended to, by this process and others at the same time.

A record is one `write` to a file opened for appending, under the lock, and on disk before it is
reported. Only what others appended is read first, so that an append costs the same however long the
file is. A failed write is undone; if that fails too, a torn line remains, which readers ignore.
"""

from __future__ import annotations

import errno
import os
import stat as stats
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import NamedTuple, TypeVar, TypeVarTuple

from ..agents import detect
from ..files.lines import LONGEST, Line, Span, opened, pread, split, whole_lines
from ..folds.integrity import Chain, chain_for
from ..model.event import Event, Place, Record
from ..model.integrity import Integrity, Tail
from ..records.parsing import ending_of, is_blank, parse, read_line
from ..transcript.format import head_records
from .clock import Clock, time_by, utc_now
from .directories import drop_leftover, is_there, make_directories, make_file, open_file, reach_disk
from .drafts import Draft
from .errors import CannotContinue, NotKept, TornTail, Untrusted
from .form import Form, Mend
from .lock import PATIENCE, Lock
from .shards import is_begun

_FLAGS = (
    os.O_RDWR
    | os.O_APPEND
    | getattr(os, "O_NONBLOCK", 0)  # never wait for the other end of a pipe
    | getattr(os, "O_BINARY", 0)
)

Taker = Callable[[Event], None]

Late = Callable[[], Mapping[str, str]]
"""Returns fields of a record that depend on all records before it."""

Done = TypeVar("Done")
Given = TypeVarTuple("Given")


class Terms(NamedTuple):
    """How the files of a recording are written."""

    clock: Clock = utc_now
    sync: bool = True
    """Whether each record is on disk before it is reported."""
    limit: int | None = None
    """Maximum records per file; None for no limit."""
    patience: float = PATIENCE
    """Seconds to wait for other writers."""


class Log:
    """One file, existing or not; for use by one thread at a time.

    `takers` are called with every event of the file in order, including those of other writers. If
    one raises or is interrupted, its position is lost and all takers are dropped.
    """

    records: int
    end: int
    """Offset after the last line end that was read."""
    continues: str | None
    """The session named in the first record's `continues`."""
    handed_over: int
    """Number of records passed to the takers; without takers, those they need not see."""
    _lines: int
    _inner: str | None
    _chain: Chain
    _is_stale: bool
    """Whether an update of this state was interrupted, so that the file must be reread."""

    def __init__(self, path: Path, form: Form, terms: Terms) -> None:
        self.path = path
        self.session = path.stem.removeprefix(form.prefix)
        self.bytes_read = 0
        self.takers: list[Taker] = []
        self._form = form
        self._clock, self._sync, self._limit, patience = terms
        self._lock = Lock(path, patience)
        self._name = os.fspath(path)
        self._file: FileIO | None = None
        self._fd: int | None = None
        self._identity: tuple[int, int] | None = None
        self.handed_over = 0
        self._begin()

    def _begin(self) -> None:
        """Forget the file's contents."""
        self.records = self.end = self._lines = 0
        self.continues = self._inner = None
        self._chain = chain_for(self._form.agent, self.session)
        self._is_stale = False

    def append(
        self, draft: Draft, continues: str | None, late: Late | None, after: str | None = None
    ) -> Event | None:
        """Append a record and return its event.

        Returns None, with nothing done, if the file is full or the file `after` it was already
        begun. `continues`: the session that the file must continue, if any.
        """
        return self.exclusively(self._append, draft, continues, late, after)

    def _append(
        self, draft: Draft, continues: str | None, late: Late | None, after: str | None
    ) -> Event | None:
        size = self._read_on(self._limit)
        if continues is not None and self.records and self.continues != continues:
            raise CannotContinue(f"{self.path} is there already and does not continue {continues}.")
        is_full = self._limit is not None and self.records >= self._limit
        if is_full or (after is not None and is_begun(after)):
            self._judge(b"")  # a corrupt file is not continued
            return None
        if size > self.end or self._chain.is_broken:
            self._mend(size)
        return self._keep(draft, continues, late)

    def exclusively(self, work: Callable[[*Given], Done], *given: *Given) -> Done:
        """Call `work` while the file is open, if it exists, and locked."""
        try:
            if self._identity is None:
                make_directories(self.path.parent)
            with self._lock:
                if self._fd is None and (self._identity or is_there(self.path)):
                    self._open(open_file(self.path, _FLAGS))
                    with suppress(OSError):
                        drop_leftover(self.path)
                return work(*given)
        except BaseException as error:
            self._lock.close()  # an interruption may have come before the lock was released
            if isinstance(error, OSError):
                raise self._not_kept(error) from error
            raise

    def look(self) -> None:
        """Read what others appended. Raises as `append` does."""
        if self._fd is not None or self._is_there():
            self.exclusively(self.take_in)

    def take_in(self) -> None:
        """Do `look` within `exclusively`. A complete but unterminated last record is included.

        Raises Untrusted if the file is corrupt.
        """
        size = self._read_on()
        tail = self._tail(size)
        self._trust(tail)
        for _, event in self._ending(tail)[1]:
            if event.place.number == self.handed_over + 1:
                self._hand_over(event)

    def check(self) -> None:
        """Raise CannotContinue if the file must not be appended to; changes nothing."""
        if self._is_there():
            self.exclusively(lambda: self._needed_mend(self._read_on()))

    def flush(self) -> None:
        """Wait until everything written, and the file's name, is on disk."""
        if self._identity is None:
            return
        try:
            if self._fd is None:
                with opened(self.path) as fd:
                    os.fsync(fd)
            else:
                os.fsync(self._fd)
            reach_disk(self.path.parent)
        except OSError as error:
            raise self._not_kept(error) from error

    def close(self) -> None:
        """Close the file; it is reopened if needed."""
        self._lock.close()
        file, self._file, self._fd = self._file, None, None
        if file is not None:
            file.close()

    def _not_kept(self, error: OSError) -> NotKept:
        return NotKept(f"{self.path} cannot be written: {error.strerror or error}.")

    def _is_there(self) -> bool:
        try:
            return is_there(self.path)
        except OSError as error:
            raise self._not_kept(error) from error

    def _open(self, file: FileIO) -> None:
        stat = os.fstat(file.fileno())
        if not stats.S_ISREG(stat.st_mode):
            raise OSError(errno.EINVAL, "it is not a file")
        self._identity = self._identity or (stat.st_dev, stat.st_ino)
        self._file, self._fd = file, file.fileno()

    def _create(self, line: bytes) -> None:
        file = make_file(self.path, _FLAGS, lambda fd: self._write(fd, line, 0))
        try:
            if self._sync:
                reach_disk(self.path.parent)
        except OSError:
            with suppress(OSError):
                self.path.unlink()
            raise
        self._open(file)

    def _read_on(self, limit: int | None = None) -> int:
        """Read the lines appended since; return the file's size, which must not have shrunk.

        A full file is only read as far as needed to see that it is full, unless there are takers.
        The file must still be the one at its path.
        """
        if self._is_stale:
            self._begin()
        if self._fd is None:
            return 0
        stat = os.stat(self._name)  # noqa: PTH116 (a Path's own takes twice as long)
        if (stat.st_dev, stat.st_ino) != self._identity:
            raise NotKept(f"{self.path} was replaced; begin a new file.")
        if stat.st_size < self.end:
            raise Untrusted(f"{self.path} was cut by somebody; begin a new file.")
        if stat.st_size == self.end:
            return self.end
        for span in whole_lines(self._fd, self.end, stat.st_size):
            if not self.end:
                self._meet(list(head_records(self._fd, stat.st_size)))
            self._take(span)
            if limit is not None and self.records >= limit and not self.takers:
                break
        return stat.st_size

    def _meet(self, records: Sequence[Record]) -> None:
        """Check the format of the first records, and learn the session id in them."""
        agent = self._form.agent
        if records and (found := detect(records)) is not agent:
            raise Untrusted(f"{self.path} is written as {found.name}, not as {agent.name}.")
        names = (agent.reader.session_in(record) for record in records)
        self._inner = next((name for name in names if name), None)

    def _take(self, span: Span) -> None:
        if span.data is None:
            raise Untrusted(f"{self.path} holds a line of {span.size / 1e6:,.0f} MB.")
        self.bytes_read += span.size
        self._is_stale = True
        for line in split(span.data, span.offset, lone_cr=True):
            self._lines += 1
            if is_blank(line.data):
                self._chain.blank(self._lines)
            else:
                self._add(self._event(line))
        self.end = span.offset + span.size
        self._is_stale = False

    def _event(self, line: Line, earlier: int = 0) -> Event:
        """Return the event of the next line, or of the one `earlier` lines after it."""
        number = self.records + 1 + earlier
        place = Place(self.session, number, line.offset, len(line.data), self._inner)
        return read_line(line.data, place, self._form.agent)

    def _ending(self, tail: bytes) -> tuple[Tail, list[tuple[int, Event]]]:
        """Return the state of the tail, and its events, each with its line number in the file."""
        state, lines = ending_of(tail, self.end, strict=True)
        if len(lines) == 1 and not self.records:
            record = parse(lines[0][1].data, strict=True)
            self._meet([record] if isinstance(record, dict) else [])
        return state, [
            (self._lines + count, self._event(line, earlier))
            for earlier, (count, line) in enumerate(lines)
        ]

    def _add(self, event: Event) -> None:
        if not self.records:
            said = event.record.get("continues")
            self.continues = said if isinstance(said, str) else None
        self.records += 1
        self._chain.add(event, self._lines)
        if self.records > self.handed_over:
            self._hand_over(event)

    def _hand_over(self, event: Event) -> None:
        """Pass an event to each taker once, even if the file is reread or a line completed."""
        takers, self.takers = self.takers, []
        for take in takers:
            take(event)
        assert event.place.number is not None
        self.handed_over, self.takers = event.place.number, takers

    def _needed_mend(self, size: int) -> Mend:
        """Return what the end of the file needs before an append. Raises CannotContinue."""
        if size - self.end > LONGEST:
            self._judge(b"")
            length = f"{(size - self.end) / 1e6:,.0f} MB"
            raise TornTail(
                f"{self.path} may not be appended to: {length} follow its last line end."
            )
        tail = self._tail(size)
        self._judge(tail)
        try:
            return self._form.mend(tail)
        except TornTail as error:
            raise TornTail(f"{self.path} may not be appended to: {error}.") from None

    def _tail(self, size: int) -> bytes:
        """Return what follows the last line end; b"" if it is too long to be a record."""
        if self._fd is None or not 0 < size - self.end <= LONGEST:
            return b""
        return pread(self._fd, size - self.end, self.end)

    def _judge(self, tail: bytes) -> None:
        verdict = self._trust(tail)
        if self._chain.is_broken:
            raise TornTail(f"{self.path} may not be appended to: {verdict.detail}.")

    def _trust(self, tail: bytes) -> Integrity:
        """Return the file's integrity. Raises Untrusted if it is corrupt."""
        if not tail and not self._chain.is_broken:
            return Integrity()
        chain = self._chain
        state, events = self._ending(tail)
        if events:
            chain = chain_for(self._form.agent, self.session, chain.as_json())
            for line, event in events:
                chain.add(event, line)
        verdict = chain.verdict(state)
        if not verdict.is_trusted:
            raise Untrusted(f"{self.path} cannot be trusted: {verdict.detail}.")
        return verdict

    def _mend(self, size: int) -> None:
        mend = self._needed_mend(size)
        if self._fd is None or mend == "nothing":
            return
        if mend == "cut":
            os.ftruncate(self._fd, self.end)
        else:
            self._write(self._fd, b"\n", size)
            self._read_on()

    def _keep(self, draft: Draft, continues: str | None, late: Late | None) -> Event:
        session, number = self._inner or self.session, self.records + 1
        at = time_by(self._clock)
        if late is not None:
            draft = draft.settled(late())
        told = None if self.records else continues
        line, record = self._form.stamped(draft, session, number, at, told)
        self._create(line) if self._fd is None else self._write(self._fd, line, self.end)
        self._is_stale = True
        self._inner = self._inner or session
        place = Place(self.session, number, self.end, len(line) - 1, self._inner)
        event = self._form.agent.reader.read(record, place)
        self._lines += 1
        self.end += len(line)
        self._add(event)
        self._is_stale = False
        return event

    def _write(self, fd: int, data: bytes, at: int) -> None:
        """Append data at the end of the file, `at`, or restore its previous size."""
        try:
            if os.write(fd, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self._sync:
                os.fsync(fd)
        except OSError:
            with suppress(OSError):
                os.ftruncate(fd, at)
            raise
