"""The processes and apps of agents, as far as they concern a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

HEARTBEAT = 60_000
"""Milliseconds after which a heartbeat is no longer fresh."""

Life = Literal["alive", "dead", "silent", "elsewhere"]

Activity = Literal["running", "waiting", ""]
"""What an agent is doing with a tool: it runs, or waits for approval; "" for anything else."""


@dataclass(frozen=True, slots=True)
class Process:
    """An agent's process according to its registry file and this machine.

    Times are milliseconds since 1970. `silent`: the pid exists, but has no fresh heartbeat.
    `elsewhere`: on another host.
    """

    pid: int
    session: str
    """Its session; "" if the file was never read completely."""
    life: Life
    heartbeat_at: int
    started_at: int | None = None
    host: str = ""
    cwd: str = ""
    url: str = ""
    gone_at: int | None = None
    """When it was first found to be gone; None if that was not observed."""
    is_hosted: bool = False
    """Whether its entry does not name its sessions; they are in its directory."""

    @property
    def is_attached(self) -> bool:
        """Whether it certainly runs on this machine."""
        return self.life == "alive"


@dataclass(frozen=True, slots=True)
class AppSession:
    """What an agent's own app knows of a session; times are milliseconds since 1970."""

    title: str = ""
    custom_title: str = ""
    status: str = ""
    """As in the database, in lower case: working, completed, archived, terminated …"""
    deleted: bool = False
    last_activity_at: int | None = None
    model: str = ""
    app: str = ""
    """The name of the app."""

    @property
    def archived(self) -> bool:
        """Whether the user archived it in the app."""
        return self.status == "archived"


class Run(NamedTuple):
    """What an agent's log says that it was last doing in a session."""

    activity: Activity
    tool: str = ""


@dataclass(frozen=True, slots=True)
class HomeSigns:
    """What is known of a session from outside its records, in the home that it lies in."""

    owner: Process | None = None
    """The process that most likely owns it, dead or alive; None if no remaining entry matches."""
    rival: Process | None = None
    """If the owner is gone, a live process that may own the session just as well."""
    registers: bool = False
    """Whether its agent would have an entry in the registry as long as it runs."""
    tells_all: bool = False
    """Whether a session without an entry certainly has no process."""
    has_left: bool = False
    """Whether a process used to claim the session, but none does now."""
    run: Run | None = None
    """What the log says of a session with a long call."""
    app: AppSession | None = None
    """What the agent's own app knows of it."""


class Work(NamedTuple):
    """What is known from the records of a session, to find its process by."""

    session: str
    leader: str
    """Id of the session whose process it is: the topmost parent of a sub-agent."""
    directories: tuple[str, ...]
    """Where it worked, the last one first."""
    prompted_at: int | None
    """When the last prompt came."""
    until: int | None
    """When the newest record was written."""
    written_at: int | None
    """When the last record was written, by its own clock."""
    is_native: bool
    """Whether the agent of the home wrote it."""
    has_long_call: bool


class Around(Protocol):
    """Processes, logs and databases of one home; the cost of a refresh follows what changed."""

    def refresh(self) -> bool:
        """Look at what changed; return whether anything did."""
        ...

    def problems(self) -> dict[str, str]:
        """Return why data may be out of date, by path; "" for what is current."""
        ...

    def signs(self, work: Work, now: int) -> HomeSigns:
        """Return what is known of a session; `now` is in milliseconds since 1970."""
        ...
