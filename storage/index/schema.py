"""The tables of the index, created with `sqlite_utils`, and its migrations."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("index")


@migrations()
def files_and_positions(db: Database) -> None:
    """Add files with their reading state, and the packed positions of their records."""
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
    """Open calls have the position of their record; everything must be read again."""
    db.execute("delete from files")


@migrations()
def counts_and_texts(db: Database) -> None:
    """Add usage and texts for queries across sessions."""
    db.execute("drop table positions")
    db.execute("drop table files")
    db.execute(
        """create table files (
            id integer primary key,
            path blob not null unique,
            session text not null,
            records integer not null,
            known blob,
            state blob not null
        ) strict"""
    )
    _create_tables(db)


def _create_tables(db: Database) -> None:
    for name, columns, key in TABLES:
        db.execute(
            f"""create table {name} (
                file integer not null references files(id) on delete cascade,
                {columns},
                primary key (file, {key})
            ) strict{"" if name == "texts" else ", without rowid"}"""
        )


@migrations()
def seals(db: Database) -> None:
    """Blobs end in a checksum, and facts contain more; everything must be read again."""
    db.execute("delete from files")


@migrations()
def delegations_and_descent(db: Database) -> None:
    """Facts contain delegations and ancestry; everything must be read again."""
    db.execute("delete from files")


@migrations()
def records_told_twice(db: Database) -> None:
    """Repeated records count once; everything must be read again."""
    db.execute("delete from files")


@migrations()
def parts_of_sessions(db: Database) -> None:
    """Facts contain the session that a file continues; everything must be read again."""
    db.execute("delete from files")


@migrations()
def calls_by_name(db: Database) -> None:
    """A result only ends a call of its own tool; everything must be read again."""
    db.execute("delete from files")


@migrations()
def typed_words(db: Database) -> None:
    """Typed prompts and titles are determined differently; everything must be read again."""
    db.execute("delete from files")


@migrations()
def responses_cut_off(db: Database) -> None:
    """Facts contain whether the last response is complete; everything must be read again."""
    db.execute("delete from files")


@migrations()
def copied_prefixes(db: Database) -> None:
    """Copied records of a fork form a prefix; everything must be read again."""
    db.execute("delete from files")


@migrations()
def times_of_prompts(db: Database) -> None:
    """Facts contain the time of the last prompt; everything must be read again."""
    db.execute("delete from files")


@migrations()
def digests_of_records(db: Database) -> None:
    """Add digests that identify repeated records; everything must be read again."""
    db.execute("delete from files")
    for name, *_ in TABLES:
        db.execute(f"drop table if exists {name}")
    _create_tables(db)


@migrations()
def summaries_and_branches(db: Database) -> None:
    """Summaries are searched, and facts contain branches; everything must be read again."""
    db.execute("delete from files")


@migrations()
def quarters_of_hours(db: Database) -> None:
    """Usage is counted by quarter of an hour; everything must be read again."""
    db.execute("delete from files")
    for name, *_ in TABLES:
        db.execute(f"drop table if exists {name}")
    _create_tables(db)


@migrations()
def letters_composed(db: Database) -> None:
    """Texts are searched with composed letters; everything must be read again."""
    db.execute("delete from files")


@migrations()
def names_of_facts(db: Database) -> None:
    """Facts are stored under other names; everything must be read again."""
    db.execute("delete from files")


TABLES = (
    (
        "positions",
        "chunk integer not null, offsets blob not null, kinds blob not null, links blob not null",
        "chunk",
    ),
    ("digests", "chunk integer not null, data blob not null", "chunk"),
    (
        "usage",
        """quarter integer not null, model text not null, source text not null,
        input integer not null, cached integer not null, output integer not null,
        responses integer not null""",
        "quarter, model, source",
    ),
    (
        "calls",
        """quarter integer not null, tool text not null, source text not null,
        calls integer not null""",
        "quarter, tool, source",
    ),
    ("edits", "path text not null, edits integer not null, last integer not null", "path"),
    (
        "texts",
        "piece integer not null, newest integer not null, heads blob not null, data blob not null",
        "piece",
    ),
)
"""Of each table its name, its columns beside the file, and its key."""
