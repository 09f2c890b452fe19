"""Records an agent's session as an evidence envelope, a method a type of record."""

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
"""The types that the format knows."""


class EnvelopeRecorder(Closing):
    """Records one session; threads may share it, processes open one each.

    Every method returns the record's event once it is kept, as a reader has it, and raises
    RecordingError where it is not; a session that was never recorded is no reason for an agent to
    stop. A signal handler in the midst of another method gets one too: let it set a flag, or raise.
    Making a recorder raises RecordRefused for a name that cannot be a transcript's, NotKept where
    what is there cannot be read, ValueError for an option that means nothing. The options are:

    - `on_record`: is given each event once it is kept; see `OnRecord`.
    - `allow_nan` (False): write NaN and infinity, which many do not read, instead of refusing them.
    - `sync` (True): have each record on the disk before its method returns, a few milliseconds.
      Without, it outlives a killed process, but a power cut only after `flush`.
    - `limit` (10,000): records of a file after which the next one is begun; None for no limit.
    - `patience` (30): seconds to wait for other writers.
    - `continues`: the session in the same directory that a new file goes on from.
    - `goes_on` (False): begin the next file where the last one may not be appended to; `continuing`
      sets it.
    - `clock`: gives the times that records bear, instead of the system's.
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
        """A recorder that goes on where a session ended, however it did; a new one where it is not.

        In the same file or, where that ends in a torn line, in a new one that says so. Raises
        Untrusted where the session's evidence is broken. Options are those of the class.
        """
        check_end(Path(path), EnvelopeForm(), options.get("patience", PATIENCE))
        options["goes_on"] = True
        return cls(path, on_record=on_record, allow_nan=allow_nan, **options)

    @property
    def path(self) -> Path:
        """The file that is written to now: a next one from its first record on."""
        return self._recording.store.path

    @property
    def session(self) -> str:
        """The session id of that file."""
        return self._recording.store.session

    def message(self, role: str, content: Any) -> Event:
        """What somebody said: a text, or any JSON.

        The role is `user`, `assistant`, `system` or `developer`; of another one, the record is kept
        but shown beside the conversation.
        """
        return self._recording.append({"type": "message", "role": role, "content": content})

    def reasoning(self, content: str) -> Event:
        """What the agent thought."""
        return self.record("reasoning", {"content": content})

    def call(self, name: str, arguments: Mapping[str, Any], call_id: str | None = None) -> Event:
        """A tool call, before it is made; the event bears its `call_id`."""
        call_id = call_id or f"call_{uuid4().hex}"
        fields = {"name": name, "arguments": arguments, "callId": call_id}
        return self.record("function_call", fields)

    def result(self, call_id: str | None, output: Any, *, failed: bool = False) -> Event:
        """What came of a call: an object such as `{"content": …}`, or any JSON.

        `failed` writes what this format calls a failure, `"is_error": true` in the output, which
        becomes an object with it as `content` where it is none. Nothing else in an output is one,
        no error's text and no exit code. A call of `ResumeState.uncertain` is settled by it, too.
        """
        if failed:
            output = output if isinstance(output, Mapping) else {"content": output}
            output = {**output, "is_error": True}
        return self.record("function_call_result", {"callId": call_id, "output": output})

    def snapshot(self, path: str, hash: str) -> Event:
        """A file as it was: its path, and the hash of what it held."""
        return self.record("file-history-snapshot", {"path": path, "hash": hash})

    def title(self, title: str) -> Event:
        """What the session is called."""
        return self.record("ai-title", {"title": title})

    def record(self, name: str, payload: Mapping[str, Any], step: int | None = None) -> Event:
        """A record of any type, with fields of your own; this format counts no steps.

        Of a message's own ones `cwd`, where the agent works, and `model` are shown.
        """
        return self._recording.append({**payload, "type": name})

    def memory(self, alive: bool = True) -> SessionMemory:
        """The session memory now, of all files and writers.

        With `alive`, calls that began since this recorder was made are at work; those that were
        open before it are uncertain, for nobody brings a result. Without, all open ones are, as
        they would be if everybody died now. Raises RecordingError where a file cannot be read.
        """
        return self._recording.memory(alive)

    def memory_text(self, budget: int = BUDGET) -> str:
        """`memory()` as the block that a model is given, of at most `budget` characters."""
        return render(self.memory(), budget)

    def flush(self) -> None:
        """Wait until all records are on the disk; with `sync` they are anyway."""
        self._recording.flush()

    def close(self) -> None:
        """Close the file."""
        self._recording.close()
