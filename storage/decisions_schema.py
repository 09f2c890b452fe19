"""The tables of the decisions, as `sqlite_utils` makes them."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("decisions")


@migrations()
def decisions(db: Database) -> None:
    """One row a decision, in the order in which they were made; rows are only ever added."""
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
    for change in ("update", "delete"):
        db.execute(
            f"""create trigger no_{change} before {change} on decisions
            begin select raise(abort, 'decisions are only ever added'); end"""
        )
    # `insert or replace` takes rows away without asking the triggers of deletion.
    db.execute(
        """create trigger no_replace before insert on decisions
        when exists (select 1 from decisions where id = new.id or undoes = new.undoes)
        begin select raise(abort, 'decisions are only ever added'); end"""
    )
