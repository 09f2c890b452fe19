"""MyCodeAgent: its transcripts, what its loader rejects, its traces, memory and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""

from __future__ import annotations

from ...model.agent import Agent, IntegrityRule, Reader
from ...model.tools import Tools

_NEVER_REPLAYED = frozenset({"Edit", "Bash", "Task"})
"""The only tools that MyCodeAgent itself does not repeat."""


def _reader() -> Reader:
    from . import reader

    return reader


def _integrity() -> IntegrityRule:
    from .integrity import Loadable

    return Loadable()


AGENT = Agent(
    name="mycodeagent",
    title="MyCodeAgent",
    load_reader=_reader,
    integrity=_integrity,
    tools=Tools(never_replayed=_NEVER_REPLAYED),
)
