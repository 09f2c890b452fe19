"""Where a session comes from besides a parent, as its records tell: a fold over events.

A fork begins with copies of another session's records, which keep that one's id. MyCodeAgent goes
on in a new file after a resume, and only the number of its first run tells that others came before.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from .event import Usage

RUN = "run-"


@dataclass(slots=True)
class Descent:
    """What the records of a transcript tell of where it comes from."""

    copied: dict[str, Usage] = field(default_factory=dict)
    """Tokens of the records that carry another session's id, by that id, the last one last."""
    is_own: bool = False
    """Whether a record carries the session's own id."""
    run: str = ""
    """The run of the last record, as it is written."""
    runs: int = 0
    """The highest number of a run."""
    resumed: int = 0
    """The number of the first run that no run of this file comes before; 0: there is none."""
    resumed_at: int | None = None

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

    def precede(self, head: Descent) -> None:
        """Take from the head of the file what its tail cannot know."""
        self.resumed, self.resumed_at = head.resumed, head.resumed_at
        self.runs = max(self.runs, head.runs)
        self.copied = {**head.copied, **self.copied}
        self.is_own |= head.is_own

    def copy(self) -> Descent:
        """As it is now."""
        return Descent(
            dict(self.copied), self.is_own, self.run, self.runs, self.resumed, self.resumed_at
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data for the index."""
        copied = {session: list(asdict(used).values()) for session, used in self.copied.items()}
        rest = [self.is_own, self.run, self.runs, self.resumed, self.resumed_at]
        return {"copied": copied, "rest": rest}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Descent:
        """What `as_json` gave."""
        copied = {session: Usage(*used) for session, used in data["copied"].items()}
        return cls(copied, *data["rest"])


def _number(run: str) -> int:
    """The number of a run, 0 where it has none (`legacy-1`)."""
    digits = run.removeprefix(RUN)
    return int(digits) if digits != run and digits.isdecimal() and len(digits) < 10 else 0
