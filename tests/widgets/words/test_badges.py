"""A case's badge says what its sentence says: five suggestions, five words, the same everywhere."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_tui.app.output.action_lines import action_lines
from sessions_tui.storage.model.edits import Change, Edit
from sessions_tui.storage.model.evidence import Before, Suggestion
from sessions_tui.storage.review import reasons
from sessions_tui.storage.review.judgement import judge
from sessions_tui.widgets.words.cases import SUGGESTED, suggestion
from tests.widgets.review_cases import edit, evidence

SUGGESTIONS: tuple[Suggestion, ...] = get_args(Suggestion)

CONTRADICTED = {
    "applied": r"not there|still there|something else|cut before|cannot|though|not known",
    "not applied": r"^The new text is there|holds what was to be|cannot|though|not known",
    "unclear": r"^The old text is there and the new one is not|^The new text is not there\.$"
    r"|^The new text is there and the old one is gone\.$|not known",
    "changed": r"exactly as it was|last changed before|^The (old|new) text is there",
    "unknown": r"^The (old|new) text is there|exactly as it was|holds what was to be",
}
"""What no sentence says beside a word."""

LATE = 1_790_003_630_000

texts = st.text("ab\n", max_size=6)
changes = st.builds(Change, st.one_of(st.none(), texts), texts, st.booleans())
knowledge = st.builds(
    Before,
    st.sampled_from([None, LATE]),
    st.sampled_from([None, LATE, LATE - 60_000, LATE + 60_000]),
    st.sampled_from([None, True, False]),
    st.one_of(st.none(), texts.map(str.encode)),
    st.booleans(),
    st.sampled_from(["", ".mycodeagent-a.tmp"]),
    st.booleans(),
    st.lists(st.builds(lambda one: Edit("/a", (one,)), changes), max_size=1).map(tuple),
)
judged = st.builds(
    judge,
    st.lists(changes, min_size=1, max_size=3).map(lambda some: Edit("/a", tuple(some))),
    st.one_of(st.none(), texts.map(str.encode), st.just(b"\0")),
    knowledge,
)


def test_five_suggestions_have_five_words() -> None:
    assert set(SUGGESTED) == set(SUGGESTIONS) == set(get_args(Suggestion))
    assert len({word.text for word in SUGGESTED.values()}) == len(SUGGESTIONS)
    assert SUGGESTED["ambiguous"].text == "unclear"


@settings(max_examples=1_500)
@given(st.data())
def test_no_word_contradicts_its_sentence(data: st.DataObject) -> None:
    judgement = data.draw(judged)
    word = SUGGESTED[judgement.suggests].text
    assert not re.search(CONTRADICTED[word], judgement.reason), (word, judgement.reason)


@pytest.mark.parametrize("reason", [reasons.COMMAND, reasons.OTHER_CALL, reasons.UNREADABLE_EDIT])
def test_what_cannot_be_judged_is_unknown(reason: str) -> None:
    assert not re.search(CONTRADICTED["unknown"], reason)


@pytest.mark.parametrize("suggests", SUGGESTIONS)
def test_the_same_word_everywhere(suggests: Suggestion) -> None:
    case = edit(1, evidence=evidence(suggests, "Because."))
    word = SUGGESTED[suggests].text
    assert suggestion(case).text.removesuffix("?") == word
    assert list(action_lines(case.action, 120))[1].strip() == f"{word}: Because."
