"""Records an agent's session as an evidence envelope, with a method for each record type."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Self, Unpack
from uuid import uuid4

from ..memory.render import BUDGET, render
from ..model.event import Event
from ..model.memory import SessionMemory
from .closing import Closing
from .envelope_form import EnvelopeForm
from .facts import OnRecord
from .lock import PATIENCE
from .recorder import Recording
from .store import Options, Store, check_end

TYPES = frozenset(
    {
        "message",
        "reasoning",
        "function_call",
        "function_call_result",
        "file-history-snapshot",
        "ai-title",
    }
)
"""The record types of the format."""


class EnvelopeRecorder(Closing):
    """Records one session; threads may share it, each process opens its own.

    Every method returns the record's event, as a reader sees it, once it is stored, and raises
    RecordingError if it is not; an agent need not stop because its session is not recorded. A
    signal handler that interrupts another method gets an error, too: let it set a flag, or raise.

    Construction raises RecordRefused for a name that no transcript can have, NotKept if an existing
    file cannot be read, ValueError for an invalid option. The options are:

    - `on_record`: called with each event once it is stored; see `OnRecord`.
    - `allow_nan` (False): write NaN and infinity, which many parsers reject, instead of refusing
      them.
    - `sync` (True): have each record on disk before its method returns, which takes a few
      milliseconds. Otherwise it survives a killed process, but a power cut only after `flush`.
    - `limit` (10,000): maximum records per file; None for no limit.
    - `patience` (30): seconds to wait for other writers.
    - `continues`: the session in the same directory that a new file continues.
    - `goes_on` (False): begin the next file if the last one must not be appended to; `continuing`
      sets it.
    - `clock`: the source of timestamps, instead of the system clock.
    """

    types = TYPES

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        on_record: OnRecord | None = None,
        allow_nan: bool = False,
        **options: Unpack[Options],
    ) -> None:
        form = EnvelopeForm(allow_nan)
        self._recording = Recording(Store(Path(path), form, **options), form, on_record)

    @classmethod
    def continuing(
        cls,
        path: str | PathLike[str],
        *,
        on_record: OnRecord | None = None,
        allow_nan: bool = False,
        **options: Unpack[Options],
    ) -> Self:
        """Return a recorder that continues a session, however it ended, or begins a new one.

        It appends to the same file or, if that ends in a torn line, begins a new one that continues
        it. Raises Untrusted if the session is corrupt. The options are those of the class.
        """
        check_end(Path(path), EnvelopeForm(), options.get("patience", PATIENCE))
        options["goes_on"] = True
        return cls(path, on_record=on_record, allow_nan=allow_nan, **options)

    @property
    def path(self) -> Path:
        """The file currently written to; a next file counts once it has its first record."""
        return self._recording.store.path

    @property
    def session(self) -> str:
        """The session id of that file."""
        return self._recording.store.session

    def message(self, role: str, content: Any) -> Event:
        """Record a message: a text, or any JSON.

        The role is `user`, `assistant`, `system` or `developer`; a record with another role is
        stored, but not shown as part of the conversation.
        """
        return self._recording.append({"type": "message", "role": role, "content": content})

    def reasoning(self, content: str) -> Event:
        """Record the agent's thinking."""
        return self.record("reasoning", {"content": content})

    def call(self, name: str, arguments: Mapping[str, Any], call_id: str | None = None) -> Event:
        """Record a tool call before it is executed; the event has its `call_id`."""
        call_id = call_id or f"call_{uuid4().hex}"
        fields = {"name": name, "arguments": arguments, "callId": call_id}
        return self.record("function_call", fields)

    def result(self, call_id: str | None, output: Any, *, failed: bool = False) -> Event:
        """Record the result of a call: an object such as `{"content": …}`, or any JSON.

        `failed` adds this format's mark of a failure, `"is_error": true`, to the output; an output
        that is not an object becomes the `content` of one. Nothing else marks a failure, neither an
        error message nor an exit code. This also settles a call from `ResumeState.uncertain`.
        """
        if failed:
            output = output if isinstance(output, Mapping) else {"content": output}
            output = {**output, "is_error": True}
        return self.record("function_call_result", {"callId": call_id, "output": output})

    def snapshot(self, path: str, hash: str) -> Event:
        """Record a file's state: its path, and the hash of its contents."""
        return self.record("file-history-snapshot", {"path": path, "hash": hash})

    def title(self, title: str) -> Event:
        """Record the session's title."""
        return self.record("ai-title", {"title": title})

    def record(self, name: str, payload: Mapping[str, Any], step: int | None = None) -> Event:
        """Record any type with fields of your own; this format has no steps.

        Of the extra fields of a message, `cwd` (the agent's working directory) and `model` are
        shown.
        """
        return self._recording.append({**payload, "type": name})

    def memory(self, alive: bool = True) -> SessionMemory:
        """Return the current session memory, over all files and writers.

        With `alive`, calls that began after this recorder was made are running; those already open
        are uncertain, because nobody will record their result. Otherwise all open calls are
        uncertain, as if every agent crashed now. Raises RecordingError if a file cannot be read.
        """
        return self._recording.memory(alive)

    def memory_text(self, budget: int = BUDGET) -> str:
        """Return `memory()` as a block of text for the model, at most `budget` characters."""
        return render(self.memory(), budget)

    def flush(self) -> None:
        """Wait until all records are on disk; with `sync` they always are."""
        self._recording.flush()

    def close(self) -> None:
        """Close the file."""
        self._recording.close()
