"""Writes what is new of one transcript into the tables of the index."""

from __future__ import annotations

import os
import sqlite3
from typing import Any

import orjson

from ..folds.tally import Tally
from ..model.event import LIMIT
from ..private.seal import sealed
from ..text.folding import well_formed
from ..transcript.overview import Overview
from ..transcript.transcript import Transcript
from .texts import Piece, packed, unpacked


class Writer:
    """Writes one transcript into the index, within a transaction."""

    def __init__(self, db: sqlite3.Connection, transcript: Transcript) -> None:
        self._db = db
        self._transcript = transcript
        self._key = os.fsencode(transcript.path)

    def save(self, known: Overview | None) -> bool:
        """Add what is new; False if the index lacks what it would be added to."""
        transcript = self._transcript
        if not transcript.folds.tally.is_wanted:
            return False
        if transcript.folds.is_fresh:
            self._db.execute("delete from files where path = ?", (self._key,))
        elif not self._is_base():
            return False
        file = self._save_file(known)
        self._db.executemany(
            "insert or replace into positions values (?, ?, ?, ?, ?)",
            [(file, *chunk) for chunk in transcript.positions.changed_chunks()],
        )
        self._db.executemany(
            "insert or replace into digests values (?, ?, ?)",
            [(file, *chunk) for chunk in transcript.folds.sieve.changed_chunks()],
        )
        self._save_tally(file, transcript.folds.tally)
        return True

    def _is_base(self) -> bool:
        """Return whether nobody else stored anything of it since, which would count twice."""
        found = self._db.execute("select records from files where path = ?", (self._key,))
        row = found.fetchone()
        return row is not None and row[0] == self._transcript.positions.stored_count

    def _save_file(self, known: Overview | None) -> int:
        transcript = self._transcript
        found = self._db.execute(
            """insert into files (path, session, records, known, state) values (?, ?, ?, ?, ?)
            on conflict (path) do update set session = excluded.session,
            records = excluded.records, known = excluded.known, state = excluded.state
            returning id""",
            (
                self._key,
                well_formed(transcript.session),
                len(transcript.positions),
                None if known is None else sealed(_plain_bytes(known.as_json())),
                sealed(_plain_bytes(transcript.as_json())),
            ),
        )
        return int(found.fetchone()[0])

    def _save_tally(self, file: int, tally: Tally) -> None:
        self._db.executemany(
            f"""insert into usage values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict do update set input = min(input + excluded.input, {LIMIT}),
            cached = min(cached + excluded.cached, {LIMIT}),
            output = min(output + excluded.output, {LIMIT}),
            responses = responses + excluded.responses""",
            [
                (file, *key, used.input, used.cached, used.output, tally.responses[key])
                for key, used in tally.usage.items()
            ],
        )
        self._db.executemany(
            """insert into calls values (?, ?, ?, ?, ?)
            on conflict do update set calls = calls + excluded.calls""",
            [(file, *key, calls) for key, calls in tally.calls.items()],
        )
        self._db.executemany(
            """insert into edits values (?, ?, ?, ?)
            on conflict do update set edits = edits + excluded.edits,
            last = max(last, excluded.last)""",
            [(file, path, *counted) for path, counted in tally.edits.items()],
        )
        self._db.executemany(
            "insert or replace into texts values (?, ?, ?, ?, ?)",
            (
                (file, *piece.row())
                for piece in packed(tally.entries, self._last_piece(file, tally))
            ),
        )

    def _last_piece(self, file: int, tally: Tally) -> Piece | None:
        """Return the piece that new entries are appended to."""
        if not tally.entries:
            return None
        found = self._db.execute(
            "select piece, heads, data from texts where file = ? order by piece desc limit 1",
            (file,),
        ).fetchone()
        return unpacked(*found) if found else None


def _plain_bytes(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # lone surrogates
        return orjson.dumps(_plain(value))


def _plain(value: Any) -> Any:
    """Return the value with lone surrogates replaced."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
