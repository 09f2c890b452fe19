"""The tables of the decisions, as `sqlite_utils` migrations."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from ..private.database import DamagedDatabase
from .rows import TRIGGERS, seal_all

migrations = Migrations("decisions")


@migrations()
def decisions(db: Database) -> None:
    """One row per decision, in the order they were made; rows are only ever added."""
    db.execute(
        """create table decisions (
            id integer primary key,
            at integer not null,
            by text not null,
            kind text not null check (kind in ('verdict', 'candidate', 'title', 'pin', 'hide')),
            session text not null,
            subject text not null,
            path blob not null,
            sha256 text not null,
            undoes integer unique references decisions(id),
            value text not null
        ) strict"""
    )
    for trigger in TRIGGERS:
        db.execute(trigger)


@migrations()
def seals(db: Database) -> None:
    """Every row has a checksum, and the file header holds the number of rows."""
    if (found := db.execute("pragma integrity_check(1)").fetchone()[0]) != "ok":
        raise DamagedDatabase(found)  # before damaged rows get a valid seal
    for name in ("no_update", "no_delete", "no_replace"):
        db.execute(f"drop trigger {name}")
    db.execute("alter table decisions add column seal integer not null default 0")
    seal_all(db.conn)
    for trigger in TRIGGERS:
        db.execute(trigger)
