"""Asking for a verdict, without a screen: any sequence of keys, while cases come and change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.model.case import Case
from sessions_tui.storage.model.timeline import Verdict
from sessions_tui.widgets.review.dialogue import (
    IDLE,
    Dialogue,
    Doubting,
    Idle,
    Noting,
    Question,
    Telling,
    ask,
    consumes,
    decided,
    press,
    recheck,
)
from tests.widgets.review_cases import bash, edit, evidence

KEYS: dict[str, Verdict] = {
    "v": "verified",
    "x": "not-applied",
    "p": "partial",
    "z": "dismissed",
}
Cases = tuple[Case, ...]

CHOICES: tuple[Cases, ...] = (
    (bash(1),),
    (edit(1),),
    (edit(1), bash(2)),
    (edit(1, evidence=evidence("applied", "The new text is there.")),),
    (edit(1, ended="completed"),),
)
"""What may be chosen: nothing known, applied or not, several, ended meanwhile."""

ANY_KEY = st.sampled_from([*KEYS, "enter", "escape", "j", "backspace", "5"])


@dataclass
class Review:
    """Does with keys what the pane does, and keeps what led to each decision."""

    chosen: Cases = CHOICES[0]
    dialogue: Dialogue = IDLE
    keys: list[str] = field(default_factory=list)
    """Those since nothing was asked."""
    decisions: list[tuple[Question, list[str]]] = field(default_factory=list)

    def press(self, key: str) -> None:
        self.keys.append(key)
        if key == "enter" and (question := decided(self.dialogue)):
            self.decisions.append((question, self.keys))
            self.dialogue = IDLE
        elif key in KEYS:
            self.dialogue = ask(self.dialogue, self.question(key))
        else:
            self.dialogue = press(self.dialogue, key)
        if isinstance(self.dialogue, Idle | Telling):
            self.keys = []

    def choose(self, cases: Cases) -> None:
        """Another choice, or other files."""
        self.chosen = cases
        if isinstance(self.dialogue, Doubting):
            key = self.dialogue.question.key
            self.dialogue = recheck(self.dialogue, self.question(key))
        if isinstance(self.dialogue, Idle):
            self.keys = []

    def question(self, key: str) -> Question:
        return Question(KEYS[key], tuple(case for case in self.chosen if not case.ended), key)


def reviewed(steps: Sequence[str | Cases]) -> Review:
    """After some keys and choices, each of which leaves a legal state."""
    review = Review()
    for step in steps:
        review.press(step) if isinstance(step, str) else review.choose(step)
        is_legal(review)
    return review


def is_legal(review: Review) -> None:
    """What is asked is asked of some cases, and a doubt is one about the cases as they are."""
    dialogue = review.dialogue
    if isinstance(dialogue, Doubting):
        assert dialogue.question.doubt
        assert dialogue.question.is_same(review.question(dialogue.question.key))
    elif isinstance(dialogue, Noting):
        assert dialogue.question.cases
    else:
        assert dialogue is IDLE or isinstance(dialogue, Telling)


STEPS = st.lists(ANY_KEY | st.sampled_from(CHOICES), max_size=30)


@given(STEPS)
def test_nothing_is_decided_without_its_keys(steps: list[str | Cases]) -> None:
    for question, keys in reviewed(steps).decisions:
        assert keys[-1] == "enter"
        assert "escape" not in keys
        assert question.cases
        first, *rest = keys[:-1]
        assert KEYS[first] == question.verdict
        if question.doubt:
            assert first in rest


@given(STEPS)
def test_escape_always_leads_out(steps: list[str | Cases]) -> None:
    review = reviewed(steps)
    before = len(review.decisions)
    review.press("escape")
    assert review.dialogue is IDLE
    assert len(review.decisions) == before


@given(STEPS, ANY_KEY)
def test_a_doubt_consumes_all_keys_and_idleness_none(steps: list[str | Cases], key: str) -> None:
    dialogue = reviewed(steps).dialogue
    assert consumes(dialogue, key) >= isinstance(dialogue, Doubting)
    assert not (consumes(dialogue, key) and isinstance(dialogue, Idle | Noting))


@given(STEPS, st.sampled_from([*KEYS]))
def test_only_its_own_key_confirms_a_doubt(steps: list[str | Cases], key: str) -> None:
    review = reviewed(steps)
    if isinstance(doubt := review.dialogue, Doubting):
        review.press(key)
        is_its_own = key == doubt.question.key
        assert review.dialogue == (Noting(doubt.question) if is_its_own else doubt)


def test_a_note_stays_with_the_cases_as_they_were_shown() -> None:
    review = reviewed(["v", CHOICES[2], "p"])
    assert decided(review.dialogue) == Question("verified", CHOICES[0], "v")
