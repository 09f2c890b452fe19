"""Runs everything in a network namespace that has only the loopback, where that is possible."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

INSIDE = "SESSIONS_REAL_LOOPBACK"
"""Set in the process that is already inside."""


def isolate() -> None:
    """Start this program again with the loopback alone; say so where that is not possible."""
    if INSIDE in os.environ:
        return
    if not _is_possible():
        print(
            "No network namespace can be made here (it takes root, `unshare` and `ip`): "
            "the agents run with this machine's network.",
            file=sys.stderr,
        )
        return
    os.environ[INSIDE] = "1"
    program = [sys.executable, "-m", "tests.real", *sys.argv[1:]]
    inside = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh", *program]
    os.execvp("unshare", ["unshare", "--net", *inside])


def _is_possible() -> bool:
    if not (shutil.which("unshare") and shutil.which("ip")):
        return False
    words = ["unshare", "--net", "ip", "link", "set", "lo", "up"]
    return subprocess.run(words, capture_output=True).returncode == 0
