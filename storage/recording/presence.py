"""Says that an agent's process is there: `<home>/sessions/<pid>.json`, kept for as long as it is.

A transcript does not tell whether somebody is at work on it. With this file `sessions` knows: an
agent that waits for a long call is at work, and one that was killed has crashed, from then on.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import socket
import sys
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from ..agents.codebuddy.registry import HEARTBEAT
from ..files.processes import process_started_at
from ..files.working_directory import DELETED, working_directory
from .closing import Closing
from .directories import make_directories
from .envelope_recorder import EnvelopeRecorder
from .errors import RecordRefused
from .shards import newest_of, session_of

_LOG = logging.getLogger(__name__)

EVERY = HEARTBEAT / 1000 / 4
"""Seconds between two heartbeats: three may be missed before one is no longer fresh."""

_LOOK = 1.0
"""Seconds after which it is looked whether the recording went on in its next file."""

_HELD: dict[Path, Presence] = {}
"""The files of this process: by their names alone, two of it would write into one."""


class Presence(Closing):
    """Keeps the file that tells that this process is at work on a recording, until it is closed.

        with EnvelopeRecorder(path) as recorder, Presence(recorder):
            ...

    The recording lies in a home: `<home>/projects/<workspace>/<session>.jsonl`. The file is there
    once this is made, is renewed in a thread of its own `every` few seconds and when the recording
    goes on in its next file, and is removed by `close`. A process that ends without that leaves it
    behind, and readers see that it is gone. A forked child is another process: it needs a presence
    of its own. Further presences of one process have files `<pid>-2.json`, `<pid>-3.json`.

    Making one raises RecordRefused for a recording that lies elsewhere, or is MyCodeAgent's. What
    cannot be written is no reason for an agent to stop: it is logged, once, and tried again with
    the next heartbeat.
    """

    def __init__(self, recorder: EnvelopeRecorder, *, every: float = EVERY) -> None:
        if not 0 < every < HEARTBEAT / 1000:
            raise ValueError(f"every must be a number of seconds below {HEARTBEAT // 1000}")
        self._recorder = recorder
        self._every = every * 1000
        self._pid = os.getpid()
        self._began = _now()
        self._cwd = _cwd()
        self._session, self._beat = "", 0
        self._is_closed = self._was_told = False
        # Of C, and the same thread may take it twice: a signal handler may close in the midst.
        self._lock = threading.RLock()
        folder = _home_of(recorder) / "sessions"
        self.path = self._claimed(folder)
        """The file."""
        try:
            with suppress(OSError):
                make_directories(folder)
            self._renew()
            pause = min(every, _LOOK)
            threading.Thread(target=self._keep, args=(pause,), name="presence", daemon=True).start()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Remove the file; nothing in a forked child, whose it is not. Its thread ends by itself.

        That also ends what was interrupted here.
        """
        self._is_closed = True
        if os.getpid() == self._pid:
            with self._lock:
                self._leave()

    def _claimed(self, folder: Path) -> Path:
        """The first name that nobody has. Asking and taking is one step between threads."""
        names = (f"{self._pid}-{number}" if number > 1 else str(self._pid) for number in count(1))
        paths = (folder / f"{name}.json" for name in names)
        return next(
            path for path in paths if not _is_kept(path) and _HELD.setdefault(path, self) is self
        )

    def _leave(self) -> None:
        if _HELD.get(self.path) is self:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
            _HELD.pop(self.path, None)

    def _keep(self, pause: float) -> None:
        while not self._is_closed:
            time.sleep(pause)
            if self._is_due():
                self._renew()
        self.close()

    def _is_due(self) -> bool:
        """By the clock that readers go by: it may be set, or go on while the machine sleeps."""
        is_beat = abs(_now() - self._beat) >= self._every
        return is_beat or self._newest() != self._session

    def _newest(self) -> str:
        """The session that the recording goes on in, whoever took it there."""
        try:
            return session_of(newest_of(self._recorder.path))
        except OSError:
            return self._recorder.session

    def _renew(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            try:
                self._write()
            except OSError as error:
                if not self._was_told:
                    _LOG.warning("%s cannot be written: %s", self.path, error.strerror or error)
                self._was_told = True

    def _write(self) -> None:
        """Write the file whole, or leave it as it was."""
        self._session, self._beat = self._newest(), _now()
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        new = self.path.with_name(f".{self.path.name}.new")
        try:
            new.unlink(missing_ok=True)
            with open(new, "x", encoding="ascii", opener=_private) as file:
                json.dump(self._entry(), file, indent=2)
            new.replace(self.path)
        except BaseException:
            with suppress(OSError):
                new.unlink()
            raise

    def _entry(self) -> dict[str, Any]:
        return {
            "pid": self._pid,
            "lastHeartbeat": self._beat,
            "sessionId": self._session,
            "cwd": self._cwd,
            # Anew each time: when a clock is set, the system tells another time of the start.
            "startedAt": process_started_at(self._pid) or self._began,
            "kind": "interactive",
            "mode": "local",
            "os": sys.platform,
            "arch": platform.machine(),
            "hostname": socket.gethostname(),
            "updatedAt": self._beat,
        }


def _home_of(recorder: EnvelopeRecorder) -> Path:
    if not isinstance(recorder, EnvelopeRecorder):
        raise RecordRefused(
            "A presence is for EnvelopeRecorder: MyCodeAgent keeps no registry of its processes."
        )
    path = recorder.path.resolve() if ".." in recorder.path.parts else recorder.path
    _, projects, *above = path.parents
    if projects.name != "projects":
        raise RecordRefused(
            f"{path} lies in no home, so that nobody would look for its process: "
            "a presence is for HOME/projects/WORKSPACE/NAME.jsonl."
        )
    return above[0]


def _is_kept(path: Path) -> bool:
    """Whether somebody renewed a file lately: a process of that number in another container, say.

    What a process left behind that is gone is taken over.
    """
    try:
        return _now() - path.stat().st_mtime_ns // 1_000_000 <= HEARTBEAT
    except OSError:
        return False


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _now() -> int:
    return int(time.time() * 1000)


def _cwd() -> str:
    """Where the agent is at work; "" where that directory is gone."""
    cwd = working_directory()
    return "" if cwd == DELETED else str(cwd)
