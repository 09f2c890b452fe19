"""Writes the evidence envelope: sorted keys; every record with its number, time and ids."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from ..agents import AGENTS
from ..model.event import CONTINUES, Record
from .clock import iso
from .drafts import Draft, drafted, encoder_for, line_of, pair
from .errors import RecordRefused, TornTail
from .form import Mend

RESERVED = frozenset(
    {"schema_version", "sequence", "recorded_at", "session_id", "event_id", CONTINUES}
)
"""Fields that only the store writes."""


class EnvelopeForm:
    """The form of an evidence envelope; NaN is written only if requested."""

    agent = AGENTS["envelope"]
    prefix = ""

    def __init__(self, allow_nan: bool = False) -> None:
        self._encoder = encoder_for(sort_keys=True, allow_nan=allow_nan)

    def drafted(self, fields: Mapping[str, Any]) -> Draft:
        """Return a draft of the agent's own fields, none of which may be `RESERVED`."""
        if not RESERVED.isdisjoint(fields):
            reserved = min(RESERVED & fields.keys())
            raise RecordRefused(f"The envelope's own field {reserved} cannot be given.")
        return drafted(fields, self._encoder)

    def stamped(
        self, draft: Draft, session: str, number: int, at: datetime, continues: str | None
    ) -> tuple[bytes, Record]:
        """Return the complete record with its keys sorted."""
        time, event_id = iso(at), f"transcript:{session}:{number}"
        parts = {
            **draft.parts,
            "schema_version": b'"schema_version": 1',
            "sequence": b'"sequence": ' + orjson.dumps(number),
            "recorded_at": b'"recorded_at": ' + orjson.dumps(time),
            "session_id": pair("session_id", session),
            "event_id": pair("event_id", event_id),
        }
        record = {
            **draft.record,
            "schema_version": 1,
            "sequence": number,
            "recorded_at": time,
            "session_id": session,
            "event_id": event_id,
        }
        if continues is not None:
            parts[CONTINUES] = pair(CONTINUES, continues)
            record[CONTINUES] = continues
        return line_of(map(parts.__getitem__, sorted(parts))), record

    def mend(self, tail: bytes) -> Mend:
        """Return "nothing": evidence is never repaired, so any tail raises TornTail."""
        if tail:
            raise TornTail("its last line has no line end; begin a new file that continues it")
        return "nothing"
