"""Where a session comes from besides a parent, as its records tell: a fold over events.

A fork begins with copies of another session's records, which keep that one's id. From the first
record with its own id on all is its own: a fork that is resumed writes under either. MyCodeAgent
goes on in a new file after a resume, and only the number of its first run tells that others came
before. A file that was recorded as a further part of a session names the part before in its first
record.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ..model.event import Event, Usage
from ..text.folding import well_formed

RUN = "run-"

CONTINUES = "continues"
"""The field of a first record that names the session before, which goes on in this file."""

MOST_LATE = 1_000
"""Calls of earlier parts that are remembered as ended or begun here."""


@dataclass(slots=True)
class Ancestry:
    """What the records of a transcript tell of where it comes from."""

    copied: dict[str, Usage] = field(default_factory=dict)
    """Tokens of the records that carry another session's id, by that id, the last one last."""
    own_from: int | None = None
    """Where the first record begins that carries the session's own id: copies are a prefix."""
    run: str = ""
    """The run of the last record, as it is written."""
    runs: int = 0
    """The highest number of a run."""
    resumed: int = 0
    """The number of the first run that no run of this file comes before; 0: there is none."""
    resumed_at: int | None = None
    continues: str | None = None
    """The session that the first record says is continued here."""
    late: dict[str, int] = field(default_factory=dict)
    """Where records stand that belong to calls of earlier parts: offsets by run and call id."""

    def begin(self, event: Event) -> None:
        """Take in the first record."""
        said = event.record.get(CONTINUES)
        if event.dialect.NAME != "product" and isinstance(said, str) and said:
            self.continues = said

    def answer(self, call: str, offset: int) -> None:
        """Take in a record of a call that is not of this file."""
        if self.continues and len(self.late) < MOST_LATE:
            self.late.setdefault(call, offset)

    @property
    def is_own(self) -> bool:
        """Whether a record carries the session's own id."""
        return self.own_from is not None

    def source_of(self, event: Event) -> str:
        """The session that a record was copied from, "" where it is the session's own.

        Records that were read already are told as they were when they were read.
        """
        if self.own_from is not None and event.place.offset >= self.own_from:
            return ""
        inner = event.dialect.inner_session(event.record)
        return "" if inner is None or inner == event.place.session else well_formed(inner)

    def copy_from(self, session: str, used: Usage | None) -> None:
        """Take in a record with another session's id, and the tokens it tells."""
        before = self.copied.pop(session, None) or Usage()
        self.copied[session] = before + used if used else before

    def enter(self, run: str, at: int | None) -> None:
        """Take in a record of another run than the record before it."""
        self.run = run
        number = _number(run)
        if number > self.runs + 1 and not self.resumed:
            self.resumed, self.resumed_at = number, at
        self.runs = max(self.runs, number)

    def precede(self, head: Ancestry) -> None:
        """Take from the head of the file what its tail cannot know."""
        self.resumed, self.resumed_at = head.resumed, head.resumed_at
        self.continues = head.continues
        self.runs = max(self.runs, head.runs)
        self.copied = {**head.copied, **self.copied}
        self.own_from = self.own_from if head.own_from is None else head.own_from

    def copy(self) -> Ancestry:
        """As it is now."""
        return replace(self, copied=dict(self.copied), late=dict(self.late))

    def as_json(self) -> dict[str, Any]:
        """Plain data for the index."""
        copied = {session: list(asdict(used).values()) for session, used in self.copied.items()}
        rest = {name: getattr(self, name) for name in _PLAIN}
        return {"copied": copied, **rest}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Ancestry:
        """What `as_json` gave."""
        copied = {session: Usage(*used) for session, used in data["copied"].items()}
        return cls(copied, **{name: data[name] for name in _PLAIN})


_PLAIN = tuple(one.name for one in fields(Ancestry) if one.name != "copied")


def _number(run: str) -> int:
    """The number of a run, 0 where it has none (`legacy-1`)."""
    digits = run.removeprefix(RUN)
    return int(digits) if digits != run and digits.isdecimal() and len(digits) < 10 else 0
