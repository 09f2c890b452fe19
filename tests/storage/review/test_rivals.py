"""A backup made after its edit, and other edits that explain the file as well."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.review.cases import judged_actions
from sessions_tui.storage.transcript.transcript import Transcript
from tests.storage.crashes import AFTER, BEFORE, NOW, Crash, MyCodeAgentCrash, ProductCrash
from tests.storage.laid import laid_out

NAME = "src/plan.py"


def beside(crash: Crash) -> Crash:
    """Another edit of the same response, of another file."""
    crash.change("Edit", "other.py", [("x", "y")], "beside")
    return crash


def test_backups_made_after_their_edits(tmp_path: Path) -> None:
    home = laid_out("cb01-backup-after-edit", tmp_path)
    path = next(home.glob("projects/*/*.jsonl"))
    transcript = Transcript(path, path.stem)
    transcript.read()
    with closing(Decisions(tmp_path / "decisions")) as decisions:
        actions = list(judged_actions(transcript, False, False, decisions, NOW))
    found = [action.evidence.suggests for action in actions if action.evidence]
    assert found == ["applied", "applied"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("one", "two"), ("one", "one\nmore"), ("one and all", "one"), ("one", ""), ("一", "一二")],
)
def test_a_backup_that_holds_the_file_after_the_edit(
    product: ProductCrash, old: str, new: str
) -> None:
    now = f"head\n{new}\ntail\n".encode()
    product.leave(NAME, now, AFTER)
    product.change("Edit", NAME, [(old, new)])
    beside(product)
    product.back_up(NAME, now)
    assert product.evidence().suggests == "applied"


def test_a_lone_edit_is_not_taken_back_by_its_backup(product: ProductCrash) -> None:
    product.leave(NAME, b"one\nmore\n", AFTER)
    product.change("Edit", NAME, [("one", "one\nmore")])
    product.back_up(NAME, b"one\nmore\n")
    evidence = product.evidence()
    assert evidence.suggests == "ambiguous"
    assert evidence.reason == (
        "The new text is there, though the file is exactly as it was before the call."
    )


def test_a_backup_made_after_a_write(product: ProductCrash) -> None:
    product.leave(NAME, b"all of it\n", AFTER)
    product.change("Write", NAME, "all of it\n")
    beside(product)
    product.back_up(NAME, b"all of it\n")
    assert product.evidence().suggests == "applied"


def test_a_reading_that_still_holds_does_not_outweigh_the_file(tmp_path: Path) -> None:
    own = MyCodeAgentCrash(tmp_path)
    own.leave(NAME, b"two\n", BEFORE)
    own.read(NAME)
    own.change("Edit", NAME, [("one", "two")])
    evidence = own.evidence()
    assert evidence.suggests == "ambiguous"
    assert evidence.reason == (
        "The new text is there, "
        "though the file was not written since the agent read it before the call."
    )


@pytest.mark.parametrize(
    ("other", "now", "suggests"),
    [
        ([("one", "two")], "two", "ambiguous"),  # either has made it
        ([("an one", "an two")], "an two", "ambiguous"),
        ([("x one", "x two")], "two", "applied"),
        ([("two", "three")], "two", "applied"),  # the next step, not taken
        ([("two", "one")], "one", "ambiguous"),  # carried out and taken back, or neither
        ([("two", "one")], "two", "ambiguous"),
        ([("a", "one")], "a two", "ambiguous"),  # what it was to replace may never have come
        ([("x", "y")], "one", "not-applied"),
        ("two", "two", "ambiguous"),  # written whole
        ("one", "one", "ambiguous"),
        ("three", "two", "applied"),
    ],
)
def test_another_edit_beside_it(
    crash: Crash, other: list[tuple[str, str]] | str, now: str, suggests: str
) -> None:
    crash.leave(NAME, now.encode(), AFTER)
    crash.change("Edit", NAME, [("one", "two")])
    crash.change("Write" if isinstance(other, str) else "Edit", NAME, other, "beside")
    assert crash.evidence().suggests == suggests


@pytest.mark.parametrize("other", [[("x", "one")], "one and more"])
def test_a_deletion_of_what_another_edit_was_to_bring(
    crash: Crash, other: list[tuple[str, str]] | str
) -> None:
    crash.leave(NAME, b"x", AFTER)
    crash.change("Write" if isinstance(other, str) else "Edit", NAME, other, "beside")
    crash.change("Edit", NAME, [("one", "")])
    assert crash.evidence().suggests == "ambiguous"


def test_another_edit_that_failed_explains_nothing(crash: Crash) -> None:
    crash.leave(NAME, b"two", AFTER)
    crash.change("Edit", NAME, [("one", "two")], "beside")
    crash.change("Edit", NAME, [("one", "two")])
    assert crash.evidence().suggests == "ambiguous"
    crash.end("beside", failed=True)
    assert crash.evidence().suggests == "applied"


def test_another_edit_of_an_earlier_response_explains_nothing(product: ProductCrash) -> None:
    product.leave(NAME, b"two", AFTER)
    product.change("Edit", NAME, [("two", "one")], "earlier")
    product.end("earlier")
    product.change("Edit", NAME, [("one", "two")])
    assert product.evidence().suggests == "applied"
