"""The envelope format: numbered records with a schema version, and their recovery.

Read-only knowledge of this format alone. Independent of other agents.
"""

from __future__ import annotations

from ...model.agent import Agent, IntegrityRule, Reader


def _reader() -> Reader:
    from . import reader

    return reader


def _integrity() -> IntegrityRule:
    from .integrity import Numbered

    return Numbered()


AGENT = Agent(
    name="envelope", title="the envelope format", load_reader=_reader, integrity=_integrity
)
