"""The state of a run according to CodeBuddy's logs: a tool executing, or waiting for approval.

The transcript has the same call for both. `<home>/logs/<date>/<directory's name>__<hash>.log`
contains lines of `[SessionRunStateMachine]`, written about ten seconds late. Their times are
formatted in the machine's locale and are not parsed; only their order matters. Only the end of a
log is read, and only if the log changed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from ...files.lines import opened, pread
from ...model.process import Activity, Run

TAIL = 256 * 1024
"""Bytes read from the end of a log."""

DATES = 2
"""How many of the newest dates are searched: a run may last past midnight."""

_TRANSITION = re.compile(
    rb"\[SessionRunStateMachine\] transition \| sessionId=([^\s|]+) \|[^\n]*?\| to=(\w+)([^\n]*)"
)
_ACTIVITIES: dict[bytes, Activity] = {
    b"tool_executing": "running",
    b"waiting_for_permission": "waiting",
}
_TOOL = re.compile(rb"\| toolName=([^\s|]+)")


class RunLogs:
    """The logs of one home."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "logs"
        self._read: dict[Path, tuple[int, int, dict[str, Run]]] = {}
        """For each log its size, modification time and the last state of each session."""

    def run(self, session: str, directory: str, since: int) -> Run | None:
        """Return a session's last state in logs modified at or after `since` (ms since 1970)."""
        for path in self._logs(Path(directory).name):
            if (runs := self._runs(path, since)) and session in runs:
                return runs[session]
        return None

    def _logs(self, name: str) -> list[Path]:
        """Return the logs of directories with that name, newest date first."""
        try:
            dates = sorted((one for one in self._folder.iterdir() if one.is_dir()), reverse=True)
            return [
                path
                for date in dates[:DATES]
                for path in sorted(date.glob("*.log"))
                if path.name.startswith(f"{name}__")
            ]
        except OSError:
            return []

    def _runs(self, path: Path, since: int) -> dict[str, Run]:
        try:
            stat = path.stat()
            if stat.st_mtime_ns // 1_000_000 < since:
                return {}
            known = self._read.get(path)
            if known is None or known[:2] != (stat.st_size, stat.st_mtime_ns):
                known = stat.st_size, stat.st_mtime_ns, _runs_in(path)
                self._read[path] = known
            return known[2]
        except OSError:
            return {}


def _runs_in(path: Path) -> dict[str, Run]:
    """Return the last state of each session in the end of a log; malformed lines do not match."""
    with opened(path) as fd:
        size = os.fstat(fd).st_size
        data = pread(fd, min(size, TAIL), max(0, size - TAIL))
    found: dict[str, Run] = {}
    for session, state, rest in _TRANSITION.findall(data):
        tool = _TOOL.search(rest)
        found[session.decode("utf-8", "replace")] = Run(
            _ACTIVITIES.get(state, ""), tool[1].decode("utf-8", "replace") if tool else ""
        )
    return found
