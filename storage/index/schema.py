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


@migrations()
def counts_and_texts(db: Database) -> None:
    """What is asked across sessions. A file whose reading was interrupted is not `known` yet."""
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
    """Blobs end in a checksum, and facts tell more: all is to be read anew."""
    db.execute("delete from files")


@migrations()
def delegations_and_descent(db: Database) -> None:
    """Facts tell of sub-agents and of where a session comes from: all is to be read again."""
    db.execute("delete from files")


@migrations()
def records_told_twice(db: Database) -> None:
    """Records that a writer delivered again count once, which only a new reading can know."""
    db.execute("delete from files")


@migrations()
def parts_of_sessions(db: Database) -> None:
    """Facts tell which session goes on in a file: all is to be read again."""
    db.execute("delete from files")


@migrations()
def calls_by_name(db: Database) -> None:
    """A result ends a call of its own tool only: all is to be read again."""
    db.execute("delete from files")


@migrations()
def typed_words(db: Database) -> None:
    """What was typed and what names a session is told otherwise: all is to be read again."""
    db.execute("delete from files")


@migrations()
def responses_cut_off(db: Database) -> None:
    """Facts tell whether the last response is whole on record: all is to be read again."""
    db.execute("delete from files")


@migrations()
def copied_prefixes(db: Database) -> None:
    """What a fork writes after its first own record is its own: all is to be read again."""
    db.execute("delete from files")


@migrations()
def times_of_prompts(db: Database) -> None:
    """Facts tell when the last prompt came: all is to be read again."""
    db.execute("delete from files")


@migrations()
def digests_of_records(db: Database) -> None:
    """Digests tell records that were delivered again: all is to be read again."""
    db.execute("delete from files")
    for name, *_ in TABLES:
        db.execute(f"drop table if exists {name}")
    _create_tables(db)


@migrations()
def summaries_and_branches(db: Database) -> None:
    """Summaries are searched, and facts tell of branches: all is to be read again."""
    db.execute("delete from files")


@migrations()
def quarters_of_hours(db: Database) -> None:
    """Usage is counted by the quarter of an hour, at which days begin: all is read again."""
    db.execute("delete from files")
    for name, *_ in TABLES:
        db.execute(f"drop table if exists {name}")
    _create_tables(db)


@migrations()
def letters_composed(db: Database) -> None:
    """Texts are searched with their letters composed: all is to be read again."""
    db.execute("delete from files")


@migrations()
def names_of_facts(db: Database) -> None:
    """Facts are stored under other names: all is to be read again."""
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
