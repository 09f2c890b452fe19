"""MyCodeAgent's integrity: what its own loader does with a file decides."""

from __future__ import annotations

from ...folds.integrity import corrupt, damage_fault, tail_verdict
from ...model.event import Event
from ...model.integrity import Fault, Integrity, Tail
from .loader import refusal

REFUSES = "MyCodeAgent will refuse this file: "
_NOT_CUT = "the last line ends in CR, so it is complete; MyCodeAgent will remove it: "
_CUT_LINE = "the last line is incomplete; MyCodeAgent ignores it until another line follows"
_CUT_CHARACTER = (
    "the last line ends inside a character; MyCodeAgent will refuse this file, and every resume"
    " in this project, until the file is moved away"
)


class Loadable:
    """Records of the transcript's session, which the first one names, must load."""

    by_record = True

    def fault(self, event: Event, line: int, session: str | None, number: int) -> Fault | None:
        """Return why the loader rejects a record; it skips those of other sessions."""
        if event.kind == "damaged":
            return damage_fault(event, line)
        if session is None or event.record.get("session_id") != session:
            return None
        reason = refusal(event.record)
        return Fault("refused", line, f"the record {reason}") if reason else None

    def verdict(self, fault: Fault | None, damaged: int, line: int, tail: Tail) -> Integrity:
        """Return whether the loader accepts the file; it ignores an incomplete last line."""
        if fault and not fault.fatal and tail == "terminated":
            return corrupt(fault, _NOT_CUT)
        if fault and (fault.fatal or tail != "none"):
            return corrupt(fault, REFUSES)
        if fault:
            return Integrity("partial-tail", None, fault.line, _CUT_LINE)
        if tail == "refused":
            detail = "the tail is JSON, but not an object that can be read"
            return corrupt(Fault("not_object", line + 1, detail), REFUSES)
        if tail == "torn-character":
            return Integrity("partial-tail", None, line + 1, _CUT_CHARACTER)
        return tail_verdict(line, tail)


def is_refused(integrity: Integrity) -> bool:
    """Return whether MyCodeAgent's own loader rejects a transcript with that integrity."""
    return integrity.state == "corrupt" or integrity.detail == _CUT_CHARACTER
