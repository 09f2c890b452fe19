"""Which agent keeps transcripts where: a brand, a directory or a path, and the agent's layout."""

from __future__ import annotations

from pathlib import Path

from ..agents import AGENTS, STRAY, UNKNOWN
from ..model.agent import Agent
from ..model.store import Home, Root, Stores


def keepers() -> list[tuple[Agent, Stores]]:
    """Return the agents that keep transcripts, with their layouts."""
    return [(agent, agent.stores) for agent in AGENTS.values() if agent.stores]


def layouts() -> list[Stores]:
    """Return the layouts of all agents."""
    return [layout for _, layout in keepers()]


def homes() -> list[Home]:
    """Return the default locations of all agents."""
    return [home for layout in layouts() for home in layout.homes]


def own_folders() -> frozenset[tuple[str, ...]]:
    """Return where agents keep their own files in a project: names of nested folders."""
    own = [names for agent in AGENTS.values() for names in agent.own_folders]
    return frozenset([*((home.folder,) for home in homes()), *own])


def layout_of(root: Root) -> Stores:
    """Return the layout of a root."""
    named = (layout for layout in layouts() if root.brand in layout.brands)
    return next(named, None) or layout_at(root.path)


def agent_of(root: Root) -> Agent:
    """Return the agent whose layout a root has."""
    layout = layout_of(root)
    return next((agent for agent, one in keepers() if one is layout), UNKNOWN)


def layout_at(transcript: Path) -> Stores:
    """Return the layout of a single transcript, by where it lies."""
    return next((layout for layout in layouts() if layout.holds(transcript)), STRAY)


def home_of(root: Root) -> Path | None:
    """Return the home with process registry and the like that a root is or lies in, if any."""
    if root.kind == "home":
        return root.path
    return layout_of(root).home_of(root.path) if root.kind == "file" else None


def home_at(transcript: Path) -> Path | None:
    """Return the home that a transcript lies in, if any."""
    return layout_at(transcript).home_of(transcript)


def session_at(transcript: Path) -> str:
    """Return the session id of a transcript, from its path alone."""
    return layout_at(transcript).session_of(transcript)


def kept_out(root: Root, user: Path) -> tuple[Path, ...]:
    """Return the agent's folders, where we must not write; `user` is the user's home directory."""
    return layout_of(root).kept_out(root, user)


def in_project(path: Path) -> bool:
    """Return whether a path lies among the transcripts that an agent keeps in a project."""
    for folder in path.parents:
        for layout in layouts():
            if layout.is_project(folder):
                root = Root(folder, "project", layout.brands[0])
                if any(path.is_relative_to(kept) for kept in layout.watched(root)):
                    return True
    return False
