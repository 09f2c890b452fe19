"""Processes on this machine that may be an agent working in a project.

Used for agents without a registry of live processes. A process may be the
agent if its directory or arguments name the project and it started before the session; it certainly
is if its command is known. A process that cannot be inspected may be the agent as well. Processes
are listed only on demand, and once a certain agent was found, only its liveness is checked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from .process_list import Running, running
from .processes import process_started_at
from .working_directory import resolved

EVERY = 2_000
"""Milliseconds between two scans of all processes."""

SLACK = 2_000
"""Tolerance for the start time of a process, in milliseconds, as clocks may disagree."""

LONGEST_NAME = 40

_INTERPRETER = re.compile(
    r"(?:python|pypy|node|bun|deno|java|ruby|perl|uv|dotnet)[\d.w]*(?:\.exe)?$"
)
"""Runtimes that agents run in."""

SHELLS = frozenset({"ash", "bash", "csh", "dash", "fish", "ksh", "nu", "pwsh", "sh", "tcsh", "zsh"})

OTHERS = frozenset(
    {
        *("atom", "code", "codium", "cursor", "ed", "emacs", "gedit", "helix", "hx", "joe", "kak"),
        *("kate", "mcedit", "micro", "nano", "nvim", "subl", "vi", "view", "vim", "zed"),
        *("awk", "bat", "cat", "entr", "find", "git", "grep", "head", "htop", "inotifywait", "jq"),
        *("less", "man", "mc", "more", "most", "ranger", "rg", "sed", "sleep", "tail", "tig"),
        *("alacritty", "foot", "kitty", "konsole", "login", "mosh-server", "screen", "ssh", "sshd"),
        *("sessions", "su", "sudo", "systemd", "tmux", "tmux:", "top", "wezterm", "xterm"),
    }
)
"""Editors, pagers, terminals and other programs of the user, which are not agents."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that may be a session's agent."""

    pid: int
    started_at: int
    """Milliseconds since 1970."""
    name: str
    """Name of its command, safe to print."""
    is_agent: bool
    """Whether it certainly is an agent."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the machine's processes show about a session."""

    worker: Worker | None = None
    """The most likely live process that may be its agent."""
    gone: Worker | None = None
    """A process seen alive before, if there is none now."""
    is_whole: bool = False
    """Whether no process that may be its agent can be hidden."""


class Machine:
    """Scans the processes on behalf of all sessions, and remembers the agents seen.

    `programs`: names of the agents' commands, or of the directories they are started from.
    """

    def __init__(self, programs: Collection[str]) -> None:
        self._programs = programs
        self._running: list[Running] = []
        self._looked_at: int | None = None
        self._seen: dict[Path, Worker] = {}
        self.looks = 0
        """How often all processes were scanned."""

    def sighting(self, transcript: Path, project: Path, began: int, now: int) -> Sighting:
        """Return what is known about agents working on a transcript of `project` begun at `began`.

        `began` and `now` are in milliseconds since 1970.
        """
        before = self._seen.get(transcript)
        if before is not None and before.is_agent and _is_there(before):
            return Sighting(before)
        self._look(now, began)
        real = resolved(project)
        workers = [one for process in self._running if (one := self._worker(process, real, began))]
        worker = max(workers, key=lambda one: (one.is_agent, one.started_at), default=None)
        if worker is not None:
            self._seen[transcript] = worker
            return Sighting(worker)
        return Sighting(None, before, self._is_whole(transcript))

    def forget(self, transcript: Path) -> None:
        """Forget a transcript that no longer exists."""
        self._seen.pop(transcript, None)

    def _look(self, now: int, began: int) -> None:
        """Scan again after `EVERY` ms, or at once for a session that began since the last scan."""
        looked_at = self._looked_at
        is_new = looked_at is not None and looked_at < began <= now
        if looked_at is None or is_new or not 0 <= now - looked_at < EVERY:
            self._running, self._looked_at = running(self._running, now), now
            self.looks += 1

    def _is_whole(self, transcript: Path) -> bool:
        """Return whether all processes of the transcript's owner can be inspected."""
        try:
            owner = transcript.stat().st_uid
            user = os.getuid()
        except (OSError, AttributeError):
            return False
        if not self._running or (user not in (0, owner)):
            return False
        return not any(self._may_be_hidden(one, owner) for one in self._running)

    def _may_be_hidden(self, process: Running, owner: int) -> bool:
        """Return whether a process may be an agent but its working directory cannot be read.

        Programs that protect secrets cannot be inspected by anybody; they are not agents.
        """
        if not process.is_hidden or process.owner not in (owner, None):
            return False
        words = " ".join(process.command[:4]).lower()
        return bool(_INTERPRETER.match(Path(process.command[0]).name)) or any(
            name in words for name in self._programs
        )

    def _worker(self, process: Running, project: str, began: int) -> Worker | None:
        """Return the process as a worker of a project; None if it cannot be one."""
        if process.pid == os.getpid() or process.started_at > began + SLACK or not process.command:
            return None
        places = (process.directory or "", *process.places)
        if not any(_is_within(place, project) for place in places) or _is_persons(process.command):
            return None
        program = Path(process.command[0]).name
        safe = re.sub(r"[^\w.+-]", "?", program)[:LONGEST_NAME] or "?"
        return Worker(process.pid, process.started_at, safe, self._is_agent(process, project))

    def _is_agent(self, process: Running, project: str) -> bool:
        """Return whether a command is an agent's, by its name or its location."""
        words = [word for word in process.command[:4] if not word.startswith("--")]
        outside = [word for word in words if not _is_within(word, project)]
        return any(
            name in re.sub(r"[_-]", "", word).lower() for word in outside for name in self._programs
        )


def _is_there(worker: Worker) -> bool:
    return process_started_at(worker.pid) == worker.started_at


def _is_persons(command: tuple[str, ...]) -> bool:
    """Return whether a command is an interactive shell or a program for viewing files."""
    name = Path(command[0].lstrip("-")).name.lower().removesuffix(".exe")
    if name in SHELLS:
        options = "".join(word[1:] for word in command[1:] if re.fullmatch(r"-[a-z]+", word))
        return "c" in options or all(word.startswith("-") for word in command[1:])
    ours = len(command) > 1 and Path(command[1]).name in ("sessions", "sessions.exe")
    return name in OTHERS or ours or any("sessions_tui" in word for word in command[:6])


def _is_within(path: str, project: str) -> bool:
    return path == project or path.startswith(project.rstrip("/") + os.sep)
