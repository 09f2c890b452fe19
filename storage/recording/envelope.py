"""Writes the evidence envelope: keys sorted, every record with its number, time and ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..descent import CONTINUES
from ..dialects import DIALECTS
from .drafts import Draft, drafted, pair, quoted
from .errors import RecordRefused
from .forms import Stamp, Stamped
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
        self._allow_nan = allow_nan

    def drafted(self, fields: Mapping[str, Any]) -> Draft:
        """A draft of the agent's own fields, none of which may be of the envelope."""
        if not RESERVED.isdisjoint(fields):
            reserved = min(RESERVED & fields.keys())
            raise RecordRefused(f"The envelope's own field {reserved} cannot be given.")
        return drafted(fields, sort_keys=True, allow_nan=self._allow_nan)

    def stamped(self, draft: Draft, stamp: Stamp) -> Stamped:
        """The whole record with its keys sorted."""
        session, number, at = stamp.session, stamp.number, stamp.at.isoformat()
        event_id, name = f"transcript:{session}:{number}", quoted(session)
        fields: dict[str, Any] = {
            "schema_version": 1,
            "sequence": number,
            "recorded_at": at,
            "session_id": session,
            "event_id": event_id,
        }
        parts = {
            "schema_version": '"schema_version": 1',
            "sequence": f'"sequence": {number}',
            "recorded_at": f'"recorded_at": "{at}"',
            "session_id": f'"session_id": {name}',
            "event_id": f'"event_id": "transcript:{name[1:-1]}:{number}"',
        }
        if stamp.continues is not None:
            fields[CONTINUES] = stamp.continues
            parts[CONTINUES] = pair(CONTINUES, stamp.continues)
        whole = draft.stamped(parts, fields)
        return Stamped(whole.line(sorted(whole.parts)), whole.record)

    def mend(self, tail: bytes) -> Mend:
        """Never anything: raises TornTail for any tail."""
        return envelope_mend(tail)
