"""Where facts go: the agent reports each fact once, and every sink takes what it needs.

    recorder = EnvelopeRecorder("sessions/shop.jsonl")
    trace = TraceSink("traces/shop.jsonl", recorder.session)
    sink = Composite(TranscriptSink(recorder), trace)
    usage = {"prompt_tokens": 812, "completion_tokens": 40, "total_tokens": 852}
    call = {"name": "Bash", "arguments": {"command": "ls"}, "callId": "call_1"}
    sink.emit(Fact("message", {"role": "user", "content": "Fix the checkout."}, 0))
    sink.emit(Fact("model_output", {"usage": usage}, 1))
    sink.emit(Fact("function_call", call, 1))
    sink.emit(Fact("function_call_result", {"callId": "call_1", "output": {"content": ""}}, 1))
    sink.close()

An agent that uses sinks emits facts only: records made by calling a recorder's methods reach no
sink.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from .errors import RecordRefused
from .facts import Fact, Recorder

_LOG = logging.getLogger(__name__)

_CALL_IDS = {
    "function_call": "callId",
    "function_call_result": "callId",
    "tool_lifecycle": "tool_call_id",
}
"""The field with a call's id, by type of record."""


class Sink(Protocol):
    """Receives every fact, and ignores those it has no use for.

    A Composite keeps any Exception it raises from the agent.
    """

    def emit(self, fact: Fact) -> None:
        """Receive a fact."""
        ...

    def close(self) -> None:
        """Release the resources; no more facts follow."""
        ...


OnFailure = Callable[[Sink, Fact | None, Exception], None]
"""Called with what a sink failed to handle; a fact of None means it failed to close."""


class Composite:
    """Several sinks as one, none of which can stop the agent.

    If one fails, the others still receive the fact, and the failure is reported to `on_failure`, or
    logged as a warning if there is none. An error that is not an Exception, such as
    KeyboardInterrupt, is raised once all sinks have received the fact; if there are several, the
    first.
    """

    def __init__(self, *sinks: Sink, on_failure: OnFailure | None = None) -> None:
        self._sinks = sinks
        self._on_failure = on_failure or _warn

    def emit(self, fact: Fact) -> None:
        """Pass the fact to every sink, in order."""
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
    """Records the facts whose names are record types of the recorder's format, payloads unchanged.

    For an EnvelopeRecorder:

    - `message`: `role`, `content`
    - `reasoning`: `content`
    - `function_call`: `name`, `arguments` (an object), `callId`
    - `function_call_result`: `callId`, `output`
    - `file-history-snapshot`: `path`, `hash`
    - `ai-title`: `title`

    For a MyCodeAgentRecorder:

    - `message`: `role`, `content`, `metadata` (including an assistant's `tool_calls`)
    - `state_transition`: `from_state`, `to_state`, `reason`, `details`
    - `tool_lifecycle`: `tool_name`, `tool_call_id`, `status`; plus `args` with `requested` and
      `started`, a `result` with `completed`, an `error` with `failed`
    - `checkpoint`: `summary`, `checkpoint_id`
    - `terminal`: `reason`, `details`

    Facts of any other name, including misspelled ones, are silently ignored here; they are for the
    trace alone. A call or a result is refused without the id that links the two.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def emit(self, fact: Fact) -> None:
        """Append the record, at the recorder's step if the fact has none.

        Raises RecordingError if it is not stored.
        """
        if fact.name not in self.recorder.types:
            return
        call_id = _CALL_IDS.get(fact.name)
        if call_id is not None and fact.payload.get(call_id) in (None, ""):
            raise RecordRefused(
                f"A {fact.name} needs a {call_id}: it joins a call with what came of it."
            )
        self.recorder.record(fact.name, fact.payload, fact.step)

    def close(self) -> None:
        """Close the transcript."""
        self.recorder.close()


def _warn(sink: Sink, fact: Fact | None, error: Exception) -> None:
    what = "close" if fact is None else f"take {fact.name}"
    _LOG.warning("%s could not %s: %s", type(sink).__name__, what, error)
