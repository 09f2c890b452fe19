"""What the machine shows about resuming a session: the agent's command, directories, process.

Probed each time, because it is rarely needed and must be current. Commands are searched for in the
absolute directories of PATH only, so that none is taken from a session's working directory.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..files.kinds import is_directory, is_file
from ..folds.facts import Facts
from ..model.process import Process, Work
from ..model.resume import Circumstances, Directory, Environment, Resume, Variables
from ..model.session import Session
from ..stores.layouts import home_at
from ..text.paths import typed_path
from ..transcript.overview import glance

APPLICATIONS = Path("/Applications")
"""Where macOS keeps applications, which may bundle agents."""

_NONE: Variables = {}


def circumstances_of(
    session: Session,
    configured: Mapping[str, Sequence[str]],
    environ: Mapping[str, str],
    user: Path,
    now: int,
    applications: Path = APPLICATIONS,
) -> Circumstances:
    """Return the circumstances of a session at `now` (ms since 1970).

    `configured`: commands by product, from the settings. `user`: the user's home directory.
    """
    resume = session.agent.resume
    if resume is None:
        return Circumstances(now, session.agent.name)
    environment, home = Environment(environ, user, applications), home_at(session.path)
    brand = resume.brand(home, environment)
    words = tuple(configured.get(brand, ()))
    path = environ.get("PATH", os.defpath)
    command, more = _configured(words, path, user), _NONE
    if not words:
        command, more = _installed(resume, brand, path, home, environment)
    facts = _facts(session)
    process = _process(session, facts, home, now)
    named = [facts.cwd, facts.last_cwd, process.cwd if process else ""]
    where = resume.directories(session, [one for one in named if one])
    return Circumstances(
        now,
        brand,
        command,
        wanted=words[0] if words else "",
        environment={**resume.variables(brand, home, environment), **more},
        is_stored=resume.is_stored(session, home),
        directories=tuple(_directory(path) for path in dict.fromkeys(where)),
        process=process,
        inner_session=facts.inner_session,
        warnings=tuple(resume.warnings(session, facts.inner_session)),
        open_calls=_open_calls(session, facts) if resume.invents_results else 0,
    )


def _open_calls(session: Session, facts: Facts) -> int:
    """Count the calls without a result, decided or not; in a long session, those near its end."""
    calls = (call for calls in facts.open_calls.values() for call in calls)
    return max(session.uncertain, sum(call.stage == "started" for call in calls))


def _configured(words: tuple[str, ...], path: str, user: Path) -> tuple[str, ...]:
    """Return a configured command with the absolute path of its program; () if not found."""
    if not words:
        return ()
    program, *rest = words
    place = typed_path(program, user, user)
    found = _found(program, path) if _is_name(program) else place if is_file(place) else None
    return (str(found), *rest) if found else ()


def _installed(
    resume: Resume, brand: str, path: str, home: Path | None, environment: Environment
) -> tuple[tuple[str, ...], Variables]:
    """Return the agent's own command, and the environment variables it needs."""
    for name in resume.commands(brand):
        if found := _found(name, path):
            return (str(found),), {}
    for files, variables in resume.bundled(brand, home, environment):
        if all(map(is_file, files)):
            return tuple(map(str, files)), variables
    return (), {}


def _found(name: str, path: str) -> Path | None:
    """Return a program on PATH; ignores relative directories, which would be the session's own."""
    for folder in path.split(os.pathsep):
        found = shutil.which(name, path=folder) if Path(folder).is_absolute() else None
        if found and Path(found).is_absolute():
            return Path(found)
    return None


def _is_name(program: str) -> bool:
    """Return whether a program is to be searched for on PATH."""
    return not any(separator in program for separator in "/\\")


def _process(session: Session, facts: Facts, home: Path | None, now: int) -> Process | None:
    """Return the process that has the session, in the registry of its home."""
    if home is None or session.agent.around is None:
        return None
    around = session.agent.around(home)
    around.refresh()
    named = tuple(dict.fromkeys(one for one in (facts.last_cwd, facts.cwd) if one))
    until = facts.newest_at or facts.updated_at
    work = Work(
        session.session, session.session, named, facts.prompted_at, until, until, True, False
    )
    signs = around.signs(work, now)
    return signs.rival or signs.owner


def _facts(session: Session) -> Facts:
    """Return the facts from both ends of the file; none if it cannot be read."""
    try:
        return glance(session.path, session.session).facts
    except OSError:
        return Facts()


def _directory(path: str) -> Directory:
    """Return what is known of a directory; `path` may be any text, even an invalid path."""
    is_there = Path(path).is_absolute() and is_directory(Path(path))
    return Directory(path, os.path.realpath(path) if is_there else path, is_there)
