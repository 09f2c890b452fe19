"""The tables of the bookmarks, as `sqlite_utils` makes them."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("desk")


@migrations()
def bookmarks(db: Database) -> None:
    """One row a session that was looked at, and when the program was first run."""
    db.execute(
        """create table bookmarks (
            path blob primary key,
            cursor integer,
            read_to integer,
            seen_at integer not null
        ) strict"""
    )
    db.execute("create table beginning (at integer not null) strict")
