"""How to resume a session in its agent: the command, its directory, and what speaks against it.

Pure: `circumstances_of` probes the machine. No text of a transcript becomes an option: of the
session only the file's name is passed on, and only if it is plain. Its records may name the
directory, which must exist.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..model.durations import count, duration
from ..model.process import HEARTBEAT
from ..model.resume import Circumstances, Directory, Resume
from ..model.session import Session
from ..text.safe_text import shown_name

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


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
    resume = session.agent.resume
    if resume is None:
        return Resumption(refusal=f"Sessions of {session.agent.title} cannot be resumed from here.")
    directory = _directory(session, around, resume)
    refusal = _refusal(session, around, resume) or _astray(directory)
    if refusal or directory is None:
        return Resumption(refusal=refusal)
    return Resumption(
        (*around.command, *resume.options(session.session, directory)),
        directory.path,
        around.environment,
        tuple(filter(None, _warnings(session, around, directory, resume))),
        open_calls=around.open_calls,
    )


def _directory(session: Session, around: Circumstances, resume: Resume) -> Directory | None:
    """Return the directory whose sessions the agent will search, or else the most likely one."""
    known = around.directories
    fitting = [one for one in known if resume.keeps(session, one)]
    candidates = fitting or [one for one in known if one.is_there] or list(known)
    return max(candidates, key=lambda one: one.is_there, default=None)


def _refusal(session: Session, around: Circumstances, resume: Resume) -> str:
    """Return why a session cannot be resumed in any directory; "" if it can."""
    if resume.is_sub_agent(session):
        parent = f": resume {session.parent}" if session.parent else ""
        return f"It is a sub-agent, and those cannot be resumed by themselves{parent}."
    if not _PLAIN.fullmatch(session.session):
        return f"Its id {session.session!r} has characters that no command should be given."
    if not around.command:
        return _without_command(around, resume)
    if not around.is_stored:
        shown = shown_name(str(session.path))
        return f"{shown} lies outside the places where its agent looks for sessions."
    return ""


def _without_command(around: Circumstances, resume: Resume) -> str:
    key = f"{around.brand} under [resume] in the settings file"
    if around.wanted:
        return f"The command {around.wanted!r} was not found; it is set as {key}."
    if names := resume.commands(around.brand):
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


def _warnings(
    session: Session, around: Circumstances, directory: Directory, resume: Resume
) -> list[str]:
    return [
        _held(session, around),
        _elsewhere(session, directory, resume),
        *around.warnings,
        _taken_for_done(session, around),
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


def _elsewhere(session: Session, directory: Directory, resume: Resume) -> str:
    if resume.keeps(session, directory):
        return ""
    folder = session.path.parent.name
    return f"The agent may not find it there: it is kept in {folder}, for another directory."


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
