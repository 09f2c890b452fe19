"""The agents that the rig knows, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from . import codebuddy, mycodeagent
from .agent import Agent

AGENTS: Mapping[str, Callable[[Path], Agent]] = {
    "codebuddy": codebuddy.install,
    "mycodeagent": mycodeagent.install,
}
"""Each installs its agent below a folder, or raises `Unavailable`."""
