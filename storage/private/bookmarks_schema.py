"""The tables of the bookmarks, created by `sqlite_utils`."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("desk")


@migrations()
def bookmarks(db: Database) -> None:
    """One row per session viewed, and the time of the program's first run."""
    db.execute(
        """create table bookmarks (
            path blob primary key,
            cursor integer,
            read_to integer,
            seen_at integer not null
        ) strict"""
    )
    db.execute("create table beginning (at integer not null) strict")
