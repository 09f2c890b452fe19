"""A case: one action for the user to review, with its evidence and verdict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from .action import Action
from .edits import Edit
from .evidence import Excerpt, Suggestion
from .timeline import Verdict

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_AGAINST: dict[Verdict, tuple[Suggestion, ...]] = {
    "verified": ("not-applied",),
    "not-applied": ("applied",),
    "partial": ("applied", "not-applied"),
    "dismissed": (),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One uncertain action, with `evidence`, `verdict`, `note` and `decided_at` filled in."""

    action: Action
    path: Path
    """Path of the transcript."""
    title: str
    """Title of the session."""
    workspace: str
    sha256: str = ""
    """Hash of the record's bytes; a verdict applies only to a record with this hash."""
    edit: Edit | None = None
    excerpts: tuple[Excerpt, ...] = ()
    directory: str | None = None
    """Working directory of the session's agent."""
    is_older: bool = False
    """Whether it needs no attention any more: a pure read, or too long ago."""
    ended: Literal["", "completed", "failed"] = ""
    """Set if the result arrived while the case was under review."""
    outdated: Verdict | None = None
    """A verdict that no longer applies, because the record has changed since."""

    @property
    def is_open(self) -> bool:
        """Whether it still needs a verdict."""
        return self.action.verdict is None and not self.ended


def contradicts(verdict: Verdict, suggests: Suggestion | None) -> bool:
    """Return whether a verdict says the opposite of what the evidence suggests."""
    return suggests in _AGAINST[verdict]
