"""What a soak is to be, and what came of one."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how many, how fast: records a second, of all writers together."""

    seconds: float = 300
    writers: int = 8
    rate: float = 50
    seed: int = 1
    idle: float = 10
    """Seconds of rest in which nobody writes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the program and its children use at a moment."""

    at: float
    resident: float
    """Megabytes."""
    descriptors: int


@dataclass(slots=True)
class Outcome:
    """What was seen; `faults` are sentences, each of something that was told wrong."""

    plan: Plan
    records: int = 0
    size: int = 0
    sessions: int = 0
    sub_agents: int = 0
    waits: list[float] = field(default_factory=list)
    """Milliseconds from each record of the followed session to the screen."""
    death: float = 0
    """Seconds from the death of an agent until the list showed its open call."""
    samples: list[Sample] = field(default_factory=list)
    peak: float = 0
    idle: float = 0
    """Per cent of a core while nobody writes."""
    faults: list[str] = field(default_factory=list)
