"""What the review asks and says while a person decides. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ...storage.model.case import Case, contradicts
from ...storage.model.evidence import Suggestion
from ...storage.model.timeline import Verdict
from ..words.amounts import count
from ..words.cases import DECIDED, SUGGESTED, subject, tail, tool_name
from ..words.safe import one_line

NAMED = 24
"""Cells of a file's name or a command in the prompt."""

ENDED = "A result arrived, so this case is closed."
UNDECIDED = "Nothing was decided here."


def action_of(verdict: Verdict) -> str:
    """The action that gives a verdict, as bindings name it."""
    return f"judge({verdict!r})"


def doubt(cases: Sequence[Case], verdict: Verdict, key: str) -> str:
    """The question to a verdict that the files speak against; "" where they do not."""
    against = [case for case in cases if contradicts(verdict, _suggested(case))]
    if not against:
        return ""
    says = f"The file disagrees for {len(against)} of {len(cases)}"
    if len(cases) == 1:
        says = f"The file suggests {_word(against[0])}"
    return f"{says}. {key} again: {DECIDED[verdict].text} anyway · escape: cancel"


def judged(cases: Sequence[Case]) -> str:
    """What a verdict is about: `Edit db.py`, `3 cases`."""
    if len(cases) != 1:
        return count(len(cases), "case")
    about = subject(cases[0])
    text = tail(about.text, NAMED) if about.is_path else one_line(about.text, NAMED)
    return f"{tool_name(cases[0])} {text}".strip()


def note_wanted(verdict: Verdict, cells: int) -> str:
    """What stands in the box before a note is written, shorter where there is little room."""
    keys = f"enter: save as {DECIDED[verdict].text} · escape: cancel"
    long = f"optional note — {keys}"
    return long if len(long) <= cells else f"note — {keys}"


def _suggested(case: Case) -> Suggestion | None:
    return case.action.evidence.suggests if case.action.evidence else None


def _word(case: Case) -> str:
    suggests = _suggested(case)
    return SUGGESTED[suggests].text if suggests else ""
