"""What is known of a session from its records: a fold that costs the same for every event."""

from __future__ import annotations

from dataclasses import dataclass, field

from .event import Kind, Outcome, Stage, Usage

MEANINGFUL: frozenset[Kind] = frozenset(
    {"prompt", "injected", "answer", "reasoning", "call", "result", "terminal"}
)
"""Kinds that tell what the agent does; snapshots, titles, notices and metrics do not."""


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call whose result has not come."""

    number: int
    event_id: str | None
    call_id: str | None
    run: str | None
    tool: str
    at: int | None
    stage: Stage
    label: str
    """One line that tells the call from others: a path, a command."""


@dataclass(frozen=True, slots=True)
class LastEvent:
    """The last meaningful event."""

    kind: Kind
    outcome: Outcome
    tool: str | None
    at: int | None


@dataclass(slots=True)
class Facts:
    """Everything the list shows of a session, without its bodies."""

    records: int = 0
    """Readable records of any kind."""
    damaged: int = 0
    started_at: int | None = None
    updated_at: int | None = None
    cwd: str | None = None
    """The first working directory named."""
    last_cwd: str | None = None
    model: str | None = None
    titles: dict[str, str] = field(default_factory=dict)
    """The last title of each source: custom-title, ai-title, topic, summary."""
    first_prompt: str = ""
    last_prompt: str = ""
    tokens: Usage | None = None
    last: LastEvent | None = None
    open_calls: dict[str, list[OpenCall]] = field(default_factory=dict)
    """By run and call id, oldest first."""
    inner_session: str | None = None
    """The session id inside the records, where it is not the file's name."""
