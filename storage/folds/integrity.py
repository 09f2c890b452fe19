"""The integrity check: whether a transcript can be trusted, and if not, why and where.

A chain processes every line in order, in constant time per line, by the rule of the transcript's
agent. Its state can be saved and restored at any point.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model.agent import Agent
from ..model.event import Event
from ..model.integrity import Fault, Integrity, Tail
from ..model.rules import IntegrityRule
from ..records.parsing import TORN, damage_of

_CUT_TAIL = "the last line is incomplete and ignored"


class Chain:
    """Checks the integrity of one transcript line by line.

    `session` is the id that its records must carry; None if the first record decides.
    """

    def __init__(self, rule: IntegrityRule, session: str | None) -> None:
        self._rule = rule
        self._session = session
        self._records = 0
        self._line = 0
        self._damaged = 0
        self._fault: Fault | None = None

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the result of `as_json`."""
        self._session = state["session"]
        self._records = state["records"]
        self._line = state["line"]
        self._damaged = state["damaged"]
        self._fault = Fault(*state["fault"]) if state["fault"] else None

    def add(self, event: Event, line: int) -> None:
        """Check the record of a line, damaged ones included."""
        self._advance(line)
        self._records += 1
        if self._session is None:
            self._session = event.place.inner or event.session_in
        fault = self._rule.fault(event, line, self._session, self._records)
        if fault:
            self._damaged += 1
            self._fault = self._fault or fault

    @property
    def is_broken(self) -> bool:
        """Whether a defect was found, even if it may only be an incomplete last line."""
        return self._fault is not None

    def blank(self, line: int) -> None:
        """Count a blank line."""
        self._advance(line)

    def _advance(self, line: int) -> None:
        self._line = line
        if self._fault and not self._fault.fatal:
            self._fault = self._fault._replace(fatal=True)

    def verdict(self, tail: Tail = "none") -> Integrity:
        """Return the integrity, given the state of what follows the last line end.

        Add the record of a `whole` tail first; to a copy of the chain as long as its line may grow.
        """
        return self._rule.verdict(self._fault, self._damaged, self._line, tail)

    def as_json(self) -> dict[str, Any]:
        """Return plain data from which `chain_for` restores the chain."""
        return {
            "session": self._session,
            "records": self._records,
            "line": self._line,
            "damaged": self._damaged,
            "fault": list(self._fault) if self._fault else None,
        }


def chain_for(agent: Agent, session: str, state: Mapping[str, Any] | None = None) -> Chain:
    """Return a new chain for the session with that file stem, or restore one from `state`."""
    rule = agent.integrity() if agent.integrity else MARKED
    chain = Chain(rule, None if rule.by_record else session)
    if state is not None:
        chain.restore(state)
    return chain


class Marked:
    """The default rule: damaged lines are marked, and the rest of the transcript is trusted."""

    by_record = False

    def fault(self, event: Event, line: int, session: str | None, number: int) -> Fault | None:
        """Return the damage of a line."""
        return damage_fault(event, line)

    def verdict(self, fault: Fault | None, damaged: int, line: int, tail: Tail) -> Integrity:
        """Return `damaged` with the first damaged line, if there is one."""
        if fault is None:
            return tail_verdict(line, tail)
        lines = "1 line is" if damaged == 1 else f"{damaged} lines are"
        detail = f"{lines} damaged; line {fault.line}: {fault.detail}"
        return Integrity("damaged", fault.kind, fault.line, detail)


MARKED = Marked()


def damage_fault(event: Event, line: int) -> Fault | None:
    """Return the fault of a line that could not be read as written."""
    damage = damage_of(event)
    if damage is None:
        return None
    # Both are JSON that the parser rejects; the formats have one word for it.
    kind = "bad_json" if damage.kind in ("too_deep", "too_long") else damage.kind
    return Fault(kind, line, damage.detail, damage.kind != "bad_json")


def tail_verdict(line: int, tail: Tail) -> Integrity:
    """Return the integrity of a transcript without faults; `line` is its last complete one."""
    return Integrity("partial-tail", None, line + 1, _CUT_TAIL) if tail in TORN else Integrity()


def corrupt(fault: Fault, prefix: str = "") -> Integrity:
    """Return the integrity of a transcript that a fault makes untrustworthy."""
    detail = f"{prefix}line {fault.line}: {fault.detail}"
    return Integrity("corrupt", fault.kind, fault.line, detail)
