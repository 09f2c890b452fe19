"""How MyCodeAgent resumes a session, and what its loader will refuse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...model.resume import Directory, Environment, Variables
from ...model.session import Session
from .refused_files import RefusedFile, refused_in
from .stores import CHILD, holds, project_of

MOST_NAMED = 3
"""Maximum number of transcripts named in a warning."""

invents_results = False


def brand(home: Path | None, environment: Environment) -> str:
    """Return the only brand."""
    return "mycodeagent"


def commands(brand: str) -> tuple[str, ...]:
    """Return the name of the command."""
    return ("mycodeagent",)


def bundled(
    brand: str, home: Path | None, environment: Environment
) -> Iterator[tuple[tuple[Path, ...], Variables]]:
    """Yield nothing."""
    return iter(())


def variables(brand: str, home: Path | None, environment: Environment) -> Variables:
    """Return nothing: the project is an option."""
    return {}


def is_stored(session: Session, home: Path | None) -> bool:
    """Return whether a transcript lies where projects keep them."""
    return holds(session.path)


def directories(session: Session, named: Sequence[str]) -> Sequence[str]:
    """Return the project that the transcript is kept in."""
    return [str(project_of(session.path) or session.path.parent)]


def options(session: str, directory: Directory) -> list[str]:
    """Return the options; `--name=value` in one word cannot be misread."""
    return [f"--cwd={directory.path}", f"--resume={session}"]


def keeps(session: Session, directory: Directory) -> bool:
    """Return True: the project is passed as an option."""
    return True


def is_sub_agent(session: Session) -> bool:
    """Return whether a session works for another one."""
    return bool(session.parent) or session.session.startswith(CHILD)


def warnings(session: Session, inner: str | None) -> Iterator[str]:
    """Yield what its loader will refuse, and whether it knows the session by another id."""
    yield from _refused(session, refused_in(session.path.parent))
    if inner not in (None, session.session):
        yield f"Its records call it {inner}: MyCodeAgent may not find it by its file's name."


def _refused(session: Session, refused: Sequence[RefusedFile]) -> Iterator[str]:
    """Warn if MyCodeAgent will refuse: it reads all transcripts of the project first."""
    others = [one for one in refused if one.path not in session.paths]
    own = next((one for one in refused if one.path in session.paths), None)
    if own is not None:
        name = own.path.name
        yield f"MyCodeAgent will refuse to resume it, for it cannot read {name}: {own.reason}."
    elif session.integrity.state == "corrupt":
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
