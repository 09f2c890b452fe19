"""Where MyCodeAgent keeps transcripts: `PROJECT/memory/transcripts/transcript-SESSION.jsonl`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...files.kinds import is_directory
from ...model.store import SUFFIX, Home, Named, Root

if TYPE_CHECKING:
    from ...stores.walk import Walk

TRANSCRIPTS = Path("memory", "transcripts")
"""Where a project keeps its transcripts."""

PREFIX = "transcript-"
"""Prefix of a transcript's file name, before the session id."""

CHILD = "subagent-"
"""Prefix of the session ids of sub-agents, which are stored among all others."""

homes: tuple[Home, ...] = ()
brands = ("mycodeagent",)


def is_home(path: Path) -> bool:
    """Return False: transcripts are kept in projects alone."""
    return False


def has_sessions(home: Path) -> bool:
    """Return False: there are no homes."""
    return False


def is_project(path: Path) -> bool:
    """Return whether transcripts are kept in a directory."""
    return is_directory(path / TRANSCRIPTS)


def brand(home: Path) -> str:
    """Return the only brand."""
    return brands[0]


def brand_of_file(transcript: Path) -> str:
    """Return the only brand."""
    return brands[0]


def holds(transcript: Path) -> bool:
    """Return whether a transcript lies where projects keep them."""
    return transcript.parent.parts[-2:] == TRANSCRIPTS.parts


def home_of(transcript: Path) -> Path | None:
    """Return None: there are no homes."""
    return None


def project_of(transcript: Path) -> Path | None:
    """Return the project that a transcript is kept in; None if it lies elsewhere."""
    return transcript.absolute().parents[2] if holds(transcript) else None


def session_of(transcript: Path) -> str:
    """Return the session id of a transcript, from its name."""
    return transcript.name[: -len(SUFFIX)].removeprefix(PREFIX)


def watched(root: Root) -> tuple[Path, ...]:
    """Return the folder of transcripts."""
    return (root.path / TRANSCRIPTS,)


def kept_out(root: Root, user: Path) -> tuple[Path, ...]:
    """Return the folder in a project that belongs to the agent."""
    if root.kind == "project":
        return (root.path / TRANSCRIPTS.parts[0],)
    return (root.path.parent.parent,) if holds(root.path) else ()


def find(root: Root, walk: Walk) -> None:
    """Find the transcripts of a project, or a single one."""
    if root.kind != "project":
        workspace = project_of(root.path) or root.path.parent
        walk.take_path(root.path, _named(root.path.name, workspace))
        return
    folder = walk.folder(root.path / TRANSCRIPTS)
    for entry in walk.transcripts(walk.enter(folder)):
        if entry.name.startswith(PREFIX):
            walk.take(entry, folder.path, _named(entry.name, root.path))


def _named(name: str, project: Path) -> Named:
    session = name[: -len(SUFFIX)].removeprefix(PREFIX)
    return Named(session, project, is_agent=session.startswith(CHILD))
