"""A trace next to the transcript: every fact as a line in MyCodeAgent's format, for inspection.

It is not evidence: nothing is resumed from it, so writes do not wait for the disk. Secrets are
masked, and the ids that MyCodeAgent masks.
"""

from __future__ import annotations

import errno
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ..records.fields import mapping
from .clock import Clock, time_by, utc_now
from .directories import make_directories
from .drafts import encoder_for, json_of
from .facts import Fact
from .fork_safety import Mutex, part_in_child

_MASK = "***"
_SECRET_KEYS = frozenset(
    {
        *("session_id", "tool_call_id", "token", "access_token", "refresh_token", "password"),
        *("secret", "api_key", "apikey", "authorization", "cookie", "private_key"),
    }
)
_KEYS = re.compile(r"\bsk-[A-Za-z0-9_-]{8,}")
_HOMES = re.compile(r"(/home/|/Users/)[^/\s\"']+")
_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
_WHILE = "which a signal handler or the clock interrupted"


class TraceSink:
    """Appends facts of any name to a trace. Closing adds a line, `session_summary`, with totals.

    - `steps`: the highest step of any fact. An envelope does not record steps, but its facts may
      still have them.
    - `tools_used`: the number of calls, reported as an envelope's `function_call`, as a
      `tool_lifecycle` with the status `requested` or, for the trace alone, as a `tool_call`
      (`tool`, `args`, `tool_call_id`). If every call is reported under two of these names, each
      counts once.
    - `total_usage`: the sum of `prompt_tokens`, `completion_tokens` and `total_tokens` in the
      `usage` of each `model_output`, which is a model response reported for the trace alone.

    `sessions` finds the tokens of a MyCodeAgent session in `memory/traces/trace-NAME.jsonl`, next
    to `memory/transcripts/transcript-NAME.jsonl`; its `model_output` names the model in `meta`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        session: str,
        sanitize: bool = True,
        clock: Clock = utc_now,
    ) -> None:
        self.path = Path(path)
        self._session = session
        self._sanitize = sanitize
        self._clock = clock
        self._mutex = Mutex()
        self._fd: int | None = None
        self._step = 0
        self._begin_sum()
        part_in_child(self)

    def _begin_sum(self) -> None:
        self._calls: Counter[str] = Counter()
        self._tokens = dict.fromkeys(_COUNTS, 0)

    def emit(self, fact: Fact) -> None:
        """Append a line, all of it or nothing.

        Raises OSError, the JSON encoder's errors, or NotKept in a signal handler that interrupted
        another line of the same thread.
        """
        self._in_turn(partial(self._append, fact))

    def close(self) -> None:
        """Write the summary and close the file; nothing if there was no fact. Raises as `emit`."""
        self._in_turn(self._sum_up)

    def part(self) -> None:
        """Reopen the file and restart the summary, in a forked child."""
        self._close()
        self._begin_sum()

    def _in_turn(self, work: Callable[[], None]) -> None:
        self._mutex.in_turn(
            lambda: f"{self.path} is being written by this very thread, {_WHILE}.", work
        )

    def _append(self, fact: Fact) -> None:
        payload = sanitized(dict(fact.payload)) if self._sanitize else dict(fact.payload)
        self._write(fact.name, payload, self._step if fact.step is None else fact.step)
        self._count(fact)

    def _sum_up(self) -> None:
        if self._fd is None:
            return
        tools = max(self._calls.values(), default=0)
        total = {"steps": self._step, "tools_used": tools, "total_usage": self._tokens}
        try:
            self._write("session_summary", total, self._step)
        finally:
            self._close()

    def _close(self) -> None:
        fd, self._fd = self._fd, None
        if fd is not None:
            os.close(fd)

    def _write(self, name: str, payload: Any, step: int) -> None:
        line = {
            "ts": time_by(self._clock).isoformat(),
            "session_id": self._session,
            "step": step,
            "event": name,
            "payload": payload,
        }
        data = json_of(encoder_for(sort_keys=False, allow_nan=True), line) + b"\n"
        if self._fd is None:
            make_directories(self.path.parent)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._fd = os.open(self.path, flags, 0o600)
        kept = os.write(self._fd, data)
        if kept < len(data):
            _take_back(self._fd, kept)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), os.fspath(self.path))

    def _count(self, fact: Fact) -> None:
        self._step = max(self._step, fact.step or 0)
        if _is_call(fact):
            self._calls[fact.name] += 1
        elif fact.name == "model_output":
            usage = mapping(fact.payload.get("usage"))
            for name in _COUNTS:
                count = usage.get(name)
                self._tokens[name] += count if isinstance(count, int) else 0


def _is_call(fact: Fact) -> bool:
    """Return whether a fact is the start of a call rather than a later stage of it."""
    if fact.name == "tool_lifecycle":
        return fact.payload.get("status") == "requested"
    return fact.name in ("function_call", "tool_call")


def _take_back(fd: int, size: int) -> None:
    """Remove the last `size` bytes written, unless someone wrote after them."""
    end = os.lseek(fd, 0, os.SEEK_CUR)
    if os.fstat(fd).st_size == end:
        with suppress(OSError):
            os.ftruncate(fd, end - size)


def sanitized(value: Any) -> Any:
    """Return a value with secrets masked."""
    if isinstance(value, Mapping):
        return {
            key: _MASK if str(key).lower() in _SECRET_KEYS else sanitized(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [sanitized(item) for item in value]
    if isinstance(value, str):
        return _HOMES.sub(rf"\1{_MASK}", _KEYS.sub(_MASK, value))
    return value
