"""Whether a process exists, and when it started.

Uses `/proc` on Linux, which is cheap, and psutil elsewhere if it is installed; None means unknown.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

HAS_PROC = sys.platform == "linux"
"""Whether the system has `/proc`."""

if sys.platform == "win32":

    def pid_exists(pid: int) -> bool:
        """Return whether a process has this pid; `os.kill` would send it a Ctrl+C on Windows."""
        import ctypes

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
        if not handle:
            return bool(kernel.GetLastError() == 5)  # ERROR_ACCESS_DENIED: exists, not ours
        code = ctypes.c_ulong()
        kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        kernel.CloseHandle(handle)
        return code.value == 259  # STILL_ACTIVE

else:

    def pid_exists(pid: int) -> bool:
        """Return whether a process has this pid, even another user's; zombies do not count."""
        try:
            os.kill(pid, 0)
        except PermissionError:
            return True
        except OSError:
            return False
        fields = _proc_fields(pid)
        return not fields or fields[0] not in ("Z", "X")


def process_started_at(pid: int) -> int | None:
    """Return when a process started, in milliseconds since 1970; None if unknown."""
    if not HAS_PROC:
        return _told_start(pid)
    try:
        return start_since(pid, booted_at())
    except (ValueError, OSError):
        return None


def start_since(pid: int, booted: int) -> int | None:
    """Like `process_started_at`, given the boot time (`booted_at`)."""
    fields = _proc_fields(pid)
    try:
        return int((booted + int(fields[19]) / os.sysconf("SC_CLK_TCK")) * 1000)
    except (IndexError, ValueError, OSError, AttributeError):
        return None


def psutil() -> Any:
    """Return the psutil module, for systems other than Linux; None if it is not installed."""
    try:
        return import_module("psutil")
    except ImportError:
        return None


def _told_start(pid: int) -> int | None:
    if (library := psutil()) is None:
        return None
    try:
        return int(library.Process(pid).create_time() * 1000)
    except (library.Error, OSError):
        return None


def _proc_fields(pid: int) -> list[str]:
    """Return the fields of /proc/<pid>/stat after the name, which may be any text."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes().decode("ascii", "replace")
    except OSError:
        return []
    return line.rpartition(")")[2].split()


def booted_at() -> int:
    """Return the boot time in seconds since 1970. Raises OSError if the system has no `/proc`."""
    for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == "btime":
            return int(value)
    raise ValueError("no btime")
