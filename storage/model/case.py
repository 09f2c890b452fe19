"""A case: one action before its person, with the evidence and what was decided."""

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
    """One uncertain action; its `evidence`, `verdict`, `note` and `decided_at` are filled in."""

    action: Action
    path: Path
    """Of the transcript."""
    title: str
    """Of the session."""
    workspace: str
    sha256: str = ""
    """Of the record's bytes, which a verdict is tied to."""
    edit: Edit | None = None
    excerpts: tuple[Excerpt, ...] = ()
    directory: str | None = None
    """Where the session's agent ran."""
    is_older: bool = False
    """Whether it asks for nobody any more: a pure read, or too long ago."""
    ended: Literal["", "completed", "failed"] = ""
    """How the call ended after all, where its result came while it was under review."""
    outdated: Verdict | None = None
    """A verdict that does not count: the record has changed since it was given."""

    @property
    def is_open(self) -> bool:
        """Whether a person has still to decide."""
        return self.action.verdict is None and not self.ended


def contradicts(verdict: Verdict, suggests: Suggestion | None) -> bool:
    """Whether a verdict says the opposite of what the evidence suggests."""
    return suggests in _AGAINST[verdict]
