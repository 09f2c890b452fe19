"""A trace beside the transcript: every fact as a line, in MyCodeAgent's shape, for looking at.

It is no evidence: nothing is resumed from it, so that it does not wait for the disk. Secrets are
masked, as are the ids that the agent masks.
"""

from __future__ import annotations

import errno
import json
import os
import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..dialects.fields import mapping
from .clock import Clock, time_by, utc_now
from .directories import make_directories
from .facts import Fact

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


class TraceSink:
    """Appends facts to a trace. Closing adds a line that sums up: steps, tools, tokens."""

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
        self._mutex = threading.Lock()
        self._fd: int | None = None
        self._step = self._tools = 0
        self._tokens = dict.fromkeys(_COUNTS, 0)

    def emit(self, fact: Fact) -> None:
        """Append a line, all of it or nothing.

        Raises OSError, or what JSON raises for what it cannot write.
        """
        with self._mutex:
            payload = sanitized(dict(fact.payload)) if self._sanitize else dict(fact.payload)
            self._write(fact.name, payload, self._step if fact.step is None else fact.step)
            self._count(fact)

    def close(self) -> None:
        """Write the sum and close the file; nothing where there was no fact."""
        with self._mutex:
            if self._fd is None:
                return
            total = {
                "steps": self._step,
                "tools_used": self._tools,
                "total_usage": self._tokens,
            }
            try:
                self._write("session_summary", total, self._step)
            finally:
                os.close(self._fd)
                self._fd = None

    def _write(self, name: str, payload: Any, step: int) -> None:
        line = {
            "ts": time_by(self._clock).isoformat(),
            "session_id": self._session,
            "step": step,
            "event": name,
            "payload": payload,
        }
        data = (json.dumps(line, ensure_ascii=False) + "\n").encode()
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
        if fact.name == "tool_call":
            self._tools += 1
        elif fact.name == "model_output":
            usage = mapping(fact.payload.get("usage"))
            for name in _COUNTS:
                count = usage.get(name)
                self._tokens[name] += count if isinstance(count, int) else 0


def _take_back(fd: int, size: int) -> None:
    """Cut off the bytes that were written last, unless somebody wrote behind them."""
    end = os.lseek(fd, 0, os.SEEK_CUR)
    if os.fstat(fd).st_size == end:
        with suppress(OSError):
            os.ftruncate(fd, end - size)


def sanitized(value: Any) -> Any:
    """A value without what nobody else may read."""
    if isinstance(value, dict):
        return {
            key: _MASK if str(key).lower() in _SECRET_KEYS else sanitized(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [sanitized(item) for item in value]
    if isinstance(value, str):
        return _HOMES.sub(rf"\1{_MASK}", _KEYS.sub(_MASK, value))
    return value
