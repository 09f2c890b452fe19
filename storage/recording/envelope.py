"""Writes the evidence envelope: keys sorted, every record with its number, time and ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..descent import CONTINUES
from ..dialects import DIALECTS
from ..event import Record
from .clock import iso
from .drafts import Draft, drafted, encoder_for, line_of, pair, quoted
from .errors import RecordRefused
from .forms import Stamp
from .tails import Mend, envelope_mend

RESERVED = frozenset(
    {"schema_version", "sequence", "recorded_at", "session_id", "event_id", CONTINUES}
)
"""Fields that the store alone writes."""


class EnvelopeForm:
    """The form of an evidence envelope; NaN is written only where that was asked for."""

    dialect = DIALECTS["envelope"]
    prefix = ""

    def __init__(self, allow_nan: bool = False) -> None:
        self._encoder = encoder_for(sort_keys=True, allow_nan=allow_nan)

    def drafted(self, fields: Mapping[str, Any]) -> Draft:
        """A draft of the agent's own fields, none of which may be of the envelope."""
        if not RESERVED.isdisjoint(fields):
            reserved = min(RESERVED & fields.keys())
            raise RecordRefused(f"The envelope's own field {reserved} cannot be given.")
        return drafted(fields, self._encoder)

    def stamped(self, draft: Draft, stamp: Stamp) -> tuple[bytes, Record]:
        """The whole record with its keys sorted."""
        session, number, moment, continues = stamp
        at, name = iso(moment), quoted(session)
        parts = {
            **draft.parts,
            "schema_version": b'"schema_version": 1',
            "sequence": b'"sequence": %d' % number,
            "recorded_at": b'"recorded_at": "%b"' % at.encode(),
            "session_id": b'"session_id": ' + name,
            "event_id": b'"event_id": "transcript:%b:%d"' % (name[1:-1], number),
        }
        record = {
            **draft.record,
            "schema_version": 1,
            "sequence": number,
            "recorded_at": at,
            "session_id": session,
            "event_id": f"transcript:{session}:{number}",
        }
        if continues is not None:
            parts[CONTINUES] = pair(CONTINUES, continues)
            record[CONTINUES] = continues
        return line_of(map(parts.__getitem__, sorted(parts))), record

    def mend(self, tail: bytes) -> Mend:
        """Never anything: raises TornTail for any tail."""
        return envelope_mend(tail)
