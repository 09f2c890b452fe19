"""What the machine shows about resuming a session: the agent's command, directories, process.

Probed each time, because it is rarely needed and must be current. Commands are searched for in the
absolute directories of PATH only, so that none is taken from a session's working directory.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..agents.codebuddy.claims import claim_of
from ..agents.codebuddy.registry import Process, Registry
from ..agents.codebuddy.stores import brand as product_of
from ..agents.mycodeagent.stores import TRANSCRIPTS
from ..files.kinds import is_directory, is_file
from ..files.working_directory import DELETED, working_directory
from ..folds.facts import Facts
from ..model.session import Session
from ..private.places import expand
from ..stores.layouts import home_at
from ..transcript.overview import glance
from .refused_files import refused_in
from .resumption import COMMANDS, Agent, Circumstances, Directory, variables_of

APPLICATIONS = Path("/Applications")
"""Where macOS keeps WorkBuddy, which bundles its own agent."""

BUNDLED = Path("Contents", "Resources", "app.asar.unpacked", "cli", "bin", "codebuddy")
ELECTRON = Path("Contents", "MacOS", "Electron")

Variables = Mapping[str, str | None]


def circumstances_of(
    session: Session,
    configured: Mapping[str, Sequence[str]],
    environ: Mapping[str, str],
    user: Path,
    now: int,
    applications: Path = APPLICATIONS,
) -> Circumstances:
    """Return the circumstances of a session at `now` (ms since 1970).

    `configured`: commands by agent, from the settings. `user`: the user's home directory.
    """
    home = _home_of(session)
    agent = _agent_of(session, home, environ, user)
    words = tuple(configured.get(agent, ()))
    path = environ.get("PATH", os.defpath)
    command, more = _configured(words, path, user), dict[str, str | None]()
    if not words:
        command, more = _installed(agent, path, home, applications)
    facts = _facts(session)
    process = _process(session, facts, home, now)
    return Circumstances(
        now,
        agent,
        command,
        wanted=words[0] if words else "",
        environment={**_variables(agent, home, environ, user), **more},
        is_stored=_is_stored(session, home, agent),
        directories=_directories(session, facts, process, agent),
        process=process,
        inner_session=facts.inner_session,
        refused=tuple(refused_in(session.path.parent)) if agent == "mycodeagent" else (),
        open_calls=_open_calls(session, facts) if session.dialect == "product" else 0,
    )


def _open_calls(session: Session, facts: Facts) -> int:
    """Count the calls without a result, decided or not; in a long session, those near its end."""
    calls = (call for calls in facts.open_calls.values() for call in calls)
    return max(session.uncertain, sum(call.stage == "started" for call in calls))


def _home_of(session: Session) -> Path | None:
    return home_at(session.path) if session.dialect == "product" else None


def _agent_of(session: Session, home: Path | None, environ: Mapping[str, str], user: Path) -> Agent:
    if session.dialect == "mycodeagent":
        return "mycodeagent"
    if session.dialect != "product":
        return "envelope"
    named = environ.get("WORKBUDDY_CONFIG_DIR")
    is_named = bool(named and home and _is_same(expand(named, user, working_directory()), home))
    is_workbuddy = is_named or bool(home and product_of(home).startswith("workbuddy"))
    return "workbuddy" if is_workbuddy else "codebuddy"


# The command.


def _configured(words: tuple[str, ...], path: str, user: Path) -> tuple[str, ...]:
    """Return a configured command with the absolute path of its program; () if not found."""
    if not words:
        return ()
    program, *rest = words
    place = expand(program, user, user)
    found = _found(program, path) if _is_name(program) else place if is_file(place) else None
    return (str(found), *rest) if found else ()


def _installed(
    agent: Agent, path: str, home: Path | None, applications: Path
) -> tuple[tuple[str, ...], dict[str, str | None]]:
    """Return the agent's own command, and the environment variables it needs."""
    for name in COMMANDS[agent]:
        if found := _found(name, path):
            return (str(found),), {}
    if agent == "workbuddy" and home:
        for program, script in _bundled(home, applications):
            if is_file(program) and is_file(script):
                return (str(program), str(script)), {"ELECTRON_RUN_AS_NODE": "1"}
    return (), {}


def _bundled(home: Path, applications: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the agents bundled with the desktop apps, the session directory's edition first."""
    names = ["WorkBuddy.app", "WorkBuddy AI.app"]
    for name in names[:: -1 if product_of(home) == "workbuddy-ai" else 1]:
        yield applications / name / ELECTRON, applications / name / BUNDLED


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


# The session directory.


def _variables(
    agent: Agent, home: Path | None, environ: Mapping[str, str], user: Path
) -> Variables:
    """Return the variables that direct the agent to the session directory, if any are needed."""
    default, named = user / ".codebuddy", environ.get("CODEBUDDY_CONFIG_DIR")
    looks = expand(named, user, working_directory()) if named else default
    if agent == "codebuddy" and home and _is_same(looks, home):
        return {}
    is_default = home is not None and _is_same(default, home)
    return variables_of(agent, default if is_default else home, default)


def _is_stored(session: Session, home: Path | None, agent: Agent) -> bool:
    if agent == "mycodeagent":
        return session.path.parent.parts[-2:] == TRANSCRIPTS.parts
    return home is not None or agent == "envelope"


def _process(session: Session, facts: Facts, home: Path | None, now: int) -> Process | None:
    if home is None:
        return None
    registry = Registry(home)
    registry.refresh()
    claim = claim_of(registry, session.session, facts, now)
    return claim.rival or claim.owner


# The directories.


def _facts(session: Session) -> Facts:
    """Return the facts from both ends of the file; none if it cannot be read."""
    try:
        return glance(session.path, session.session).facts
    except OSError:
        return Facts()


def _directories(
    session: Session, facts: Facts, process: Process | None, agent: Agent
) -> tuple[Directory, ...]:
    """Return the directories to resume in; for MyCodeAgent, the one with the transcript."""
    if agent == "mycodeagent":
        return (_directory(str(session.path.parents[2])),)
    said = [facts.cwd, facts.last_cwd, process.cwd if process else ""]
    if agent == "envelope" and not any(said):  # few of these record one
        said += [str(cwd)] if (cwd := working_directory()) != DELETED else []
    return tuple(_directory(path) for path in dict.fromkeys(filter(None, said)))


def _directory(path: str) -> Directory:
    """Return what is known of a directory; `path` may be any text, even an invalid path."""
    is_there = Path(path).is_absolute() and is_directory(Path(path))
    return Directory(path, os.path.realpath(path) if is_there else path, is_there)


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
