"""The registry of running agents in the demo: one small file per process."""

from __future__ import annotations

import json
import platform
from pathlib import Path


def register(sessions: Path, pid: int, session: str, cwd: str, started: int, beat: int) -> None:
    """Write a process's entry; `started` and the heartbeat `beat` are in milliseconds."""
    entry = {
        "pid": pid,
        "lastHeartbeat": beat,
        "sessionId": session,
        "cwd": cwd,
        "startedAt": started,
        "kind": "interactive",
        "mode": "local",
        "version": "2.137.1",
        "os": platform.system().lower(),
        "arch": platform.machine(),
        "hostname": platform.node(),
        "updatedAt": beat,
    }
    fresh = sessions / f"{pid}.tmp"
    fresh.write_text(json.dumps(entry, indent=2), encoding="utf-8")
    fresh.replace(fresh.with_suffix(".json"))
