"""Which events may become memory candidates, and why the others may not."""

from __future__ import annotations

from ..model.event import Event
from ..model.integrity import Integrity


def refusal_of(event: Event, integrity: Integrity) -> str:
    """Return why an event cannot be a memory candidate, as the end of a sentence; "" if it can.

    Checks the transcript, the type and the time, in the order of the evidence envelope's rules.
    """
    if not integrity.is_trusted:
        return f"the transcript cannot be trusted: {integrity.detail}"
    if refusal := event.agent.refuses_memory(event):
        return refusal
    return "" if event.at is not None else "its record has no time"
