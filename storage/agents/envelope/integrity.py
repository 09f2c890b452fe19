"""Envelope integrity: any damaged or misnumbered record makes a transcript corrupt."""

from __future__ import annotations

from ...folds.integrity import corrupt, damage_fault, tail_verdict
from ...model.event import Event
from ...model.integrity import Fault, Integrity, Tail


class Numbered:
    """Missing fields default to the record's position; present ones must match it."""

    by_record = False

    def fault(self, event: Event, line: int, session: str | None, number: int) -> Fault | None:
        """Return what is wrong with the `number`-th record."""
        if event.kind == "damaged":
            return damage_fault(event, line)
        record = event.record
        sequence = record.get("sequence", number)
        if type(sequence) is not int or sequence != number:
            return Fault("sequence", line, f"the sequence number is not {number}")
        if record.get("session_id", session) != session:
            return Fault("session_id", line, "session_id does not match the file name")
        expected = f"transcript:{session}:{number}"
        if record.get("event_id", expected) != expected:
            return Fault("event_id", line, f"event_id does not match record {number}")
        return None

    def verdict(self, fault: Fault | None, damaged: int, line: int, tail: Tail) -> Integrity:
        """Return `corrupt` for any fault."""
        return corrupt(fault) if fault else tail_verdict(line, tail)
