"""The writers of made-up sessions: one for each dialect, shared by bench, soak and tests."""

from __future__ import annotations

from typing import Protocol

from .codebuddy.writer import ProductWriter
from .envelope.writer import EnvelopeWriter
from .mycodeagent.writer import MyCodeAgentWriter
from .steps import Step


class Writer(Protocol):
    """Writes the steps of one session."""

    now: int
    """Milliseconds since 1970 of the last record."""
    pause: int
    """The longest time between two records, in milliseconds."""

    def lines(self, step: Step) -> bytes:
        """The lines of a step, each with its line end."""
        ...


WRITERS: dict[str, type[ProductWriter] | type[EnvelopeWriter] | type[MyCodeAgentWriter]] = {
    "product": ProductWriter,
    "envelope": EnvelopeWriter,
    "mycodeagent": MyCodeAgentWriter,
}
