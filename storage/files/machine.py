"""The processes of this machine that may be an agent at work in a project.

Asked where no registry says who is alive (MyCodeAgent, envelope). A process may be the agent where
its directory or its arguments name the project and it began before the session did; one whose
command is known is. A process that cannot be looked at may be one as well. Nothing is read before
somebody asks, and of an agent that was found only whether it is still there.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from .process_list import Running, running
from .processes import process_started_at
from .working_directory import resolved

EVERY = 2_000
"""Milliseconds between two looks at all processes."""

SLACK = 2_000
"""Milliseconds by which clocks may disagree on when a process started."""

LONGEST_NAME = 40

_INTERPRETER = re.compile(
    r"(?:python|pypy|node|bun|deno|java|ruby|perl|uv|dotnet)[\d.w]*(?:\.exe)?$"
)
"""What runs agents: programs that are no binaries of their own."""

AGENT = "mycodeagent"
"""What MyCodeAgent's command is called, or the directory that it is started from."""

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
"""Editors, pagers, terminals and other programs of a person's own, which are no agents."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that may be a session's agent."""

    pid: int
    started_at: int
    """Milliseconds since 1970."""
    name: str
    """What its command is called, safe to print."""
    is_agent: bool
    """Whether it is one for sure."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a look at the machine's processes tells of a session."""

    worker: Worker | None = None
    """One that is alive and may be its agent; the likeliest."""
    gone: Worker | None = None
    """One that was seen alive before, where there is none any more."""
    is_whole: bool = False
    """Whether no process that may be its agent can be hidden."""


class Machine:
    """Looks at the processes for all who ask, and remembers whom it saw."""

    def __init__(self) -> None:
        self._running: list[Running] = []
        self._looked_at: int | None = None
        self._seen: dict[Path, Worker] = {}
        self.looks = 0
        """How often all processes were looked at."""

    def sighting(self, transcript: Path, project: Path, began: int, now: int) -> Sighting:
        """Who may be at work on a transcript, in a project, since a session began there."""
        before = self._seen.get(transcript)
        if before is not None and before.is_agent and _is_there(before):
            return Sighting(before)
        self._look(now, began)
        real = resolved(project)
        workers = [one for process in self._running if (one := _worker(process, real, began))]
        worker = max(workers, key=lambda one: (one.is_agent, one.started_at), default=None)
        if worker is not None:
            self._seen[transcript] = worker
            return Sighting(worker)
        return Sighting(None, before, self._is_whole(transcript))

    def forget(self, transcript: Path) -> None:
        """A transcript is gone."""
        self._seen.pop(transcript, None)

    def _look(self, now: int, began: int) -> None:
        """Look again after a while, and at once for a session that began since the last look."""
        looked_at = self._looked_at
        is_new = looked_at is not None and looked_at < began <= now
        if looked_at is None or is_new or not 0 <= now - looked_at < EVERY:
            self._running, self._looked_at = running(self._running, now), now
            self.looks += 1

    def _is_whole(self, transcript: Path) -> bool:
        """Whether every process that may write the transcript, its owner's, can be looked at."""
        try:
            owner = transcript.stat().st_uid
            user = os.getuid()
        except (OSError, AttributeError):
            return False
        if not self._running or (user not in (0, owner)):
            return False
        return not any(_may_be_hidden(one, owner) for one in self._running)


def _may_be_hidden(process: Running, owner: int) -> bool:
    """Whether a process that may be an agent works nobody knows where.

    Programs that guard secrets cannot be looked at by anybody, and are none.
    """
    if not process.is_hidden or process.owner not in (owner, None):
        return False
    words = " ".join(process.command[:4]).lower()
    return bool(_INTERPRETER.match(Path(process.command[0]).name)) or AGENT in words


def _is_there(worker: Worker) -> bool:
    return process_started_at(worker.pid) == worker.started_at


def _worker(process: Running, project: str, began: int) -> Worker | None:
    """A process as a worker of a project; None where it can be none."""
    if process.pid == os.getpid() or process.started_at > began + SLACK or not process.command:
        return None
    places = (process.directory or "", *process.places)
    if not any(_is_within(place, project) for place in places) or _is_persons(process.command):
        return None
    program = Path(process.command[0]).name
    safe = re.sub(r"[^\w.+-]", "?", program)[:LONGEST_NAME] or "?"
    return Worker(process.pid, process.started_at, safe, _is_agent(process, project))


def _is_persons(command: tuple[str, ...]) -> bool:
    """Whether a command is a shell's prompt, or a program that a person looks at files with."""
    name = Path(command[0].lstrip("-")).name.lower().removesuffix(".exe")
    if name in SHELLS:
        options = "".join(word[1:] for word in command[1:] if re.fullmatch(r"-[a-z]+", word))
        return "c" in options or all(word.startswith("-") for word in command[1:])
    ours = len(command) > 1 and Path(command[1]).name in ("sessions", "sessions.exe")
    return name in OTHERS or ours or any("sessions_tui" in word for word in command[:6])


def _is_agent(process: Running, project: str) -> bool:
    """Whether the command is MyCodeAgent's, by its name or by where it lies."""
    words = [word for word in process.command[:4] if not word.startswith("--")]
    outside = [word for word in words if not _is_within(word, project)]
    return any(AGENT in re.sub(r"[_-]", "", word).lower() for word in outside)


def _is_within(path: str, project: str) -> bool:
    return path == project or path.startswith(project.rstrip("/") + os.sep)
