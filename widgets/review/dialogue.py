"""Asking for a verdict: what is being asked, and what each key makes of it. Pure.

    Idle ── verdict ──▶ Doubting ── the same verdict ──▶ Noting ── enter ──▶ a decision
      └─────── where no file contradicts it ───────────────┘

Escape leads back to `Idle` from everywhere, and nothing but enter while a note is written decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...storage.model.case import Case
from ...storage.model.timeline import Verdict
from .case_rows import identity
from .words import ENDED, doubt


@dataclass(frozen=True, slots=True)
class Question:
    """A verdict that is about to be given on some cases."""

    verdict: Verdict
    cases: tuple[Case, ...]
    key: str
    """The key that gives it."""

    @property
    def doubt(self) -> str:
        """What is to be asked first, where the files contradict it; else ""."""
        return doubt(self.cases, self.verdict, self.key)

    def is_same(self, other: Question) -> bool:
        """Whether the other would ask the same of the same cases."""
        mine, theirs = ([identity(case) for case in one.cases] for one in (self, other))
        return self.verdict == other.verdict and mine == theirs and self.doubt == other.doubt


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is asked."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A sentence is shown, until any key is pressed."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Doubting:
    """The files contradict the verdict: its own key confirms it, escape cancels."""

    question: Question


@dataclass(frozen=True, slots=True)
class Noting:
    """A note is being written: enter decides, escape cancels."""

    question: Question


Dialogue = Idle | Telling | Doubting | Noting

IDLE = Idle()


def ask(dialogue: Dialogue, question: Question) -> Dialogue:
    """After the key of a verdict; `question` is of the chosen cases that can still be decided."""
    if isinstance(dialogue, Noting):
        return dialogue  # it was typed into the note
    asked = dialogue.question if isinstance(dialogue, Doubting) else None
    if asked and asked.verdict != question.verdict:
        return dialogue  # it waits for its own key
    if not question.cases:
        return Telling(ENDED)
    if question.doubt and not (asked and asked.is_same(question)):
        return Doubting(question)
    return Noting(question)


def press(dialogue: Dialogue, key: str) -> Dialogue:
    """After any key that is not that of a verdict."""
    return IDLE if key == "escape" or isinstance(dialogue, Telling) else dialogue


def consumes(dialogue: Dialogue, key: str) -> bool:
    """Whether that key does nothing else: what is typed after a question is meant for the note."""
    return isinstance(dialogue, Doubting) or (isinstance(dialogue, Telling) and key == "escape")


def recheck(dialogue: Dialogue, question: Question) -> Dialogue:
    """After cases, files or choice changed; `question` is what the same verdict would ask now."""
    is_old = isinstance(dialogue, Doubting) and not dialogue.question.is_same(question)
    return IDLE if is_old else dialogue


def decided(dialogue: Dialogue) -> Question | None:
    """After enter: what the person decides, None where nothing is."""
    return dialogue.question if isinstance(dialogue, Noting) else None
