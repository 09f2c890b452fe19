"""Everything folded from the records of one transcript, each processed once, in file order."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..agents import UNKNOWN
from ..folds.facts import Facts
from ..folds.integrity import chain_for
from ..folds.pairing import Pairing, call_key, is_late
from ..folds.repeats import EverythingCounts, made_up, repeated
from ..folds.tally import SAID, Tally
from ..model.agent import Agent
from ..model.event import Event, Usage
from ..model.rules import Account
from .positions import MADE_UP, REPEATED, Positions, code_of


class Folds:
    """Positions, facts, open calls and integrity of the records read so far.

    `is_whole`: whether reading began at the start of the file.
    """

    def __init__(self, path: Path, session: str, is_whole: bool) -> None:
        self.positions = Positions()
        self.tally = Tally()
        self.pairing = Pairing()
        self.facts = Facts(open_calls=self.pairing.open)
        self.lines = 0
        self.fault: int | None = None
        """The 0-based index of the event at which the transcript became untrustworthy."""
        self.is_fresh = True
        """Whether nothing of it is stored in the index, or only something outdated."""
        self._session = session
        self._path = path
        self._is_whole = is_whole
        self.begin(UNKNOWN)

    def begin(self, agent: Agent) -> None:
        """Set the agent of the records; call this before the first one."""
        self.agent = agent
        self.sieve = agent.sieve() if agent.sieve else EverythingCounts()
        self._account: Account = "counts"
        """How the last record counts."""
        self._project = agent.directory(self._path) if agent.directory else None
        self.chain = chain_for(agent, self._session)

    @property
    def directory(self) -> str | None:
        """The working directory of the session's agent, which relative paths are relative to."""
        return self._project if self.agent.directory else self.facts.last_cwd

    def add(self, event: Event, index: int) -> Event:
        """Process the next event, whose 1-based index is `index`; return it as it counts."""
        place = event.place
        if not place.block:
            self._account = self.sieve.take(event)
        account = self._account
        if account == "made-up":
            event = made_up(event)
        elif account != "counts":
            return self._add_repeat(repeated(event))
        call, merged = self.pairing.add(event, index)
        text = event.text if event.kind in SAID else ""
        code = MADE_UP if account == "made-up" else code_of(event, merged, text)
        self.positions.add(place.offset + place.block, code, call, place.block > 0)
        if merged and event.stage != "told":
            self.positions.link(call - 1, index)
        used = self.facts.add(event, text)
        if not call and self.facts.ancestry.continues and is_late(event):
            self.facts.ancestry.answer(call_key(event) or "", event.place.address)
        if not place.block:
            self.chain.add(event, self.lines)
        if self._is_whole:
            if self.tally.is_wanted:
                self._count(event, index - 1, text, used, merged)
            if self.fault is None and self.chain.is_broken:
                self.fault = index - 1
        return event

    def stored(self) -> None:
        """Mark everything as stored in the index; call this once it is."""
        self.positions.stored()
        self.sieve.stored()
        self.tally.clear()
        self.is_fresh = False

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `restore`, without positions and digests."""
        return {
            "lines": self.lines,
            "facts": self.facts.as_json(),
            "pairing": self.pairing.as_json(),
            "repeats": self.sieve.as_json(),
            "fault": self.fault,
            "chain": self.chain.as_json(),
        }

    def restore(self, agent: Agent, data: dict[str, Any], digests: Iterable[bytes]) -> None:
        """Continue from the result of `as_json`; `digests` are the chunks of its sieve."""
        self.begin(agent)
        self.lines, self.fault = data["lines"], data["fault"]
        self.pairing = Pairing.from_json(data["pairing"])
        self.sieve.restore(data["repeats"], digests)
        self.facts = Facts.from_json(data["facts"])
        self.facts.open_calls = self.pairing.open
        self.chain = chain_for(agent, self._session, data["chain"])

    def _add_repeat(self, event: Event) -> Event:
        """Add the position of a record that does not count."""
        place = event.place
        self.positions.add(place.address, REPEATED, 0, place.block > 0)
        self.facts.repeat(event)
        if not event.place.block:
            self.chain.add(event, self.lines)
        return event

    def _count(self, event: Event, index: int, text: str, used: Usage | None, merged: bool) -> None:
        counts = event.kind == "call" and not merged
        source = self.facts.ancestry.source_of(event) if counts or used is not None else ""
        if text or counts:
            self.tally.add(event, index, text, self.directory, source)
        if used is not None:
            self.tally.use(event, used, self.facts.model, source)
