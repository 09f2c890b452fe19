"""How a session of the envelope format is resumed: only by a command that the settings name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...files.working_directory import DELETED, working_directory
from ...model.resume import Directory, Environment, Variables
from ...model.session import Session

invents_results = False


def brand(home: Path | None, environment: Environment) -> str:
    """Return the only brand."""
    return "envelope"


def commands(brand: str) -> tuple[str, ...]:
    """Return nothing: any agent may write this format."""
    return ()


def bundled(
    brand: str, home: Path | None, environment: Environment
) -> Iterator[tuple[tuple[Path, ...], Variables]]:
    """Yield nothing."""
    return iter(())


def variables(brand: str, home: Path | None, environment: Environment) -> Variables:
    """Return nothing."""
    return {}


def is_stored(session: Session, home: Path | None) -> bool:
    """Return True: where the agent looks is not known."""
    return True


def directories(session: Session, named: Sequence[str]) -> Sequence[str]:
    """Return the directories named, else the current one: few records name one."""
    if any(named):
        return named
    cwd = working_directory()
    return [str(cwd)] if cwd != DELETED else []


def options(session: str, directory: Directory) -> list[str]:
    """Return the options; `--name=value` in one word cannot be misread."""
    return [f"--resume={session}"]


def keeps(session: Session, directory: Directory) -> bool:
    """Return True: nothing is known that speaks against it."""
    return True


def is_sub_agent(session: Session) -> bool:
    """Return whether a session works for another one."""
    is_project = session.path.parents[1].name == "projects"  # a project may have that name
    return bool(session.parent) or (session.path.parent.name == "subagents" and not is_project)


def warnings(session: Session, inner: str | None) -> Iterator[str]:
    """Yield nothing."""
    return iter(())
