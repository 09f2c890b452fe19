"""Where CodeBuddy and WorkBuddy keep transcripts: `HOME/projects/WORKSPACE/SESSION.jsonl`.

Sub-agents are in a folder named after their parent's id; everything else in a workspace (backups,
outputs, conflict copies) is not a session.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...files.kinds import folders_in, is_directory, is_file
from ...model.store import SUFFIX, Home, Named, Root

if TYPE_CHECKING:
    from ...stores.walk import Folder, Walk

NOTES = ".meta.json"
"""Suffix of the file with notes next to a transcript."""

SUBAGENTS = "subagents"
_AGENT = "agent-"
"""Prefix of a sub-agent's file name, before its id."""

_BACKUPS = frozenset({"_merged_backups", "_jsonl_backup"})
"""Folders that repair tools leave next to the workspaces."""

_DATABASE = "workbuddy.db"

homes = (
    Home(".workbuddy", "workbuddy", "WORKBUDDY_CONFIG_DIR"),
    Home(".workbuddy-ai", "workbuddy-ai"),
    Home(".codebuddy", "codebuddy", "CODEBUDDY_CONFIG_DIR"),
)
brands = tuple(home.brand for home in homes)


def is_home(path: Path) -> bool:
    """Check for content, as WorkBuddy AI leaves an almost empty `.workbuddy` behind."""
    return is_directory(path / "projects") or is_file(path / _DATABASE)


def has_sessions(home: Path) -> bool:
    """Return whether `projects/` is an agent's, not an ordinary directory of that name."""
    if is_file(home / _DATABASE):
        return True
    for folder in folders_in(str(home / "projects")):
        try:
            with os.scandir(folder) as entries:
                if any(entry.name.endswith(SUFFIX) for entry in entries):
                    return True
        except OSError:
            continue
    return False


def is_project(path: Path) -> bool:
    """Return False: transcripts are kept in the home alone."""
    return False


def brand(home: Path) -> str:
    """Return the product that a home belongs to, by its name or content."""
    for one in homes:
        if home.resolve().name == one.folder or home.name == one.folder:
            return one.brand
    return "workbuddy" if is_file(home / _DATABASE) else "codebuddy"


def brand_of_file(transcript: Path) -> str:
    """Return the product that wrote a single transcript; "" if it lies in no home."""
    home = home_of(transcript)
    return brand(home) if home else ""


def holds(transcript: Path) -> bool:
    """Return whether a transcript lies in a home."""
    return home_of(transcript) is not None


def home_of(transcript: Path) -> Path | None:
    """Return the home that a transcript lies in, that of a sub-agent included."""
    above = transcript.parents
    return next(
        (above[n + 1] for n in (1, 3) if above[n : n + 1] and above[n].name == "projects"), None
    )


def session_of(transcript: Path) -> str:
    """Return the session id of a transcript: the stem of its name."""
    return transcript.name[: -len(SUFFIX)]


def watched(root: Root) -> tuple[Path, ...]:
    """Return the transcripts and the process registry."""
    return root.path / "projects", root.path / "sessions"


def kept_out(root: Root, user: Path) -> tuple[Path, ...]:
    """Return the whole home, unless it is the user's own with a `projects/` in it."""
    home = root.path if root.kind == "home" else home_of(root.path)
    if home is None:
        return ()
    return (home / "projects", home / "sessions") if home == user else (home,)


def find(root: Root, walk: Walk) -> None:
    """Find the transcripts of a home, or a single one with its sub-agents."""
    if root.kind == "home":
        _find_all(root.path, walk)
    else:
        _find_one(root.path, walk)


def _find_all(home: Path, walk: Walk) -> None:
    projects = walk.folder(home / "projects")
    for entry in sorted(walk.entries(projects.path), key=os.DirEntry.is_symlink):
        if entry.name not in _BACKUPS and walk.is_directory(entry):
            _find_in_workspace(projects.child(entry), walk)


def _find_in_workspace(workspace: Folder, walk: Walk) -> None:
    entries = walk.enter(workspace)
    notes = {entry.name for entry in entries if entry.name.endswith(NOTES)}
    for entry in walk.transcripts(entries):
        session = entry.name[: -len(SUFFIX)]
        name = Named(session, workspace.path, has_notes=session + NOTES in notes)
        walk.take(entry, workspace.path, name)
    for entry in entries:
        if not entry.name.endswith(SUFFIX) and walk.is_directory(entry):
            _find_agents(workspace.child(entry), workspace.path, walk)


def _find_agents(session: Folder, workspace: Path, walk: Walk) -> None:
    folder = session.below(SUBAGENTS)
    for entry in walk.transcripts(walk.enter(folder)):
        if entry.name.startswith(_AGENT):
            owner = session.path.name
            name = Named(entry.name[: -len(SUFFIX)], workspace, owner, is_agent=True)
            walk.take(entry, folder.path, name)


def _find_one(path: Path, walk: Walk) -> None:
    directory, session = path.parent, path.name[: -len(SUFFIX)]
    owner = directory.parent.name if directory.name == SUBAGENTS else None
    workspace = directory if owner is None else directory.parent.parent
    walk.take_path(path, Named(session, workspace, owner, is_agent=owner is not None))
    if owner is None:
        _find_agents(walk.folder(directory / session), workspace, walk)
