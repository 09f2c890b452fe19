"""Starts MyCodeAgent from its checkout with all tools allowed and pauses in its phases.

Run by the interpreter that has what MyCodeAgent needs. As shipped it denies most commands, and
nothing is changed on disk. `REAL_PAUSES` is an object of seconds by phase.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from typing import Any

sys.path.insert(0, os.environ["MYCODEAGENT"])
PAUSES = json.loads(os.environ.get("REAL_PAUSES", "{}"))


def pause(phase: str) -> None:
    """Let a kill land in a phase."""
    time.sleep(PAUSES.get(phase, 0) * random.uniform(0.3, 1.7))


def main() -> None:
    """Prepare the modules, then hand over to the agent's own command line."""
    from importlib import import_module

    permissions: Any = import_module("tools.permissions")
    store: Any = import_module("runtime.transcript").TranscriptStore
    import_module("runtime.host").CodeAgent._classify_tool_permission = _allowed(permissions)
    workspace: Any = import_module("tools.workspace")
    workspace.os = _SlowOs()
    append = store.append_event

    def slow_append(self: Any, event: Any) -> Any:
        is_tool = event.event_type.value == "tool_lifecycle"
        status = event.payload.get("status") if is_tool else ""
        if status in ("completed", "failed"):
            pause("before_result")
        result = append(self, event)
        pause(f"after_{status}")
        return result

    store.append_event = slow_append
    import_module("app.cli").main()


def _allowed(permissions: Any) -> Any:
    def allow(self: Any, name: Any, inputs: Any, context: Any) -> Any:
        return permissions.PermissionDecision(
            action=permissions.PermissionAction.ALLOW,
            risk=permissions.RiskLevel.LOW,
            reason="allowed here",
            policy_source="tests",
            input_summary="",
        )

    return allow


class _SlowOs:
    """`os`, with pauses around the calls that put a file in its place."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def replace(self, source: Any, target: Any) -> None:
        """Replace a file, slowly."""
        pause("before_write")
        os.replace(source, target)  # noqa: PTH105 - what it stands for
        pause("after_write")

    def link(self, source: Any, target: Any) -> None:
        """Create a file, slowly."""
        pause("before_write")
        os.link(source, target)
        pause("after_write")


if __name__ == "__main__":
    main()
