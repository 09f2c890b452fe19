"""A session as shown by the list and the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .event import TitleSource, Usage
from .family import Family, Origin
from .integrity import Integrity
from .timeline import Alive, Verdict

if TYPE_CHECKING:
    from .agent import Agent

Status = Literal[
    "working",
    "waiting",
    "asking",
    "interrupted",
    "crashed",
    "done",
    "empty",
    "corrupt",
    "unknown",
]
HiddenBy = Literal["user", "app"]


@dataclass(frozen=True, slots=True)
class Session:
    """One transcript and what is known about it. Times are milliseconds since 1970.

    Fields that require reading the whole file (`events`, `tokens`) are None until then.
    """

    session: str
    path: Path
    agent: Agent
    workspace: str
    """The first working directory named in a record, else the name of the folder."""
    title: str
    title_from: TitleSource
    status: Status
    why: str
    """One sentence: how status and need were determined."""
    needs_you: bool = False
    integrity: Integrity = field(default_factory=Integrity)
    events: int | None = None
    bytes: int = 0
    started_at: int | None = None
    updated_at: int | None = None
    model: str | None = None
    tokens: Usage | None = None
    uncertain: int = 0
    """Calls without result and verdict whose agent is not alive to deliver the result."""
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    """Verdicts on calls without a result, by event id."""
    remembered: tuple[str, ...] = ()
    """Event ids of the memory candidates that were not rejected."""
    agents_title: str = ""
    """The title without the user's own one."""
    pinned: bool = False
    """Whether the user pinned it to the top."""
    parent: str | None = None
    parent_path: Path | None = None
    children: int = 0
    family: Family | None = None
    """Totals of its sub-agents; None if it has none."""
    lineage: tuple[str, ...] = ()
    """For a sub-agent, the titles of its ancestors, topmost first."""
    calls: tuple[int, ...] = ()
    """For a sub-agent, the addresses in its parent of the calls it works for."""
    origin: Origin | None = None
    """The session it starts from, as a fork or after a resume."""
    parts: tuple[Path, ...] = ()
    """Earlier transcripts of the session, oldest first; each was continued in the next."""
    part_ids: tuple[str, ...] = ()
    """Session ids of those transcripts."""
    hidden_by: HiddenBy | None = None
    asked: str = ""
    """First and last prompt, truncated; searched by the filter in addition to the title."""
    tools: frozenset[str] = frozenset()
    """Names of the tools it called."""
    doing: str = ""
    """What a working session is doing: the tool and the label of its call."""
    call_since: int | None = None
    """Start time of the oldest call that a working session is running."""
    unknown: int = 0
    """Number of calls that may or may not be running."""
    alive: Alive = False
    """Whether its agent is alive to deliver the results of open calls; None if unknown."""

    @property
    def dialect(self) -> str:
        """Name of the agent in JSON."""
        return self.agent.name

    @property
    def candidates(self) -> int:
        """Number of memory candidates that were not rejected."""
        return len(self.remembered)

    @property
    def paths(self) -> tuple[Path, ...]:
        """All its transcripts, oldest first."""
        return *self.parts, self.path

    @property
    def family_needs_you(self) -> bool:
        """Whether the session or one of its sub-agents needs the user."""
        return self.needs_you or (self.family is not None and self.family.needing > 0)

    @property
    def family_works(self) -> bool:
        """Whether the session or one of its sub-agents is working."""
        return self.status == "working" or (self.family is not None and self.family.working > 0)

    @property
    def family_uncertain(self) -> int:
        """Number of uncertain calls, including those of its sub-agents."""
        return self.uncertain + (self.family.uncertain if self.family else 0)

    @property
    def family_tokens(self) -> Usage | None:
        """Tokens used, including those of its sub-agents."""
        below = self.family.tokens if self.family else None
        return self.tokens if below is None else below + (self.tokens or Usage())
