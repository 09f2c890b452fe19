"""Where facts go: the agent tells them once, and each sink does with them what it is for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from .facts import Fact, Recorder

_LOG = logging.getLogger(__name__)


class Sink(Protocol):
    """Takes facts. Whatever Exception it raises, a Composite keeps from the agent."""

    def emit(self, fact: Fact) -> None:
        """Take in a fact."""
        ...

    def close(self) -> None:
        """There will be no more."""
        ...


OnFailure = Callable[[Sink, Fact | None, Exception], None]
"""Is told what a sink could not take; None: it could not be closed."""


class Composite:
    """Several sinks as one, none of which can stop the agent.

    What one of them cannot take reaches the others all the same, and is reported: to `on_failure`
    or, without one, to the log as a warning. What is no Exception, such as KeyboardInterrupt, goes
    on to the agent once all of them were told; where there are several, the first.
    """

    def __init__(self, *sinks: Sink, on_failure: OnFailure | None = None) -> None:
        self._sinks = sinks
        self._on_failure = on_failure or _warn

    def emit(self, fact: Fact) -> None:
        """Hand the fact to every sink, in their order."""
        self._tell_all(fact)

    def close(self) -> None:
        """Close every sink."""
        self._tell_all(None)

    def _tell_all(self, fact: Fact | None) -> None:
        first: BaseException | None = None
        for sink in self._sinks:
            try:
                self._tell(sink, fact)
            except BaseException as error:
                first = error if first is None else first
        if first is not None:
            raise first

    def _tell(self, sink: Sink, fact: Fact | None) -> None:
        try:
            if fact is None:
                sink.close()
            else:
                sink.emit(fact)
        except Exception as error:
            self._report(sink, fact, error)

    def _report(self, sink: Sink, fact: Fact | None, error: Exception) -> None:
        with suppress(Exception):
            self._on_failure(sink, fact, error)


class TranscriptSink:
    """Records the facts that are types of the recorder's dialect; the others are not for it."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def emit(self, fact: Fact) -> None:
        """Append the record; RecordingError where it is not kept."""
        if fact.name in self.recorder.types:
            self.recorder.record(fact.name, fact.payload, fact.step)

    def close(self) -> None:
        """Close the transcript."""
        self.recorder.close()


def _warn(sink: Sink, fact: Fact | None, error: Exception) -> None:
    what = "close" if fact is None else f"take {fact.name}"
    _LOG.warning("%s could not %s: %s", type(sink).__name__, what, error)
