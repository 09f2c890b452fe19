"""Where facts go: the agent tells them once, and each sink does with them what it is for.

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

An agent with sinks tells facts alone: what a recorder's own methods record reaches no sink.
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
"""What a call is known by, in the records that tell of one."""


class Sink(Protocol):
    """Takes facts, those too that are not for it: it leaves them out.

    Whatever Exception it raises, a Composite keeps from the agent.
    """

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
    """Records the facts that are types of the recorder's dialect, each with its payload as it is.

    For an EnvelopeRecorder:
    - `message`: `role`, `content`
    - `reasoning`: `content`
    - `function_call`: `name`, `arguments` (an object), `callId`
    - `function_call_result`: `callId`, `output`
    - `file-history-snapshot`: `path`, `hash`
    - `ai-title`: `title`

    For a MyCodeAgentRecorder:
    - `message`: `role`, `content`, `metadata` (an assistant's `tool_calls` are in it)
    - `state_transition`: `from_state`, `to_state`, `reason`, `details`
    - `tool_lifecycle`: `tool_name`, `tool_call_id`, `status` and, with `requested` and `started`,
      `args`, with `completed` a `result`, with `failed` an `error`
    - `checkpoint`: `summary`, `checkpoint_id`
    - `terminal`: `reason`, `details`

    Facts of any other name are for the trace alone, and left out here without a word, a mistyped
    one too. A call, or what came of it, is refused without the id that joins the two.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def emit(self, fact: Fact) -> None:
        """Append the record, at the recorder's step if the fact has none.

        Raises RecordingError where it is not kept.
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
