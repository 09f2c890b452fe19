"""Session directories and the transcripts in them, as far as names and locations tell."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from ..stores.walk import Walk

RootKind = Literal["home", "project", "file"]
"""`home`: an agent's own directory; `project`: a directory in which an agent keeps transcripts next
to the work; `file`: a single transcript."""

SUFFIX = ".jsonl"


class Home(NamedTuple):
    """A default location of an agent's home directory."""

    folder: str
    """Below the user's home directory."""
    brand: str
    """The product that uses it; one agent may serve several."""
    variable: str = ""
    """The environment variable that names another location; "" if there is none."""


@dataclass(frozen=True, slots=True)
class Root:
    """A session directory to watch; `path` is as named by the user, made absolute."""

    path: Path
    kind: RootKind
    brand: str
    """The product that it belongs to; "" if unknown."""


class TranscriptFile(NamedTuple):
    """A transcript on disk, identified by its path: directories get copied, including the ids."""

    directory: Path
    name: str
    session: str
    folder: str
    """Name of its workspace's folder."""
    owner: str | None
    """For a sub-agent, the id of its parent, from the folder it is in; else None."""
    stat: os.stat_result
    workspace: Path
    """Directory of its workspace, within which it may have relations."""
    is_agent: bool = False
    """Whether its location and name are those of a sub-agent."""
    has_notes: bool = False
    """Whether there is a file of notes next to it, which for a fork names its source."""

    @property
    def path(self) -> Path:
        """Created on demand: ten thousand at once would double the time of a listing."""
        return self.directory / self.name


class Named(NamedTuple):
    """What the location of a transcript says about it; the fields are those of `TranscriptFile`."""

    session: str
    workspace: Path
    owner: str | None = None
    is_agent: bool = False
    has_notes: bool = False


class Stores(Protocol):
    """Where an agent keeps transcripts, and under which names. Opens no transcript."""

    @property
    def homes(self) -> tuple[Home, ...]:
        """The default locations of its home directories."""
        ...

    @property
    def brands(self) -> tuple[str, ...]:
        """The products that keep transcripts in this way."""
        ...

    def is_home(self, path: Path) -> bool:
        """Return whether a directory may be a home, used or not."""
        ...

    def has_sessions(self, home: Path) -> bool:
        """Return whether a home is certainly the agent's, by its contents."""
        ...

    def is_project(self, path: Path) -> bool:
        """Return whether the agent keeps transcripts in a directory that people work in."""
        ...

    def brand(self, home: Path) -> str:
        """Return the product that a home belongs to."""
        ...

    def brand_of_file(self, transcript: Path) -> str:
        """Return the product that wrote a single transcript; "" if unknown."""
        ...

    def holds(self, transcript: Path) -> bool:
        """Return whether a transcript lies where the agent keeps them."""
        ...

    def home_of(self, transcript: Path) -> Path | None:
        """Return the home that a transcript lies in; None if it lies in none."""
        ...

    def session_of(self, transcript: Path) -> str:
        """Return the session id of a transcript, from its path alone."""
        ...

    def watched(self, root: Root) -> tuple[Path, ...]:
        """Return the directories to watch, with all below them, for a home or a project."""
        ...

    def kept_out(self, root: Root, user: Path) -> tuple[Path, ...]:
        """Return the agent's folders, in which nothing of ours may be written.

        `user` is the user's home directory.
        """
        ...

    def find(self, root: Root, walk: Walk) -> None:
        """Find the transcripts of a root, by their names."""
        ...
