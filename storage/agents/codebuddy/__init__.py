"""CodeBuddy and WorkBuddy: their records, registry, backups, logs, forks and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""

from __future__ import annotations

from ...model.agent import Agent, Reader


def _reader() -> Reader:
    from . import reader

    return reader


AGENT = Agent(name="product", title="CodeBuddy", load_reader=_reader)
