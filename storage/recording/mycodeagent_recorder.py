"""Records an agent's session as MyCodeAgent does: runs, steps, and the life of each call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Self, Unpack, get_args
from uuid import uuid4

from ..memory.render import BUDGET, render
from ..model.action import Action
from ..model.event import Event
from ..model.memory import SessionMemory
from .closing import Closing
from .errors import RecordRefused
from .facts import OnRecord
from .lock import PATIENCE
from .mycodeagent_form import MyCodeAgentForm, new_event_id
from .recorder import Recording
from .store import Options, Store, check_end

TYPES = frozenset({"message", "state_transition", "tool_lifecycle", "checkpoint", "terminal"})
"""The types that the format knows."""

Status = Literal["requested", "started", "completed", "failed"]
"""Where a call stands in its life."""
_STATUSES = get_args(Status)

_RUN = re.compile(r"run-(\d{1,18})")


class MyCodeAgentRecorder(Closing):
    """Records one session; threads may share it, processes open one each.

    A run begins with the first record, and with the one after `begin_run`; `step` is the agent's to
    set: 0 for what the person typed, then 1, 2, 3. Methods return and raise as EnvelopeRecorder's,
    whose options these are, too; `new_id` gives each event its id, by default a random one.
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
        self._run: str | None = None
        self._highest: int | None = None
        """Of the runs of the whole recording; None while nobody asked."""
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
        check_end(Path(path), MyCodeAgentForm(), options.get("patience", PATIENCE))
        options["goes_on"] = True
        return cls(path, on_record=on_record, allow_nan=allow_nan, new_id=new_id, **options)

    @property
    def path(self) -> Path:
        """The file that is written to now: a next one from its first record on."""
        return self._recording.store.path

    @property
    def session(self) -> str:
        """The session id of that file."""
        return self._recording.store.session

    @property
    def run(self) -> str | None:
        """The run that records belong to; None until its first record, which gives it its number.

        So that no two recorders of one session are in the same run.
        """
        return self._run

    def begin_run(self) -> None:
        """Begin a run with the next record, from step 0 on: the one after all that are recorded."""
        self._recording.in_turn(self._end_run)

    def message(self, role: str, content: str, metadata: Mapping[str, Any] | None = None) -> Event:
        """A message as the model is given it; an assistant's `tool_calls` are metadata.

        The role is `user`, `assistant`, `tool` or `summary`; the agent resumes without others.
        """
        payload = {"role": role, "content": content, "metadata": metadata or {}}
        return self.record("message", payload)

    def transition(self, reason: str, details: Mapping[str, Any] | None = None) -> Event:
        """The agent's loop moves on, from the state of the transition before."""
        return self._recording.told(self._recording.in_turn(self._move_on, reason, details or {}))

    def tool(
        self,
        status: Status,
        name: str,
        call_id: str,
        *,
        args: Mapping[str, Any] | None = None,
        result: Any = None,
        error: str | None = None,
    ) -> Event:
        """A call of this run is requested or started, has completed or failed.

        `args` belong to the first two, `result` to the others: an object such as
        `{"status": "success", "text": …}`, or any JSON; `error` says why without one. RecordRefused
        for another status. A call of an earlier run is another one, whatever its id: see `settle`.
        """
        return self.record("tool_lifecycle", _life(status, name, call_id, args, result, error))

    def settle(
        self,
        action: Action,
        status: Literal["completed", "failed"],
        *,
        result: Any = None,
        error: str | None = None,
    ) -> Event:
        """What came of a call of an earlier run, one of `ResumeState.uncertain` or `.pending`.

        The record is of that run and step; those of this recorder stay as they are. Settle before
        this recorder's own records, for a session is shown in the run of its last one.
        """
        if action.run_id is None or not action.call_id:
            raise RecordRefused("The action names no call of a run.")
        if status not in ("completed", "failed"):
            raise RecordRefused(f"{status!a} is no end of a call: completed or failed is one.")
        life = _life(status, action.tool, action.call_id, None, result, error)
        work, step, run = self._recording.in_turn, action.step or 0, action.run_id
        return self._recording.told(work(self._keep, "tool_lifecycle", life, step, run))

    def checkpoint(self, summary: str, checkpoint_id: str | None = None, **facts: Any) -> Event:
        """A summary to go on from; a `runtime_state` is given back on resume."""
        named = checkpoint_id or f"compact_{uuid4().hex}"
        return self.record("checkpoint", {"summary": summary, **facts, "checkpoint_id": named})

    def terminal(self, reason: str, details: Mapping[str, Any] | None = None) -> Event:
        """The run has ended; the next record without `begin_run` belongs to it all the same."""
        return self.record("terminal", {"reason": reason, "details": details or {}})

    def record(self, name: str, payload: Mapping[str, Any], step: int | None = None) -> Event:
        """A record of one of the format's types."""
        if isinstance(payload, Mapping):  # what else comes is refused where it is encoded
            _check(name, payload)
        step = self.step if step is None else step
        return self._recording.told(self._recording.in_turn(self._keep, name, payload, step))

    def _end_run(self) -> None:
        self._run, self._state, self.step = None, None, 0

    def _move_on(self, reason: str, details: Mapping[str, Any]) -> Event:
        states = {"from_state": self._state, "to_state": reason}
        payload = {**states, "reason": reason, "details": details}
        event = self._keep("state_transition", payload, self.step)
        self._state = reason
        return event

    def _keep(
        self, name: str, payload: Mapping[str, Any], step: int, run: str | None = None
    ) -> Event:
        run = run or self._run
        fields = {"run_id": run or "", "step": step, "event_type": name, "payload": payload}
        if run is not None:
            return self._recording.keep(fields)
        # An interrupted count is not followed any more.
        if self._highest is None or not self._recording.store.is_followed_by(self._count_run):
            self._count_runs()
        event = self._recording.keep(fields, self._next_run)
        self._run = event.run
        return event

    def _count_runs(self) -> None:
        """Know the highest run from now on."""
        highest, self._highest = self._highest, 0
        try:
            self._recording.store.follow(self._count_run)
        except BaseException:
            self._highest = highest
            raise

    def _count_run(self, event: Event) -> None:
        if event.run != self._run and (match := _RUN.fullmatch(event.run or "")):
            self._highest = max(self._highest or 0, int(match[1]))

    def _next_run(self) -> dict[str, str]:
        return {"run_id": f"run-{(self._highest or 0) + 1}"}

    def memory(self, alive: bool = True) -> SessionMemory:
        """The session memory now, of all files and writers; see EnvelopeRecorder."""
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


def _life(
    status: str,
    name: str,
    call_id: str,
    args: Mapping[str, Any] | None,
    result: Any,
    error: str | None,
) -> dict[str, Any]:
    """What a call's record tells, of the facts that there are."""
    facts = {"args": args, "result": result, "error": error}
    known = {name: fact for name, fact in facts.items() if fact is not None}
    return {"tool_name": name, "tool_call_id": call_id, "status": status, **known}


def _check(name: str, payload: Mapping[str, Any]) -> None:
    """Raise RecordRefused for what the agent's loader takes but nobody can use."""
    if name == "message" and not isinstance(payload.get("content", ""), str):
        raise RecordRefused("The content of a message is a text; MyCodeAgent resumes no other.")
    if name == "tool_lifecycle" and payload.get("status") not in _STATUSES:
        status, known = payload.get("status"), ", ".join(_STATUSES)
        raise RecordRefused(f"{status!a} is no status of a call: {known} are.")
