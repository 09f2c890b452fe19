"""Decisions as rows of their table, each with a checksum against bytes that change on disk.

SQLite detects damage to its own structure, but not to the contents, and does not always notice a
page that lost a row. So every row is sealed with a checksum, and the file header holds the number
of rows.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast
from zlib import crc32

import orjson

from ..model.decision import Decision, DecisionKind
from ..text.folding import well_formed

_COLUMNS = ("at", "by", "kind", "session", "subject", "path", "sha256", "undoes", "value")

TRIGGERS = (
    """create trigger no_update before update on decisions
    begin select raise(abort, 'decisions are only ever added'); end""",
    """create trigger no_delete before delete on decisions
    begin select raise(abort, 'decisions are only ever added'); end""",
    # `insert or replace` deletes rows without firing the delete triggers.
    """create trigger no_replace before insert on decisions
    when exists (select 1 from decisions where id = new.id or undoes = new.undoes)
    begin select raise(abort, 'decisions are only ever added'); end""",
)
"""Triggers that keep rows from being changed."""

_NUMBERS = {"at", "undoes"}

# As bytes: damaged values may not be valid text.
_READ = ", ".join(name if name in _NUMBERS else f"cast({name} as blob)" for name in _COLUMNS)


class HistoryRows(NamedTuple):
    """Some rows of the history, in the order they were added."""

    decisions: list[Decision]
    """The rows whose checksum is correct."""
    damaged: tuple[int, ...] = ()
    """The ids of the other rows."""
    last: int = 0
    """The id of the last row."""

    def __len__(self) -> int:
        return len(self.decisions) + len(self.damaged)


def rows_after(db: sqlite3.Connection, last: int, is_sealed: bool = True) -> HistoryRows:
    """Return the rows after `last`. Without seals (an older version's file) all are trusted."""
    seal = "seal" if is_sealed else "null"
    sql = f"select id, {_READ}, {seal} from decisions where id > ? order by id"
    decisions, damaged = [], []
    for id, *row, seal in db.execute(sql, (last,)).fetchall():
        # A page that is read twice yields rows with valid seals in place of others.
        if id > last and (not is_sealed or seal == seal_of(id, row)):
            decisions.append(_decision(id, *row))
        else:
            damaged.append(id)
        last = max(last, id)
    return HistoryRows(decisions, tuple(damaged), last)


def add_row(db: sqlite3.Connection, id: int, decision: Decision, by: str) -> Decision:
    """Add a decision by a user under an id, sealed, and increment the row count."""
    values = (
        decision.at,
        by,
        decision.kind,
        decision.session,
        decision.subject,
        _encoded(decision.path),
        decision.sha256,
        decision.undoes,
        orjson.dumps(decision.value).decode(),
    )
    row = [value.encode() if isinstance(value, str) else value for value in values]
    marks = ", ".join("?" * (len(row) + 2))
    sql = f"insert into decisions (id, {', '.join(_COLUMNS)}, seal) values ({marks})"
    db.execute(sql, (id, *values, seal_of(id, row)))
    set_count(db, count_of(db) + 1)
    return _decision(id, *row)


def seal_all(db: sqlite3.Connection) -> None:
    """Seal the rows of a history that has no seals yet, and set the row count."""
    rows = db.execute(f"select id, {_READ} from decisions order by id").fetchall()
    db.executemany(
        "update decisions set seal = ? where id = ?",
        [(seal_of(id, row), id) for id, *row in rows],
    )
    set_count(db, len(rows))


def seal_of(id: int, row: Any) -> int:
    """Return the checksum of a row's values: numbers, None, and text as bytes."""
    # `repr` keeps adjacent values distinct.
    return crc32(repr((id, *row)).encode())


def count_of(db: sqlite3.Connection) -> int:
    """Return the number of rows according to the file header."""
    return int(db.execute("pragma user_version").fetchone()[0])


def set_count(db: sqlite3.Connection, count: int) -> None:
    """Set the number of rows in the file header."""
    db.execute(f"pragma user_version = {count:d}")


def _decision(id: int, *row: Any) -> Decision:
    at, by, kind, session, subject, path, sha256, undoes, value = row
    what = None
    with suppress(orjson.JSONDecodeError):  # written by hand: invalid, and ignored
        what = orjson.loads(value)
    by, kind, session, subject, sha256 = (
        str(part or b"", "utf-8", "replace") for part in (by, kind, session, subject, sha256)
    )
    place, kind = Path(os.fsdecode(path or b"")), cast(DecisionKind, kind)
    return Decision(id, at, by, kind, session, subject, place, sha256, undoes, what)


def _encoded(path: Path) -> bytes:
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:  # no file can have that name
        return os.fsencode(well_formed(str(path)))
