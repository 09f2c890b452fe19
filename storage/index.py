"""What was read of the transcripts, kept in SQLite so that nothing is read twice.

Disposable: it can be rebuilt from the transcripts at any time. An index that is damaged, or
written by a newer version, is set aside and a new one begun. One connection a thread.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from .database import Schema, open_database, set_aside
from .event import Usage
from .known import Known
from .storing import Storing
from .texts import Piece, unpacked
from .transcript import Transcript

FILE = "index.db"

SCHEMA = Schema(
    "index",
    ("files_and_positions", "places_of_calls", "counts_and_texts", "records_told_twice"),
    "index_schema",
)


class Used(NamedTuple):
    """Tokens of one transcript in one hour."""

    path: Path
    hour: int
    """Since 1970."""
    model: str
    source: str
    """The session that the records were copied from, "" where they are its own."""
    tokens: Usage
    responses: int


class Index:
    """The stored readings of transcripts, by path.

    `notice` says in a sentence what went wrong with the index, "" if nothing did. Where none can
    be kept (read-only or full disk), or where it fails later, it lives in memory.
    """

    def __init__(self, directory: Path | None) -> None:
        self.notice = ""
        self._path = directory / FILE if directory else None
        self._db = self._open()

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def load(self, path: Path, session: str) -> Transcript | None:
        """The transcript as far as it was read; None where it is not known."""
        key = os.fsencode(path)
        found = self._rows("select id, records, state from files where path = ?", key)
        if not found:
            return None
        file, records, state = found[0]
        chunks = self._rows(
            "select offsets, kinds, links from positions where file = ? order by chunk", file
        )
        with suppress(KeyError, TypeError, ValueError):  # of another shape: to be read again
            transcript = Transcript.from_json(path, session, orjson.loads(state))
            for chunk in chunks:
                transcript.positions.load(*chunk)
            transcript.positions.cut(records)
            transcript.is_fresh = False
            return transcript if len(transcript.positions) == records else None
        return None

    def paths(self) -> list[Path]:
        """Every known file."""
        return [Path(os.fsdecode(path)) for (path,) in self._rows("select path from files")]

    def known(self, path: Path) -> Known | None:
        """What is known of a file."""
        for (known,) in self._rows("select known from files where path = ?", os.fsencode(path)):
            with suppress(KeyError, TypeError, ValueError):  # not read whole, or of another shape
                return Known.from_json(orjson.loads(known))
        return None

    def pieces(self, path: Path) -> Iterator[Piece]:
        """What was said in a transcript, the last piece first."""
        sql = """select piece, heads, data from texts
            where file = (select id from files where path = ?) order by piece desc"""
        for number, heads, data in self._rows(sql, os.fsencode(path)):
            yield unpacked(number, heads, data)

    def usage(self) -> list[Used]:
        """Tokens by transcript, hour, model and the session they were copied from."""
        sql = """select path, hour, model, source, input, cached, output, responses
            from usage join files on id = file"""
        return [
            Used(Path(os.fsdecode(path)), hour, model, source, Usage(*tokens), responses)
            for path, hour, model, source, *tokens, responses in self._rows(sql)
        ]

    def calls(self) -> list[tuple[Path, int, str, str, int]]:
        """Path of the transcript, hour since 1970, tool, source as for tokens, how many calls."""
        sql = "select path, hour, tool, source, calls from calls join files on id = file"
        rows = self._rows(sql)
        return [(Path(os.fsdecode(path)), *rest) for path, *rest in rows]

    def edits(self) -> list[tuple[Path, str, int, int]]:
        """Path of the transcript, path of the file, how many edits, when the last one was."""
        rows = self._rows(
            "select f.path, e.path, edits, last from edits e join files f on id = file"
        )
        return [(Path(os.fsdecode(path)), *rest) for path, *rest in rows]

    def save(self, read: Iterable[tuple[Transcript, Known | None]]) -> bool:
        """Keep what was read of transcripts, all or nothing; whether it is kept now.

        Without what is known of it, a transcript was read in part only. One that another program
        stores meanwhile is left to that.
        """
        read = list(read)
        kept: list[Transcript] = []

        def change() -> None:
            for transcript, known in read:
                if Storing(self._db, transcript).save(known):
                    kept.append(transcript)

        if not self._write(change):
            return False
        for transcript in kept:
            transcript.positions.stored()
            transcript.tally.clear()
            transcript.is_fresh = False
        for transcript in {transcript for transcript, _ in read}.difference(kept):
            transcript.tally.stop()
        return True

    def remove(self, *paths: Path) -> None:
        """Forget files."""
        keys = [(os.fsencode(path),) for path in paths]
        self._write(lambda: self._db.executemany("delete from files where path = ?", keys))

    def _rows(self, sql: str, *values: object) -> list[Any]:
        try:
            return list(self._db.execute(sql, values).fetchall())
        except sqlite3.Error as error:
            self._fail(error)
            return []

    def _write(self, change: Callable[[], object]) -> bool:
        """Make a change, whole or not at all; whether it was made."""
        try:
            self._db.execute("begin immediate")
            change()
            self._db.commit()
        except sqlite3.Error as error:
            self._fail(error)
            return False
        finally:
            self._db.rollback()
        return True

    def _fail(self, error: sqlite3.Error) -> None:
        """Go on in memory, unless the database is only busy: then there is a next time."""
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            return
        self.notice = f"the index failed and is kept in memory until the next start: {error}"
        self._db.close()
        if self._path and not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):
                set_aside(self._path)
        self._db = open_database(None, SCHEMA)

    def _open(self) -> sqlite3.Connection:
        if self._path is None:
            return open_database(None, SCHEMA)
        try:
            return open_database(self._path, SCHEMA)
        except (sqlite3.OperationalError, OSError) as error:
            return self._open_in_memory(error)
        except sqlite3.DatabaseError as error:
            self.notice = f"the index was set aside and is made anew: {error}"
        try:
            set_aside(self._path)
            return open_database(self._path, SCHEMA)
        except (sqlite3.Error, OSError) as error:
            return self._open_in_memory(error)

    def _open_in_memory(self, error: Exception) -> sqlite3.Connection:
        reason = getattr(error, "strerror", None) or error
        directory = self._path.parent if self._path else None
        self.notice = f"no index can be kept in {directory}: {reason}"
        return open_database(None, SCHEMA)
