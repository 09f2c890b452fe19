"""Whether a process is there, and since when, as the system tells.

Linux tells by files, which cost little. Elsewhere psutil is asked where it is installed; what
nobody tells is None.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

HAS_PROC = sys.platform == "linux"
"""Whether the system has files that tell of processes."""

if sys.platform == "win32":

    def pid_exists(pid: int) -> bool:
        """Whether a process has this pid; `os.kill` would send it a Ctrl+C here."""
        import ctypes

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
        if not handle:
            return bool(kernel.GetLastError() == 5)  # ERROR_ACCESS_DENIED: there, not ours
        code = ctypes.c_ulong()
        kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        kernel.CloseHandle(handle)
        return code.value == 259  # STILL_ACTIVE

else:

    def pid_exists(pid: int) -> bool:
        """Whether a process has this pid, be it another user's; a zombie is none."""
        try:
            os.kill(pid, 0)
        except PermissionError:
            return True
        except OSError:
            return False
        fields = _proc_fields(pid)
        return not fields or fields[0] not in ("Z", "X")


def process_started_at(pid: int) -> int | None:
    """When a process started, in milliseconds since 1970; None where the system does not tell."""
    if not HAS_PROC:
        return _told_start(pid)
    try:
        return start_since(pid, booted_at())
    except (ValueError, OSError):
        return None


def start_since(pid: int, booted: int) -> int | None:
    """As `process_started_at`, where it is known when the machine started (`booted_at`)."""
    fields = _proc_fields(pid)
    try:
        return int((booted + int(fields[19]) / os.sysconf("SC_CLK_TCK")) * 1000)
    except (IndexError, ValueError, OSError, AttributeError):
        return None


def psutil() -> Any:
    """The library that tells of processes on systems other than Linux; None where it is not."""
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
    """The fields of /proc/<pid>/stat from the state on; the name before may hold anything."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes().decode("ascii", "replace")
    except OSError:
        return []
    return line.rpartition(")")[2].split()


def booted_at() -> int:
    """Seconds since 1970 at which the machine started; OSError where the system has no `/proc`."""
    for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == "btime":
            return int(value)
    raise ValueError("no btime")
