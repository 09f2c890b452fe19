"""What an agent reports while it works, before it is written anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..model.event import Event

OnRecord = Callable[[Event], None]
"""Called with the event of each record of its own recorder, not of other writers', once it is
stored, in the thread that recorded it. It may record more, and is called for that, too. An
Exception is logged as a warning, because the record is stored and its method returns; anything
else, such as KeyboardInterrupt, propagates."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened: a record type or a trace event, with its payload.

    TranscriptSink documents which names and payloads become records, TraceSink which ones its
    summary counts; all other facts appear only in the trace.
    """

    name: str
    payload: Mapping[str, Any]
    step: int | None = None
    """The step it happened in; None: the current step of whichever sink writes it."""


class Recorder(Protocol):
    """The interface of both recorders."""

    @property
    def types(self) -> frozenset[str]:
        """Names of the facts that become records."""
        ...

    def record(self, name: str, payload: Mapping[str, Any], step: int | None = None) -> Event:
        """Append the record of a fact. Raises RecordingError if it is not stored."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...
