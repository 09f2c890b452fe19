"""The tables of the index, as `sqlite_utils` makes them."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

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


@migrations()
def places_of_calls(db: Database) -> None:
    """Open calls tell where their records stand, which only a new reading can know."""
    db.execute("delete from files")
