"""How transcripts are written: each format has a reader, pure functions from record to event."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.event import Dialect, Record
from .codebuddy import reader as product
from .envelope import reader as envelope
from .mycodeagent import reader as mycodeagent

DIALECTS: dict[str, Dialect] = {
    dialect.NAME: dialect for dialect in (mycodeagent, envelope, product)
}
"""Formats by name, in the order in which they are asked to recognise a record."""


def detect(records: Iterable[Record]) -> Dialect:
    """Return the format of the first recognised record, else `envelope` (a legacy log)."""
    for record in records:
        for dialect in DIALECTS.values():
            if dialect.recognises(record):
                return dialect
    return envelope
