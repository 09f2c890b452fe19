"""Records an agent's session as MyCodeAgent does: runs, steps, and the life of each call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, Unpack
from uuid import uuid4

from ..event import Event
from ..memory import SessionMemory
from ..memory_render import BUDGET
from .facts import OnRecord
from .forking import Mutex
from .locking import PATIENCE
from .mycodeagent import MyCodeAgentForm, new_event_id
from .recorder import Recording
from .store import Options, Store, where_to_continue

TYPES = frozenset({"message", "state_transition", "tool_lifecycle", "checkpoint", "terminal"})
"""The types that the format knows."""

Status = Literal["requested", "started", "completed", "failed"]

_RUN = re.compile(r"run-(\d+)")


class MyCodeAgentRecorder:
    """Records one session; threads may share it, processes open one each.

    A run begins with `begin_run`, at the latest with the first record; `step` is the agent's to
    set: 0 for what the person typed, then 1, 2, 3. Methods return and raise as EnvelopeRecorder's.
    """

    types = TYPES

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        on_record: OnRecord | None = None,
        allow_nan: bool = False,
        new_id: Callable[[], str] = new_event_id,
        **options: Unpack[Options],
    ) -> None:
        form = MyCodeAgentForm(allow_nan, new_id)
        self._recording = Recording(Store(Path(path), form, **options), form, on_record)
        self._mutex = Mutex()
        self._run = ""
        self._state: str | None = None
        self.step = 0

    @classmethod
    def continuing(
        cls,
        path: str | PathLike[str],
        *,
        on_record: OnRecord | None = None,
        allow_nan: bool = False,
        new_id: Callable[[], str] = new_event_id,
        **options: Unpack[Options],
    ) -> Self:
        """A recorder that goes on where a session ended, in a new run; as EnvelopeRecorder's.

        A last line that was cut is cut off, one that is whole gets its line end.
        """
        patience = options.get("patience", PATIENCE)
        path, before = where_to_continue(Path(path), MyCodeAgentForm(), patience)
        if before is not None:
            options["continues"] = before
        return cls(path, on_record=on_record, allow_nan=allow_nan, new_id=new_id, **options)

    @property
    def path(self) -> Path:
        """The file that is written to now."""
        return self._recording.store.path

    @property
    def session(self) -> str:
        """The session id of that file."""
        return self._recording.store.session

    @property
    def run(self) -> str:
        """The run that records belong to; one is begun if there is none."""
        with self._mutex.lock:
            return self._run or self.begin_run()

    def begin_run(self) -> str:
        """Begin the run after the last one that is recorded; its id."""
        with self._mutex.lock:
            last = self._recording.store.last()
            before = self._run or (last.run if last else "") or ""
            match = _RUN.fullmatch(before)
            self._run = f"run-{int(match[1]) + 1 if match else 1}"
            self._state, self.step = None, 0
            return self._run

    def message(self, role: str, content: str, metadata: Mapping[str, Any] | None = None) -> Event:
        """A message as the model is given it; an assistant's `tool_calls` are metadata."""
        payload = {"role": role, "content": content, "metadata": metadata or {}}
        return self.record("message", payload)

    def transition(self, reason: str, details: Mapping[str, Any] | None = None) -> Event:
        """The agent's loop moves on, from the state of the transition before."""
        with self._mutex.lock:
            run = self.run  # may begin one, which forgets the state before
            payload = {
                "from_state": self._state,
                "to_state": reason,
                "reason": reason,
                "details": details or {},
            }
            event = self._append("state_transition", payload, run, self.step)
            self._state = reason
            return event

    def tool(self, status: Status, name: str, call_id: str, **facts: Any) -> Event:
        """A call is requested or started (`args`), has completed (`result`) or failed (`error`)."""
        payload = {"tool_name": name, "tool_call_id": call_id, "status": status, **facts}
        return self.record("tool_lifecycle", payload)

    def checkpoint(self, summary: str, checkpoint_id: str | None = None, **facts: Any) -> Event:
        """A summary to go on from; a `runtime_state` is given back on resume."""
        named = checkpoint_id or f"compact_{uuid4().hex}"
        return self.record("checkpoint", {"summary": summary, **facts, "checkpoint_id": named})

    def terminal(self, reason: str, details: Mapping[str, Any] | None = None) -> Event:
        """The run has ended; the next record without `begin_run` belongs to it all the same."""
        return self.record("terminal", {"reason": reason, "details": details or {}})

    def record(self, name: str, payload: Mapping[str, Any], step: int | None = None) -> Event:
        """A record of one of the format's types."""
        return self._append(name, payload, self.run, self.step if step is None else step)

    def _append(self, name: str, payload: Mapping[str, Any], run: str, step: int) -> Event:
        fields = {"run_id": run, "step": step, "event_type": name, "payload": payload}
        return self._recording.append(fields)

    def memory(self, alive: bool = True) -> SessionMemory:
        """The session memory now, of all files. `alive`: open calls are at work."""
        return self._recording.memory().memory(alive)

    def memory_text(self, budget: int = BUDGET) -> str:
        """The memory as the block that a model is given."""
        return self._recording.memory().text(budget)

    def flush(self) -> None:
        """Wait until all records are on the disk; with `sync` they are anyway."""
        self._recording.store.flush()

    def close(self) -> None:
        """Close the file."""
        self._recording.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
