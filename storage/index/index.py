"""What was read of the transcripts, stored in SQLite so that nothing is read twice.

Disposable: it can be rebuilt from the transcripts at any time. One connection per thread.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson

from ..model.event import Event, Usage
from ..private.database import DamagedDatabase
from ..private.seal import unsealed
from ..transcript.overview import Overview
from ..transcript.transcript import Transcript
from .file import FILE as FILE
from .file import IndexFile
from .texts import Piece, unpacked
from .writer import Writer

T = TypeVar("T")

UNFIT = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
)
"""What is raised where it is not the database that is at fault, but what is to be stored."""


PARTIAL = 32 << 20
"""Bytes after which the reading of a long transcript is stored: a kill costs no more than that."""


class Used(NamedTuple):
    """Tokens of one transcript in a quarter of an hour."""

    path: Path
    quarter: int
    """Since 1970."""
    model: str
    source: str
    """The session that the records were copied from, "" where they are its own."""
    tokens: Usage
    responses: int


class Index:
    """The stored state of transcripts, by path.

    If it cannot be stored (read-only or full disk), or fails later, it is kept in memory. Calls
    `on_loss` when stored data was lost.
    """

    def __init__(
        self, directory: Path | None, on_loss: Callable[[], object] = lambda: None
    ) -> None:
        self._file = IndexFile(directory, on_loss)
        self.unfit: dict[Path, str] = {}
        """Transcripts that cannot be stored, and why."""

    def close(self) -> None:
        """Close the database."""
        self._file.close()

    @property
    def notice(self) -> str:
        """What went wrong with the index, in one sentence; "" if nothing did."""
        notices = [self._file.problem]
        if self._file.is_busy:
            notices.append("another program holds the index, and nothing is kept until it is free")
        notices += [
            f"{path} cannot be kept in the index: {why}" for path, why in self.unfit.items()
        ]
        return "; ".join(filter(None, notices))

    @property
    def is_busy(self) -> bool:
        """Whether the last change failed because another program was writing."""
        return self._file.is_busy

    @property
    def lasts(self) -> bool:
        """Whether stored data outlives this process."""
        return self._file.is_kept

    @property
    def is_kept(self) -> bool:
        """Whether everything was stored permanently."""
        return self.lasts and not self._file.is_busy and not self.unfit

    def load(self, path: Path, session: str) -> Transcript | None:
        """Return the transcript as far as it was read; None if it is not stored."""
        key = os.fsencode(path)
        found = self._file.rows("select id, records, state from files where path = ?", key)
        if not found:
            return None
        file, records, state = found[0]
        chunks = self._file.rows(
            "select offsets, kinds, links from positions where file = ? order by chunk", file
        )
        digests = self._file.rows("select data from digests where file = ? order by chunk", file)
        return self._decoded(lambda: _loaded(path, session, records, state, chunks, digests))

    def paths(self) -> list[Path]:
        """Return all stored files."""
        return [Path(os.fsdecode(path)) for (path,) in self._file.rows("select path from files")]

    def known(self, path: Path) -> Overview | None:
        """Return the overview of a file; None if it was not read completely."""
        sql = "select known from files where path = ? and known is not null"
        for (known,) in self._file.rows(sql, os.fsencode(path)):
            return self._decoded(partial(_known, known))
        return None

    def held(self) -> dict[Path, int]:
        """Return the number of stored records of each file that was read completely."""
        rows = self._file.rows("select path, records from files where known is not null")
        return {Path(os.fsdecode(path)): records for path, records in rows}

    def pieces(self, path: Path) -> Iterator[tuple[Piece, int]]:
        """Yield the texts of a transcript, last piece first, with the latest time of the rest."""
        sql = """select piece, newest, heads, data from texts
            where file = (select id from files where path = ?) order by piece"""
        rows = self._file.rows(sql, os.fsencode(path))
        before = accumulate((newest for _, newest, *_ in rows), max, initial=0)
        for (number, _, heads, data), rest in reversed([*zip(rows, before, strict=False)]):
            piece = self._decoded(partial(unpacked, number, heads, data))
            if piece is None:
                return
            yield piece, rest

    def texts(self) -> Iterator[list[tuple[Path, bytes]]]:
        """Yield the texts of all transcripts as stored, a few pieces at a time."""
        sql = """select file, piece, path, data from texts join files on files.id = file
            where (file, piece) > (?, ?) order by file, piece limit 32"""
        rows = self._file.rows(sql, -1, 0)
        while rows:
            yield [(Path(os.fsdecode(path)), data) for _, _, path, data in rows]
            rows = self._file.rows(sql, *rows[-1][:2])

    def usage(self) -> list[Used]:
        """Return the tokens by transcript, quarter, model and source of copies."""
        sql = """select path, quarter, model, source, input, cached, output, responses
            from usage join files on id = file"""
        return [
            Used(Path(os.fsdecode(path)), quarter, model, source, Usage(*tokens), responses)
            for path, quarter, model, source, *tokens, responses in self._file.rows(sql)
        ]

    def calls(self) -> list[tuple[Path, int, str, str, int]]:
        """Return calls: path of the transcript, quarter, tool, source of copies, count."""
        sql = "select path, quarter, tool, source, calls from calls join files on id = file"
        rows = self._file.rows(sql)
        return [(Path(os.fsdecode(path)), *rest) for path, *rest in rows]

    def edits(self) -> list[tuple[Path, str, int, int]]:
        """Return edits: path of the transcript, path of the file, count, time of the last."""
        rows = self._file.rows(
            "select f.path, e.path, edits, last from edits e join files f on id = file"
        )
        return [(Path(os.fsdecode(path)), *rest) for path, *rest in rows]

    def save(self, read: Iterable[tuple[Transcript, Overview | None]]) -> bool:
        """Save what was read of transcripts in one transaction; return whether it was saved.

        A transcript without overview was read partially. One that another program stored in the
        meantime is left to it; one that cannot be stored becomes `unfit`, the others are saved.
        """
        read = list(read)
        kept: list[Transcript] = []
        unfit: dict[Path, str] = {}

        def change() -> None:
            for transcript, known in read:
                try:
                    if self._store(transcript, known):
                        kept.append(transcript)
                except UNFIT as error:
                    unfit[transcript.path] = str(error)

        if not self._file.write(change):
            return False
        self.unfit |= unfit
        for transcript in kept:
            transcript.folds.stored()
            self.unfit.pop(transcript.path, None)
        for transcript in {transcript for transcript, _ in read}.difference(kept):
            transcript.folds.tally.stop()
        return True

    def remove(self, *paths: Path) -> None:
        """Remove files."""
        keys = [(os.fsencode(path),) for path in paths]
        for path in paths:
            self.unfit.pop(path, None)
        sql = "delete from files where path = ?"
        self._file.write(lambda: self._file.db.executemany(sql, keys))

    def _store(self, transcript: Transcript, known: Overview | None) -> bool:
        """Add everything new of a transcript, or nothing; return whether it could be added."""
        db = self._file.db
        db.execute("savepoint one")
        try:
            return Writer(db, transcript).save(known)
        except UNFIT:
            db.execute("rollback to one")
            raise
        finally:
            if db.in_transaction:  # a full disk may have ended it
                db.execute("release one")

    def _decoded(self, decode: Callable[[], T]) -> T | None:
        """Decode stored data; None if it is damaged or of another format."""
        try:
            return decode()
        except DamagedDatabase as error:
            self._file.fail(error)
        except (KeyError, TypeError, ValueError):  # of another shape: to be read again
            pass
        return None


def stored_as_read(transcript: Transcript, index: Callable[[], Index]) -> Iterator[list[Event]]:
    """Read like `Transcript.advance`, saving on the way; calls `index` only if necessary."""
    stored = transcript.bytes_read
    for events in transcript.advance():
        if transcript.bytes_read - stored >= PARTIAL:
            stored = transcript.bytes_read
            index().save([(transcript, None)])
        yield events


def _known(known: bytes) -> Overview:
    return Overview.from_json(orjson.loads(unsealed(known)))


def _loaded(
    path: Path,
    session: str,
    records: int,
    state: bytes,
    chunks: list[Any],
    digests: list[Any],
) -> Transcript | None:
    stored = (data for (data,) in digests)
    transcript = Transcript.from_json(path, session, orjson.loads(unsealed(state)), stored)
    for chunk in chunks:
        transcript.positions.load(*chunk)
    transcript.positions.cut(records)
    transcript.folds.is_fresh = False
    return transcript if len(transcript.positions) == records else None
