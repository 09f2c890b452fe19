"""How a session is resumed in its agent: the machine's state, and what an agent must say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from .process import Process
from .session import Session

Variables = Mapping[str, str | None]
"""Environment variables; None unsets one."""


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory that a session may have worked in."""

    path: str
    real: str
    """With symbolic links resolved."""
    is_there: bool


class Environment(NamedTuple):
    """The user's surroundings, as far as an agent's command depends on them."""

    environ: Mapping[str, str]
    user: Path
    """The user's home directory."""
    applications: Path
    """Where macOS keeps applications."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the machine shows about resuming a session."""

    now: int
    brand: str
    """The product that resumes it, by which the settings name a command."""
    command: tuple[str, ...] = ()
    """The command that starts the agent, with its absolute path; () if there is none."""
    wanted: str = ""
    """The command that was searched for because the settings name it."""
    environment: Variables = field(default_factory=dict)
    """Variables that direct the agent to the session directory."""
    is_stored: bool = True
    """Whether the transcript is where its agent looks for sessions."""
    directories: tuple[Directory, ...] = ()
    process: Process | None = None
    """The process that claims the session, dead or alive."""
    inner_session: str | None = None
    """The session id in its records."""
    warnings: tuple[str, ...] = ()
    """What the agent's own rules warn of, in sentences."""
    open_calls: int = 0
    """Calls without a result that the agent takes for completed when it is resumed."""


class Resume(Protocol):
    """How an agent resumes its sessions. Has no state and runs nothing."""

    @property
    def invents_results(self) -> bool:
        """Whether a resumed agent receives an empty result for each open call."""
        ...

    def brand(self, home: Path | None, environment: Environment) -> str:
        """Return the product that resumes sessions of a home."""
        ...

    def commands(self, brand: str) -> tuple[str, ...]:
        """Return the names of its command, most likely first."""
        ...

    def bundled(
        self, brand: str, home: Path | None, environment: Environment
    ) -> Iterator[tuple[tuple[Path, ...], Variables]]:
        """Yield commands that applications contain, with the variables they need."""
        ...

    def variables(self, brand: str, home: Path | None, environment: Environment) -> Variables:
        """Return the variables that direct it to the session directory, if any are needed."""
        ...

    def is_stored(self, session: Session, home: Path | None) -> bool:
        """Return whether a transcript is where it looks for sessions."""
        ...

    def directories(self, session: Session, named: Sequence[str]) -> Sequence[str]:
        """Return the directories to resume in, given those that records and process name."""
        ...

    def options(self, session: str, directory: Directory) -> list[str]:
        """Return the options that resume a session."""
        ...

    def keeps(self, session: Session, directory: Directory) -> bool:
        """Return whether it looks for a session when it runs in a directory."""
        ...

    def is_sub_agent(self, session: Session) -> bool:
        """Return whether a session cannot be resumed by itself."""
        ...

    def warnings(self, session: Session, inner: str | None) -> Iterator[str]:
        """Yield what speaks against it, in sentences; `inner` is the id in the records."""
        ...
