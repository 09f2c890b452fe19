"""Marks an agent's process as running: `<home>/sessions/<pid>.json`, while the process works.

A transcript does not show whether anyone is working on it. With this file `sessions` knows: an
agent that waits for a long call is working, and one that was killed has crashed, immediately.
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

from ..files.processes import process_started_at
from ..files.working_directory import DELETED, working_directory
from ..model.process import HEARTBEAT
from .closing import Closing
from .directories import make_directories
from .envelope_recorder import EnvelopeRecorder
from .errors import RecordRefused
from .shards import newest_of, session_of

_LOG = logging.getLogger(__name__)

EVERY = HEARTBEAT / 1000 / 4
"""Seconds between two heartbeats: three may be missed before the last one is stale."""

_LOOK = 1.0
"""Seconds between checks whether the recording continues in its next file."""

_HELD: dict[Path, Presence] = {}
"""The files of this process: without this, two presences would write to the same one."""


class Presence(Closing):
    """Maintains the file that marks this process as working on a recording, until it is closed.

        with EnvelopeRecorder(path) as recorder, Presence(recorder):
            ...

    The recording must be in a session directory: `<home>/projects/<workspace>/<session>.jsonl`. The
    file exists from construction on. A separate thread renews it every `every` seconds, and when
    the recording continues in its next file; `close` removes it. A process that ends without
    `close` leaves the file behind, and readers detect that the process is gone. A forked child is
    another process and needs its own presence. Further presences of one process use `<pid>-2.json`,
    `<pid>-3.json`.

    Raises RecordRefused for a recording elsewhere, or one of MyCodeAgent's. A failed write does not
    stop the agent: it is logged, once, and retried with the next heartbeat.
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
        # Implemented in C and reentrant: a signal handler in the same thread may call `close`.
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
        """Remove the file; in a forked child, which does not own it, do nothing.

        The thread ends by itself, and then completes a call that was interrupted.
        """
        self._is_closed = True
        if os.getpid() == self._pid:
            with self._lock:
                self._leave()

    def _claimed(self, folder: Path) -> Path:
        """Return the first unused name. Checking and reserving is atomic between threads."""
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
        """Go by the wall clock, as readers do: it may be set, or run while the machine sleeps."""
        is_beat = abs(_now() - self._beat) >= self._every
        return is_beat or self._newest() != self._session

    def _newest(self) -> str:
        """Return the session that the recording continues in, whichever process moved it there."""
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
        """Write the file atomically."""
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
            # Read each time: when the clock is set, the system reports another start time.
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
    """Return whether a file was renewed recently, for example by the same pid in another container.

    A file left behind by a process that has ended is taken over.
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
    """Return the agent's working directory; "" if it was deleted."""
    cwd = working_directory()
    return "" if cwd == DELETED else str(cwd)
