"""What an agent tells while it works, before anybody writes it down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..model.event import Event

OnRecord = Callable[[Event], None]
"""Is given the event of each record of its own recorder, not of other writers', once it is kept
and in the thread that made it. It may record, and is told of that, too. What it raises is logged
as a warning, for the record is kept and its method returns; only what is no Exception, such as
KeyboardInterrupt, comes through."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened: a record's type or a trace's event, with what belongs to it.

    TranscriptSink says which names and payloads become records, TraceSink which its sum counts;
    other facts stand in the trace alone.
    """

    name: str
    payload: Mapping[str, Any]
    step: int | None = None
    """Where it happened; None: where whoever writes it down is."""


class Recorder(Protocol):
    """What both recorders offer."""

    @property
    def types(self) -> frozenset[str]:
        """Names of the facts that become records."""
        ...

    def record(self, name: str, payload: Mapping[str, Any], step: int | None = None) -> Event:
        """Append the record of a fact; RecordingError where it is not kept."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...
