"""Records an agent's session in MyCodeAgent's format: runs, steps, and the stages of each call."""

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
"""The record types of the format."""

Status = Literal["requested", "started", "completed", "failed"]
"""The stage of a call."""
_STATUSES = get_args(Status)

_RUN = re.compile(r"run-(\d{1,18})")


class MyCodeAgentRecorder(Closing):
    """Records one session; threads may share it, each process opens its own.

    A run begins with the first record, and with the one after `begin_run`. The agent sets `step`: 0
    for what the user typed, then 1, 2, 3. Methods return and raise as in EnvelopeRecorder, and the
    options are the same; `new_id` returns the id of each event, by default a random one.
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
        """Highest run of the whole recording; None until it is needed."""
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
        """Return a recorder that continues a session in a new run; see EnvelopeRecorder.

        An incomplete last line is removed, a complete one gets its line end.
        """
        check_end(Path(path), MyCodeAgentForm(), options.get("patience", PATIENCE))
        options["goes_on"] = True
        return cls(path, on_record=on_record, allow_nan=allow_nan, new_id=new_id, **options)

    @property
    def path(self) -> Path:
        """The file currently written to; a next file counts once it has its first record."""
        return self._recording.store.path

    @property
    def session(self) -> str:
        """The session id of that file."""
        return self._recording.store.session

    @property
    def run(self) -> str | None:
        """The run of the records; None until the first record, which assigns its number.

        This way no two recorders of one session share a run.
        """
        return self._run

    def begin_run(self) -> None:
        """Begin a new run at step 0 with the next record; its number follows all recorded runs."""
        self._recording.in_turn(self._end_run)

    def message(self, role: str, content: str, metadata: Mapping[str, Any] | None = None) -> Event:
        """Record a message as the model sees it; an assistant's `tool_calls` go into `metadata`.

        The role is `user`, `assistant`, `tool` or `summary`; the agent ignores others on resuming.
        """
        payload = {"role": role, "content": content, "metadata": metadata or {}}
        return self.record("message", payload)

    def transition(self, reason: str, details: Mapping[str, Any] | None = None) -> Event:
        """Record that the agent's loop moves on from the state of the previous transition."""
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
        """Record that a call of this run was requested or started, or has completed or failed.

        `args` belong to the first two, `result` to the others: an object such as `{"status":
        "success", "text": …}`, or any JSON; `error` gives the reason if there is no result. Raises
        RecordRefused for another status. A call of an earlier run is a different one even if the id
        is the same: see `settle`.
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
        """Record the outcome of an earlier run's call: `ResumeState.uncertain` or `.pending`.

        The record has that call's run and step; those of this recorder are unchanged. Settle calls
        before recording anything else, because a session is shown in the run of its last record.
        """
        if action.run_id is None or not action.call_id:
            raise RecordRefused("The action names no call of a run.")
        if status not in ("completed", "failed"):
            raise RecordRefused(f"{status!a} is no end of a call: completed or failed is one.")
        life = _life(status, action.tool, action.call_id, None, result, error)
        work, step, run = self._recording.in_turn, action.step or 0, action.run_id
        return self._recording.told(work(self._keep, "tool_lifecycle", life, step, run))

    def checkpoint(self, summary: str, checkpoint_id: str | None = None, **facts: Any) -> Event:
        """Record a summary to continue from; a `runtime_state` is restored on resuming."""
        named = checkpoint_id or f"compact_{uuid4().hex}"
        return self.record("checkpoint", {"summary": summary, **facts, "checkpoint_id": named})

    def terminal(self, reason: str, details: Mapping[str, Any] | None = None) -> Event:
        """Record the end of the run; without `begin_run`, later records still belong to it."""
        return self.record("terminal", {"reason": reason, "details": details or {}})

    def record(self, name: str, payload: Mapping[str, Any], step: int | None = None) -> Event:
        """Record one of the format's types."""
        if isinstance(payload, Mapping):  # anything else is rejected when it is encoded
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
        # After an interruption the count is no longer kept up to date.
        if self._highest is None or not self._recording.store.is_followed_by(self._count_run):
            self._count_runs()
        event = self._recording.keep(fields, self._next_run)
        self._run = event.run
        return event

    def _count_runs(self) -> None:
        """Find the highest run, and keep it up to date from now on."""
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
        """Return the current session memory, over all files and writers; see EnvelopeRecorder."""
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


def _life(
    status: str,
    name: str,
    call_id: str,
    args: Mapping[str, Any] | None,
    result: Any,
    error: str | None,
) -> dict[str, Any]:
    """Return the payload of a call's record, without fields that are None."""
    facts = {"args": args, "result": result, "error": error}
    known = {name: fact for name, fact in facts.items() if fact is not None}
    return {"tool_name": name, "tool_call_id": call_id, "status": status, **known}


def _check(name: str, payload: Mapping[str, Any]) -> None:
    """Raise RecordRefused for records that the agent's loader accepts but nobody can use."""
    if name == "message" and not isinstance(payload.get("content", ""), str):
        raise RecordRefused("The content of a message is a text; MyCodeAgent resumes no other.")
    if name == "tool_lifecycle" and payload.get("status") not in _STATUSES:
        status, known = payload.get("status"), ", ".join(_STATUSES)
        raise RecordRefused(f"{status!a} is no status of a call: {known} are.")
