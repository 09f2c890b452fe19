"""How to resume a session in its agent: the command, its directory, and what speaks against it.

Pure: `circumstances_of` probes the machine. No text of a transcript becomes an option: of the
session only the file's name is passed on, and only if it is plain. Its records may name the
directory, which must exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ..agents.codebuddy.registry import HEARTBEAT, Process
from ..model.durations import count, duration
from ..model.session import Session
from ..text.safe_text import shown_name
from .refused_files import RefusedFile

Agent = Literal["codebuddy", "workbuddy", "mycodeagent", "envelope"]

COMMANDS: Mapping[Agent, tuple[str, ...]] = {
    "codebuddy": ("codebuddy", "cbc", "codebuddy-code"),
    "workbuddy": ("codebuddy", "cbc", "codebuddy-code"),
    "mycodeagent": ("mycodeagent",),
    "envelope": (),
}
"""The names of an agent's command, most likely first."""

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")

MOST_NAMED = 3
"""Maximum number of transcripts named in a warning."""

_SEPARATORS = re.compile(r"[/\\:-]+")


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory that a session may have worked in."""

    path: str
    real: str
    """With symbolic links resolved."""
    is_there: bool


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the machine shows about resuming a session."""

    now: int
    agent: Agent
    command: tuple[str, ...] = ()
    """The command that starts the agent, with its absolute path; () if there is none."""
    wanted: str = ""
    """The command that was searched for because the settings name it."""
    environment: Mapping[str, str | None] = field(default_factory=dict)
    """Variables that direct the agent to the session directory; None unsets one."""
    is_stored: bool = True
    """Whether the transcript is where its agent looks for sessions."""
    directories: tuple[Directory, ...] = ()
    process: Process | None = None
    """The process that claims the session, dead or alive."""
    inner_session: str | None = None
    """The session id in its records."""
    refused: tuple[RefusedFile, ...] = ()
    """The transcripts of its project that MyCodeAgent cannot read."""
    open_calls: int = 0
    """Calls without a result, which CodeBuddy's agent does not learn of when it is resumed."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """What would run. If it is refused, `refusal` says why and there is no command."""

    command: tuple[str, ...] = ()
    cwd: str = ""
    environment: Mapping[str, str | None] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    refusal: str = ""
    open_calls: int = 0
    """Calls without a result that the agent takes for completed unless it is given the note."""


def resumption(session: Session, around: Circumstances) -> Resumption:
    """Return how to resume a session, or why that is not possible."""
    directory = _directory(session, around)
    refusal = _refusal(session, around) or _astray(directory)
    if refusal or directory is None:
        return Resumption(refusal=refusal)
    return Resumption(
        (*around.command, *_options(session.session, around.agent, directory)),
        directory.path,
        around.environment,
        tuple(filter(None, _warnings(session, around, directory))),
        open_calls=around.open_calls,
    )


def slug(path: str) -> str:
    """Return the name of the folder in which the products keep the sessions of a directory."""
    return _SEPARATORS.sub("-", path).strip("-")


def _options(session: str, agent: Agent, directory: Directory) -> list[str]:
    """Return the options; `--name=value` in one word cannot be misread."""
    where = [f"--cwd={directory.path}"] if agent == "mycodeagent" else []
    return [*where, f"--resume={session}"]


def _directory(session: Session, around: Circumstances) -> Directory | None:
    """Return the directory whose sessions the agent will search, or else the most likely one."""
    known = around.directories
    fitting = [one for one in known if _is_home_of(one, session, around.agent)]
    candidates = fitting or [one for one in known if one.is_there] or list(known)
    return max(candidates, key=lambda one: one.is_there, default=None)


def _is_home_of(directory: Directory, session: Session, agent: Agent) -> bool:
    folder = session.path.parent.name
    return agent == "mycodeagent" or folder in (slug(directory.real), slug(directory.path))


def _refusal(session: Session, around: Circumstances) -> str:
    """Return why a session cannot be resumed in any directory; "" if it can."""
    if _is_sub_agent(session):
        parent = f": resume {session.parent}" if session.parent else ""
        return f"It is a sub-agent, and those cannot be resumed by themselves{parent}."
    if not _PLAIN.fullmatch(session.session):
        return f"Its id {session.session!r} has characters that no command should be given."
    if not around.command:
        return _without_command(around)
    if not around.is_stored:
        shown = shown_name(str(session.path))
        return f"{shown} lies outside the places where its agent looks for sessions."
    return ""


def _is_sub_agent(session: Session) -> bool:
    if session.dialect == "mycodeagent" and session.session.startswith("subagent-"):
        return True
    is_project = session.path.parents[1].name == "projects"  # a project may have that name
    return bool(session.parent) or (session.path.parent.name == "subagents" and not is_project)


def _without_command(around: Circumstances) -> str:
    key = f"{around.agent} under [resume] in the settings file"
    if around.wanted:
        return f"The command {around.wanted!r} was not found; it is set as {key}."
    if names := COMMANDS[around.agent]:
        missing = f"No {' or '.join(names)}" if len(names) < 3 else f"None of {', '.join(names)}"
        return f"{missing} was found on PATH. To use another command, set {key}."
    return f"No known agent can resume such a transcript. To use a command of your own, set {key}."


def _astray(directory: Directory | None) -> str:
    """Return why there is no directory to run the agent in; "" if there is one."""
    if directory is None:
        return "Its records name no directory to resume it in."
    if not directory.is_there:
        shown = shown_name(directory.path)
        return f"Its directory {shown} is gone, and the agent resumes it nowhere else."
    return ""


def _warnings(session: Session, around: Circumstances, directory: Directory) -> list[str]:
    return [
        _held(session, around),
        _elsewhere(session, around, directory),
        *_refused_by_its_agent(session, around),
        _taken_for_done(session, around),
        _under_another_name(session, around),
    ]


def _held(session: Session, around: Circumstances) -> str:
    """Warn if another process may be writing: agents do not check that themselves."""
    process, mixing = around.process, "two processes would write to the same transcript"
    silence = max(0, around.now - process.heartbeat_at) if process else 0
    if process and process.life == "alive":
        return f"Process {process.pid} has this session open: {mixing}."
    if process and process.life == "silent":  # stopped, or the machine slept
        beat = f"its last heartbeat was {duration(silence)} ago"
        return f"Process {process.pid} may have this session open ({beat}): {mixing}."
    if process and process.life == "elsewhere" and silence <= HEARTBEAT:
        return f"A process on {process.host} has this session open: {mixing}."
    if session.status == "working":
        return f"The agent may still be at work: {session.why}"
    return ""


def _elsewhere(session: Session, around: Circumstances, directory: Directory) -> str:
    if around.agent == "envelope" or _is_home_of(directory, session, around.agent):
        return ""
    folder = session.path.parent.name
    return f"The agent may not find it there: it is kept in {folder}, for another directory."


def _refused_by_its_agent(session: Session, around: Circumstances) -> Iterator[str]:
    """Warn if MyCodeAgent will refuse: it reads all transcripts of the project first."""
    others = [one for one in around.refused if one.path not in session.paths]
    own = next((one for one in around.refused if one.path in session.paths), None)
    if own is not None:
        name = own.path.name
        yield f"MyCodeAgent will refuse to resume it, for it cannot read {name}: {own.reason}."
    elif session.dialect == "mycodeagent" and session.integrity.state == "corrupt":
        yield f"MyCodeAgent cannot read this transcript: {session.integrity.detail}"
    if others:
        named = "; ".join(f"{one.path.name} ({one.reason})" for one in others[:MOST_NAMED])
        more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        them = "it" if len(others) == 1 else "them"
        yield (
            "MyCodeAgent will refuse to resume any session of this project, for it reads all of "
            f"its transcripts first and cannot read {named}{more}. "
            f"Moving {them} out of {others[0].path.parent} helps."
        )


def _taken_for_done(session: Session, around: Circumstances) -> str:
    if not around.open_calls:
        return ""
    calls = count(around.open_calls, "call")
    them = "the call" if around.open_calls == 1 else "the calls"
    return (
        f"{calls} without a result: the agent will receive an empty result and assume "
        f"{them} succeeded. "
        f"Give it the note first: sessions actions {session.session} --for-agent."
    )


def _under_another_name(session: Session, around: Circumstances) -> str:
    inner = around.inner_session
    if around.agent != "mycodeagent" or inner in (None, session.session):
        return ""
    return f"Its records call it {inner}: MyCodeAgent may not find it by its file's name."


def variables_of(agent: Agent, home: Path | None, default: Path) -> Mapping[str, str | None]:
    """Return the variables that direct an agent to a session directory, given its `default`."""
    if home is None or agent not in ("codebuddy", "workbuddy"):
        return {}
    if agent == "workbuddy":
        return {"CODEBUDDY_CONFIG_DIR": str(home), "WORKBUDDY_CONFIG_DIR": str(home)}
    return {"CODEBUDDY_CONFIG_DIR": None if home == default else str(home)}
