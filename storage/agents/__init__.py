"""The agents whose transcripts can be read: one folder each, one line each in `AGENTS`.

Importing the table is cheap: an agent loads what it needs on first use.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model.agent import Agent
from ..model.event import Record
from . import codebuddy, envelope, mycodeagent

AGENTS: dict[str, Agent] = {
    package.AGENT.name: package.AGENT for package in (mycodeagent, envelope, codebuddy)
}
"""Agents by name, in the order in which they are asked to recognise a record."""

UNKNOWN = envelope.AGENT
"""Stands in for the agent of a transcript that none recognises, such as an empty or legacy log."""


STRAY = codebuddy.stores
"""The layout assumed around a transcript that lies where no agent keeps any."""


def resumable() -> frozenset[str]:
    """Return the products for which the settings may set a command that resumes sessions."""
    return frozenset(name for agent in AGENTS.values() for name in agent.commands_for)


def detect(records: Iterable[Record]) -> Agent:
    """Return the agent of the first recognised record, else `UNKNOWN`."""
    for record in records:
        for agent in AGENTS.values():
            if agent.reader.recognises(record):
                return agent
    return UNKNOWN
