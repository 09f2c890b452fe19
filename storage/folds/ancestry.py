"""The origin of a session other than a parent, as found in its records: a fold over events.

A fork begins with copies of another session's records, which keep that session's id. Everything
from the first record with the fork's own id on is its own: a resumed fork writes under either id.
MyCodeAgent continues in a new file after a resume; only the number of its first run shows that
there were earlier ones. A file recorded as a further part of a session names the previous part in
its first record.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ..model.event import Event, Usage
from ..text.folding import well_formed

RUN = "run-"

MOST_LATE = 1_000
"""Maximum number of calls of earlier parts that are remembered as ended or started here."""


@dataclass(slots=True)
class Ancestry:
    """What the records of a transcript show about its origin."""

    copied: dict[str, Usage] = field(default_factory=dict)
    """Tokens of records with another session's id, by that id, the most recently seen one last."""
    own_from: int | None = None
    """Byte offset of the first record with the session's own id, as copies form a prefix."""
    run: str = ""
    """The run of the last record, as written."""
    runs: int = 0
    """The highest number of a run."""
    resumed: int = 0
    """Number of the first run whose predecessor is not in this file; 0 if there is none."""
    resumed_at: int | None = None
    continues: str | None = None
    """The session that the first record names as continued here."""
    late: dict[str, int] = field(default_factory=dict)
    """Byte offsets of records that belong to calls of earlier parts, by run and call id."""

    def begin(self, event: Event) -> None:
        """Process the first record."""
        self.continues = event.continues

    def answer(self, call: str, offset: int) -> None:
        """Process a record of a call that is not in this file."""
        if self.continues and len(self.late) < MOST_LATE:
            self.late.setdefault(call, offset)

    @property
    def is_own(self) -> bool:
        """Whether any record carries the session's own id."""
        return self.own_from is not None

    def source_of(self, event: Event) -> str:
        """Return the session that a record was copied from, "" for the session's own records.

        For a record that was already processed, the result is the same as it was then.
        """
        if self.own_from is not None and event.place.offset >= self.own_from:
            return ""
        inner = event.session_in
        return "" if inner is None or inner == event.place.session else well_formed(inner)

    def copy_from(self, session: str, used: Usage | None) -> None:
        """Process a record with another session's id, and its tokens."""
        before = self.copied.pop(session, None) or Usage()
        self.copied[session] = before + used if used else before

    def enter(self, run: str, at: int | None) -> None:
        """Process a record of a different run than that of the preceding record."""
        self.run = run
        number = _number(run)
        if number > self.runs + 1 and not self.resumed:
            self.resumed, self.resumed_at = number, at
        self.runs = max(self.runs, number)

    def precede(self, head: Ancestry) -> None:
        """Adopt what only the head of the file shows, into facts from its tail."""
        self.resumed, self.resumed_at = head.resumed, head.resumed_at
        self.continues = head.continues
        self.runs = max(self.runs, head.runs)
        self.copied = {**head.copied, **self.copied}
        self.own_from = self.own_from if head.own_from is None else head.own_from

    def copy(self) -> Ancestry:
        """Return an independent copy."""
        return replace(self, copied=dict(self.copied), late=dict(self.late))

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the index."""
        copied = {session: list(asdict(used).values()) for session, used in self.copied.items()}
        rest = {name: getattr(self, name) for name in _PLAIN}
        return {"copied": copied, **rest}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Ancestry:
        """Restore from the result of `as_json`."""
        copied = {session: Usage(*used) for session, used in data["copied"].items()}
        return cls(copied, **{name: data[name] for name in _PLAIN})


_PLAIN = tuple(one.name for one in fields(Ancestry) if one.name != "copied")


def _number(run: str) -> int:
    """Return the number of a run, 0 if it has none (`legacy-1`)."""
    digits = run.removeprefix(RUN)
    return int(digits) if digits != run and digits.isdecimal() and len(digits) < 10 else 0
