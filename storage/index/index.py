"""What was read of the transcripts, kept in SQLite so that nothing is read twice.

Disposable: it can be rebuilt from the transcripts at any time. One connection a thread.
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
    """Tokens of one transcript in one quarter."""

    path: Path
    quarter: int
    """Since 1970."""
    model: str
    source: str
    """The session that the records were copied from, "" where they are its own."""
    tokens: Usage
    responses: int


class Index:
    """The stored readings of transcripts, by path.

    Where none can be kept (read-only or full disk), or where it fails later, it lives in memory.
    `on_loss` hears that what was stored is not there any more.
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
        """What went wrong with the index, in a sentence; "" if nothing did."""
        notices = [self._file.problem]
        if self._file.is_busy:
            notices.append("another program holds the index, and nothing is kept until it is free")
        notices += [
            f"{path} cannot be kept in the index: {why}" for path, why in self.unfit.items()
        ]
        return "; ".join(filter(None, notices))

    @property
    def is_busy(self) -> bool:
        """Whether another program kept the last change from being made."""
        return self._file.is_busy

    @property
    def lasts(self) -> bool:
        """Whether what is stored is there when the program starts again."""
        return self._file.is_kept

    @property
    def is_kept(self) -> bool:
        """Whether all that was to be stored is, and lasts."""
        return self.lasts and not self._file.is_busy and not self.unfit

    def load(self, path: Path, session: str) -> Transcript | None:
        """The transcript as far as it was read; None where it is not known."""
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
        """Every known file."""
        return [Path(os.fsdecode(path)) for (path,) in self._file.rows("select path from files")]

    def known(self, path: Path) -> Overview | None:
        """What is known of a file; None where it was not read whole."""
        sql = "select known from files where path = ? and known is not null"
        for (known,) in self._file.rows(sql, os.fsencode(path)):
            return self._decoded(partial(_known, known))
        return None

    def held(self) -> dict[Path, int]:
        """How many records are stored of each file that was read whole."""
        rows = self._file.rows("select path, records from files where known is not null")
        return {Path(os.fsdecode(path)): records for path, records in rows}

    def pieces(self, path: Path) -> Iterator[tuple[Piece, int]]:
        """What was said in a transcript, the last piece first; with the latest time in the rest."""
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
        """What was said in all transcripts, as it is stored, some pieces at a time."""
        sql = """select file, piece, path, data from texts join files on files.id = file
            where (file, piece) > (?, ?) order by file, piece limit 32"""
        rows = self._file.rows(sql, -1, 0)
        while rows:
            yield [(Path(os.fsdecode(path)), data) for _, _, path, data in rows]
            rows = self._file.rows(sql, *rows[-1][:2])

    def usage(self) -> list[Used]:
        """Tokens by transcript, quarter, model and the session they were copied from."""
        sql = """select path, quarter, model, source, input, cached, output, responses
            from usage join files on id = file"""
        return [
            Used(Path(os.fsdecode(path)), quarter, model, source, Usage(*tokens), responses)
            for path, quarter, model, source, *tokens, responses in self._file.rows(sql)
        ]

    def calls(self) -> list[tuple[Path, int, str, str, int]]:
        """Path of the transcript, quarter of an hour, tool, source as for tokens, how many."""
        sql = "select path, quarter, tool, source, calls from calls join files on id = file"
        rows = self._file.rows(sql)
        return [(Path(os.fsdecode(path)), *rest) for path, *rest in rows]

    def edits(self) -> list[tuple[Path, str, int, int]]:
        """Path of the transcript, path of the file, how many edits, when the last one was."""
        rows = self._file.rows(
            "select f.path, e.path, edits, last from edits e join files f on id = file"
        )
        return [(Path(os.fsdecode(path)), *rest) for path, *rest in rows]

    def save(self, read: Iterable[tuple[Transcript, Overview | None]]) -> bool:
        """Keep what was read of transcripts, all or nothing; whether it is kept now.

        Without what is known of it, a transcript was read in part only. One that another program
        stores meanwhile is left to that; one that cannot be stored is `unfit`, the others are kept.
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
        """Forget files."""
        keys = [(os.fsencode(path),) for path in paths]
        for path in paths:
            self.unfit.pop(path, None)
        sql = "delete from files where path = ?"
        self._file.write(lambda: self._file.db.executemany(sql, keys))

    def _store(self, transcript: Transcript, known: Overview | None) -> bool:
        """Add what is new of a transcript, all of it or nothing; whether that has its place."""
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
        """What is stored, as it is used; None where it is of another shape, or damaged."""
        try:
            return decode()
        except DamagedDatabase as error:
            self._file.fail(error)
        except (KeyError, TypeError, ValueError):  # of another shape: to be read again
            pass
        return None


def stored_as_read(transcript: Transcript, index: Callable[[], Index]) -> Iterator[list[Event]]:
    """As `Transcript.advance`; `index` is asked for only where there is something to store."""
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
