"""What is known about one transcript without its records: what the list needs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..agents import AGENTS
from ..files.fingerprint import Fingerprint
from ..files.lines import opened, tail_start
from ..folds.facts import Facts, OpenCall
from ..model.agent import Agent
from ..model.event import Place
from ..model.integrity import Integrity
from ..model.rules import Mark
from .format import format_of, head_records
from .transcript import Transcript

GLANCE = 64 * 1024
"""Bytes at each end that a glance reads; a file of no more is read whole."""

GLANCE_LINES = 60


@dataclass(frozen=True, slots=True)
class Overview:
    """The facts and integrity of a transcript; `whole` once it was read completely."""

    agent: Agent
    facts: Facts
    fingerprint: Fingerprint
    integrity: Integrity
    events: int | None
    """Readable records, each once, a complete one without line end included."""
    whole: bool
    trace: Mark | None = None
    """What the trace beside it was when that was read."""

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the index."""
        return {
            "dialect": self.agent.name,
            "facts": self.facts.as_json(),
            "open": [
                [key, *call] for key, calls in self.facts.open_calls.items() for call in calls
            ],
            "fingerprint": self.fingerprint.as_json(),
            "integrity": asdict(self.integrity),
            "events": self.events,
            "trace": self.trace,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Overview:
        """Restore from the result of `as_json`."""
        calls: dict[str, list[OpenCall]] = {}
        for key, *fields in data["open"]:
            calls.setdefault(key, []).append(OpenCall(*fields))
        facts = Facts.from_json(data["facts"])
        facts.open_calls = calls
        return cls(
            AGENTS[data["dialect"]],
            facts,
            Fingerprint(**data["fingerprint"]),
            Integrity(**data["integrity"]),
            data["events"],
            whole=True,
            trace=tuple(data["trace"]) if data.get("trace") else None,
        )


def overview_of(transcript: Transcript) -> Overview:
    """Return the overview of a transcript that was read to its end."""
    facts = transcript.facts.copy()
    integrity, tail = transcript.ending()
    return Overview(
        transcript.agent,
        facts,
        transcript.fingerprint,
        integrity,
        facts.events + sum(event.kind != "damaged" for event in tail),
        whole=True,
        trace=transcript.ledger.mark if transcript.ledger else None,
    )


def glance(path: Path, session: str) -> Overview:
    """Return an overview from the head and tail of a transcript, at constant cost.

    Raises OSError if it cannot be read.
    """
    with opened(path) as fd:
        size = os.fstat(fd).st_size
        start = tail_start(fd, size, GLANCE_LINES, GLANCE) if size > GLANCE else 0
        head = list(head_records(fd, size)) if start else []
        agent = format_of(fd, size).agent
    transcript = Transcript(path, session, start)
    transcript.read()
    facts = transcript.facts
    if start == 0:
        return overview_of(transcript)
    first = Facts()
    for record in head:
        first.add(agent.reader.read(record, Place(session, None, 0, 0)))
    facts.precede(first)
    return Overview(agent, facts, Fingerprint(), Integrity(), None, whole=False)
