"""A session as the list and the command line show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .event import Usage
from .family import Family, Origin
from .integrity import Integrity
from .timeline import Alive, Verdict

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
TitleSource = Literal[
    "user", "app", "custom-title", "ai-title", "topic", "summary", "prompt", "file"
]


@dataclass(frozen=True, slots=True)
class Session:
    """One transcript with what is known of it. Times are milliseconds since 1970.

    What only a reading of the whole file can tell (`events`, `tokens`) is None until then.
    """

    session: str
    path: Path
    dialect: str
    workspace: str
    """The first working directory that a record names, or the folder's name."""
    title: str
    title_from: TitleSource
    status: Status
    why: str
    """One sentence: how status and need were found."""
    needs_you: bool = False
    integrity: Integrity = field(default_factory=Integrity)
    events: int | None = None
    bytes: int = 0
    started_at: int | None = None
    updated_at: int | None = None
    model: str | None = None
    tokens: Usage | None = None
    uncertain: int = 0
    """Calls without a result and with nobody alive to bring one, without a verdict."""
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    """Verdicts on calls without a result, by event id."""
    remembered: tuple[str, ...] = ()
    """Event ids of the memory candidates that were not rejected."""
    agents_title: str = ""
    """What it is called where its person gives it no title."""
    pinned: bool = False
    """Whether its person wants it at the top."""
    parent: str | None = None
    parent_path: Path | None = None
    children: int = 0
    family: Family | None = None
    """Its sub-agents taken together; None where it has none."""
    lineage: tuple[str, ...] = ()
    """Of a sub-agent the titles of those above it, the topmost first."""
    calls: tuple[int, ...] = ()
    """Of a sub-agent, where in its parent the calls stand that it works for."""
    origin: Origin | None = None
    """The session that it begins with: as a fork, or after a resume."""
    parts: tuple[Path, ...] = ()
    """Its earlier transcripts, the oldest first: it went on in another one, in the end in this."""
    part_ids: tuple[str, ...] = ()
    """The session ids of those."""
    hidden_by: HiddenBy | None = None
    asked: str = ""
    """The first and the last prompt, cut: what a filter looks into besides the title."""
    tools: frozenset[str] = frozenset()
    """Names of the tools it called."""
    doing: str = ""
    """What a working session does now: the tool and its label."""
    call_since: int | None = None
    """When the oldest of the calls began that a working session runs now."""
    unknown: int = 0
    """Calls of which nobody can tell whether they are running."""
    alive: Alive = False
    """Whether its agent is there to bring results of open calls; None where nobody can tell."""

    @property
    def candidates(self) -> int:
        """How many memory candidates were not rejected."""
        return len(self.remembered)

    @property
    def paths(self) -> tuple[Path, ...]:
        """All its transcripts, the oldest first."""
        return *self.parts, self.path

    @property
    def family_needs_you(self) -> bool:
        """Whether it, or a sub-agent of it, needs its person."""
        return self.needs_you or (self.family is not None and self.family.needing > 0)

    @property
    def family_works(self) -> bool:
        """Whether it, or a sub-agent of it, is at work."""
        return self.status == "working" or (self.family is not None and self.family.working > 0)

    @property
    def family_uncertain(self) -> int:
        """Uncertain calls, those of its sub-agents among them."""
        return self.uncertain + (self.family.uncertain if self.family else 0)

    @property
    def family_tokens(self) -> Usage | None:
        """Tokens, those of its sub-agents among them."""
        below = self.family.tokens if self.family else None
        return self.tokens if below is None else below + (self.tokens or Usage())
