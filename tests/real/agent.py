"""What the rig needs to know of an agent: one driver module each.

A new agent is a module with a class like these, and a line in `agents.py`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from .model import Call
from .scenarios import Scenario
from .script import Operation, Script
from .truth import Transcript


class Unavailable(Exception):
    """The agent cannot be run here; the message says why in one sentence."""


class Agent(Protocol):
    """An installed agent."""

    name: str
    version: str
    scenarios: Mapping[str, Scenario]
    """What it can be made to do, by name."""

    resumes: bool
    """Whether its sessions can be resumed here."""

    def home(self, folder: Path, url: str, scenario: Scenario | None) -> Home:
        """A place to run in: a session directory of its own, and a model at `url`."""


class Home(Protocol):
    """One session directory, in which sessions run and are killed."""

    roots: Sequence[Path]
    """For `--root`."""
    projects: Path
    """The folder for the sessions' projects."""
    environment: Mapping[str, str]
    """What the program is given, so that it finds the agent's command."""

    def start(self, script: Script) -> subprocess.Popen[bytes]:
        """Begin a session. Its process leads a group of its own."""

    def translate(self, operation: Operation, project: Path) -> Call:
        """The agent's own tool call for an operation."""

    def transcripts(self, script: Script) -> tuple[Transcript, ...]:
        """The session's transcripts, its own first; none while nothing is on disk."""

    def resume(self, script: Script, offer: Mapping[str, Any]) -> str:
        """Resume a dead session with what `sessions resume --dry-run --json` offers.

        "" where that worked, else what the agent said.
        """


def begin(
    command: Sequence[str], cwd: Path, environment: Mapping[str, str], output: Path
) -> subprocess.Popen[bytes]:
    """Start a process in a group of its own, with its output in a file."""
    with output.open("ab") as out:
        return subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
