"""What was read of the transcripts, kept in SQLite so that nothing is read twice.

Disposable: it can be rebuilt from the transcripts at any time. An index that is damaged, or
written by a newer version, is set aside and a new one begun. One connection a thread.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from sqlite_utils import Database, Migrations

from .known import Known
from .text import well_formed
from .transcript import Transcript

FILE = "index.db"
BUSY_MS = 5_000

migrations = Migrations("index")


@migrations()
def files_and_positions(db: Database) -> None:
    """Files with where their reading got to, and the packed positions of their records."""
    db.execute(
        """create table files (
            id integer primary key,
            path blob not null unique,
            session text not null,
            records integer not null,
            known blob not null,
            state blob not null
        ) strict"""
    )
    db.execute(
        """create table positions (
            file integer not null references files(id) on delete cascade,
            chunk integer not null,
            offsets blob not null,
            kinds blob not null,
            links blob not null,
            primary key (file, chunk)
        ) strict, without rowid"""
    )


class Index:
    """The stored readings of transcripts, by path.

    `notice` says in a sentence what went wrong with an earlier index, "" if nothing did. Where
    no index can be kept (read-only or full disk), it lives in memory and says so.
    """

    def __init__(self, directory: Path | None) -> None:
        self.notice = ""
        self._db = self._open(directory)

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def load(self, path: Path, session: str) -> Transcript | None:
        """The transcript as far as it was read; None where it is not known."""
        found = self._one("select id, records, state from files where path = ?", path)
        if found is None:
            return None
        file, records, state = found
        transcript = Transcript.from_json(path, session, orjson.loads(state))
        self._load_positions(transcript, file, records)
        return transcript

    def known(self) -> Iterator[tuple[Path, Known]]:
        """Every file with what is known of it."""
        rows = self._db.execute("select path, known from files").fetchall()
        for path, known in rows:
            yield Path(os.fsdecode(path)), Known.from_json(orjson.loads(known))

    def save(self, read: Iterable[tuple[Transcript, Known]]) -> None:
        """Keep what was read of transcripts, all or nothing."""
        with self._writing():
            for transcript, known in read:
                self._save(transcript, known)

    def remove(self, *paths: Path) -> None:
        """Forget files."""
        with self._writing():
            self._db.conn.executemany(
                "delete from files where path = ?", [(os.fsencode(path),) for path in paths]
            )

    def _save(self, transcript: Transcript, known: Known) -> None:
        file = self._db.execute(
            """insert into files (path, session, records, known, state) values (?, ?, ?, ?, ?)
            on conflict (path) do update set session = excluded.session,
            records = excluded.records, known = excluded.known, state = excluded.state
            returning id""",
            (
                os.fsencode(transcript.path),
                well_formed(transcript.session),
                len(transcript.positions),
                orjson.dumps(_plain(known.as_json())),
                orjson.dumps(_plain(transcript.as_json())),
            ),
        ).fetchone()[0]
        self._db.conn.executemany(
            "insert or replace into positions values (?, ?, ?, ?, ?)",
            [(file, *chunk) for chunk in transcript.positions.changed_chunks()],
        )

    def _load_positions(self, transcript: Transcript, file: int, records: int) -> None:
        rows = self._db.execute(
            "select offsets, kinds, links from positions where file = ? order by chunk", (file,)
        )
        for row in rows.fetchall():
            transcript.positions.load(*row)
        transcript.positions.cut(records)

    def _one(self, sql: str, path: Path) -> Any:
        return self._db.execute(sql, (os.fsencode(path),)).fetchone()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.conn.rollback()
            raise
        self._db.conn.commit()

    def _open(self, directory: Path | None) -> Database:
        if directory is None:
            return _connect(None)
        path = directory / FILE
        try:
            return _connect(path)
        except sqlite3.DatabaseError as error:
            self.notice = f"the index was set aside and is made anew: {error}"
        except OSError as error:
            self.notice = f"no index can be kept in {directory}: {error.strerror}"
            return _connect(None)
        try:
            path.replace(path.with_suffix(".broken"))
            return _connect(path)
        except (sqlite3.DatabaseError, OSError) as error:
            self.notice = f"no index can be kept in {directory}: {error}"
            return _connect(None)


def _connect(path: Path | None) -> Database:
    if path is not None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    conn = sqlite3.connect(path or ":memory:", timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        return _prepare(Database(conn, execute_plugins=False))
    except BaseException:
        conn.close()
        raise


def _prepare(db: Database) -> Database:
    db.execute(f"pragma busy_timeout = {BUSY_MS}")
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = normal")
    db.execute("pragma foreign_keys = on")
    db.execute("pragma secure_delete = off")
    migrations.apply(db)
    return db


def _plain(value: Any) -> Any:
    """The value with lone surrogates replaced: what orjson and SQLite take."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
