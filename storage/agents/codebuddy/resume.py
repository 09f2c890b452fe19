"""How CodeBuddy and WorkBuddy resume a session."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...files.working_directory import working_directory
from ...model.resume import Directory, Environment, Variables
from ...model.session import Session
from ...text.paths import typed_path
from .stores import SUBAGENTS
from .stores import brand as brand_of_home

BUNDLED = Path("Contents", "Resources", "app.asar.unpacked", "cli", "bin", "codebuddy")
ELECTRON = Path("Contents", "MacOS", "Electron")

_SEPARATORS = re.compile(r"[/\\:-]+")

invents_results = True


def brand(home: Path | None, environment: Environment) -> str:
    """Return `workbuddy` for a home of its, by name, content or variable; else `codebuddy`."""
    named = environment.environ.get("WORKBUDDY_CONFIG_DIR")
    is_named = bool(
        named and home and _is_same(typed_path(named, environment.user, working_directory()), home)
    )
    is_workbuddy = is_named or bool(home and brand_of_home(home).startswith("workbuddy"))
    return "workbuddy" if is_workbuddy else "codebuddy"


def commands(brand: str) -> tuple[str, ...]:
    """Return the names of the command, most likely first."""
    return "codebuddy", "cbc", "codebuddy-code"


def bundled(
    brand: str, home: Path | None, environment: Environment
) -> Iterator[tuple[tuple[Path, ...], Variables]]:
    """Yield the agents in the desktop apps, the session directory's edition first."""
    if brand != "workbuddy" or home is None:
        return
    names = ["WorkBuddy.app", "WorkBuddy AI.app"]
    for name in names[:: -1 if brand_of_home(home) == "workbuddy-ai" else 1]:
        app = environment.applications / name
        yield (app / ELECTRON, app / BUNDLED), {"ELECTRON_RUN_AS_NODE": "1"}


def variables(brand: str, home: Path | None, environment: Environment) -> Variables:
    """Return the variables that name the home, unless the agent looks there anyway."""
    if home is None:
        return {}
    default, named = (
        environment.user / ".codebuddy",
        environment.environ.get("CODEBUDDY_CONFIG_DIR"),
    )
    looks = typed_path(named, environment.user, working_directory()) if named else default
    if brand == "codebuddy" and _is_same(looks, home):
        return {}
    home = default if _is_same(default, home) else home
    if brand == "workbuddy":
        return {"CODEBUDDY_CONFIG_DIR": str(home), "WORKBUDDY_CONFIG_DIR": str(home)}
    return {"CODEBUDDY_CONFIG_DIR": None if home == default else str(home)}


def is_stored(session: Session, home: Path | None) -> bool:
    """Return whether a transcript lies in a home."""
    return home is not None


def directories(session: Session, named: Sequence[str]) -> Sequence[str]:
    """Return the directories named: the agent looks for sessions by directory."""
    return named


def options(session: str, directory: Directory) -> list[str]:
    """Return the options; `--name=value` in one word cannot be misread."""
    return [f"--resume={session}"]


def keeps(session: Session, directory: Directory) -> bool:
    """Return whether the folder of a session is that of a directory."""
    folder = session.path.parent.name
    return folder in (slug(directory.real), slug(directory.path))


def slug(path: str) -> str:
    """Return the name of the folder in which the sessions of a directory are kept."""
    return _SEPARATORS.sub("-", path).strip("-")


def is_sub_agent(session: Session) -> bool:
    """Return whether a session works for another one."""
    is_project = session.path.parents[1].name == "projects"  # a project may have that name
    return bool(session.parent) or (session.path.parent.name == SUBAGENTS and not is_project)


def warnings(session: Session, inner: str | None) -> Iterator[str]:
    """Yield nothing."""
    return iter(())


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
