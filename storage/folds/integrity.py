"""The integrity check: whether a transcript can be trusted, and if not, why and where.

A chain processes every line in order, in constant time per line. Its state can be saved and
restored at any point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..agents.mycodeagent.loader import refusal
from ..model.event import Event
from ..model.integrity import Fault, Integrity
from ..records.parsing import TORN, Tail, damage_of


class Chain:
    """Checks the integrity of one transcript line by line, by the rules of its format."""

    def __init__(self, dialect: str, session: str | None) -> None:
        self._dialect = dialect
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
        if self._dialect == "mycodeagent" and self._session is None:
            self._session = event.place.inner or _named_session(event)
        fault = _RULES[self._dialect](event, line, self._session, self._records)
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
        if self._dialect == "product":
            return self._product_verdict(tail)
        if self._dialect == "mycodeagent":
            return self._mycodeagent_verdict(tail)
        return _corrupt(self._fault) if self._fault else self._tail_verdict(tail)

    def _product_verdict(self, tail: Tail) -> Integrity:
        if self._fault is None:
            return self._tail_verdict(tail)
        kind, line, detail, _ = self._fault
        lines = "1 line is" if self._damaged == 1 else f"{self._damaged} lines are"
        return Integrity("damaged", kind, line, f"{lines} damaged; line {line}: {detail}")

    def _mycodeagent_verdict(self, tail: Tail) -> Integrity:
        if self._fault and not self._fault.fatal and tail == "terminated":
            return _corrupt(self._fault, _NOT_CUT)
        if self._fault and (self._fault.fatal or tail != "none"):
            return _corrupt(self._fault, REFUSES)
        if self._fault:
            return Integrity("partial-tail", None, self._fault.line, _CUT_LINE)
        if tail == "refused":
            detail = "the tail is JSON, but not an object that can be read"
            return _corrupt(Fault("not_object", self._line + 1, detail), REFUSES)
        if tail == "torn-character":
            return Integrity("partial-tail", None, self._line + 1, _CUT_CHARACTER)
        return self._tail_verdict(tail)

    def _tail_verdict(self, tail: Tail) -> Integrity:
        if tail not in TORN:
            return Integrity()
        return Integrity("partial-tail", None, self._line + 1, _CUT_TAIL)

    def as_json(self) -> dict[str, Any]:
        """Return plain data from which `chain_for` restores the chain."""
        return {
            "session": self._session,
            "records": self._records,
            "line": self._line,
            "damaged": self._damaged,
            "fault": list(self._fault) if self._fault else None,
        }


def chain_for(dialect: str, session: str, state: Mapping[str, Any] | None = None) -> Chain:
    """Return a new chain for the session with that file stem, or restore one from `state`.

    MyCodeAgent's chain uses the session id inside the records: that of the events' places, or the
    first that a record names.
    """
    chain = Chain(dialect, None if dialect == "mycodeagent" else session)
    if state is not None:
        chain.restore(state)
    return chain


REFUSES = "MyCodeAgent will refuse this file: "
_NOT_CUT = "the last line ends in CR, so it is complete; MyCodeAgent will remove it: "
_CUT_TAIL = "the last line is incomplete and ignored"
_CUT_LINE = "the last line is incomplete; MyCodeAgent ignores it until another line follows"
_CUT_CHARACTER = (
    "the last line ends inside a character; MyCodeAgent will refuse this file, and every resume"
    " in this project, until the file is moved away"
)


def is_refused(integrity: Integrity) -> bool:
    """Return whether MyCodeAgent's own loader rejects a transcript with that integrity."""
    return integrity.state == "corrupt" or integrity.detail == _CUT_CHARACTER


def _corrupt(fault: Fault, prefix: str = "") -> Integrity:
    return Integrity(
        "corrupt", fault.kind, fault.line, f"{prefix}line {fault.line}: {fault.detail}"
    )


def _named_session(event: Event) -> str | None:
    session = event.record.get("session_id")
    return str(session) if session else None


def _damaged(event: Event, line: int) -> Fault | None:
    damage = damage_of(event)
    if damage is None:
        return None
    # Both are JSON that the parser rejects; the formats have one word for it.
    kind = "bad_json" if damage.kind in ("too_deep", "too_long") else damage.kind
    return Fault(kind, line, damage.detail, damage.kind != "bad_json")


def _product_rule(event: Event, line: int, session: str | None, number: int) -> Fault | None:
    return _damaged(event, line)


def _envelope_rule(event: Event, line: int, session: str | None, number: int) -> Fault | None:
    """Missing fields default to the record's position; present ones must match it."""
    if event.kind == "damaged":
        return _damaged(event, line)
    record = event.record
    sequence = record.get("sequence", number)
    if type(sequence) is not int or sequence != number:
        return Fault("sequence", line, f"the sequence number is not {number}")
    if record.get("session_id", session) != session:
        return Fault("session_id", line, "session_id does not match the file name")
    expected = f"transcript:{session}:{number}"
    if record.get("event_id", expected) != expected:
        return Fault("event_id", line, f"event_id does not match record {number}")
    return None


def _mycodeagent_rule(event: Event, line: int, session: str | None, number: int) -> Fault | None:
    if event.kind == "damaged":
        return _damaged(event, line)
    if session is None or event.record.get("session_id") != session:
        return None
    reason = refusal(event.record)
    return Fault("refused", line, f"the record {reason}") if reason else None


_RULES: dict[str, Callable[[Event, int, str | None, int], Fault | None]] = {
    "product": _product_rule,
    "envelope": _envelope_rule,
    "mycodeagent": _mycodeagent_rule,
}
