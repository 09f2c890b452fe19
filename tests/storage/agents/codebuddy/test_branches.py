"""Branches that were left when a prompt was resent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sessions_tui.storage.agents.codebuddy.branches import abandoned
from sessions_tui.storage.folds.branches import Joint
from sessions_tui.storage.timeline.annotated import Annotator, left_records
from sessions_tui.storage.timeline.rows import Rows
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[3] / "cases"
RESENT = next(CASES.glob("product-store/projects/*/2a028bbf-*.jsonl"))


def chain(words: str) -> list[Joint | None]:
    """Joints from words like `b<a`: the record `b`, whose parent is `a`; `-` stands outside."""
    found: list[Joint | None] = []
    for word in words.split():
        own, _, parent = word.partition("<")
        found.append(None if word == "-" else Joint(own, parent or None))
    return found


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("", []),
        ("- -", []),
        ("a b<a c<b", []),
        ("a b<a c<b n<a d<a e<d", [2 - 1, 2, 3]),
        ("a b<a n<a", [1]),
        ("a b<a n d e<d", [0, 1, 2]),
        # Records outside the chain are never left.
        ("a - b<a - n<a c<a", [2, 4]),
        # A text and its parallel calls share an id and a parent.
        ("a r<a r<a r<a b<r", []),
        ("a r<a - r<a b<r n<a c<a", [1, 3, 4, 5]),
        # An id that is used again means the latest earlier record.
        ("a b<a a<b c<a", []),
        # A parent that was pruned: all before counts as active.
        ("a b<a c<gone d<c", []),
        # A record that is its own ancestor ends the walk.
        ("a<a b<a", []),
        ("a<b b<a", []),
    ],
)
def test_what_is_not_an_ancestor_of_the_last_record_is_left(words: str, left: list[int]) -> None:
    assert sorted(abandoned(chain(words))) == left


def written(path: Path, words: str) -> Transcript:
    """A transcript of records like `u1<a1`: prompts `u`, answers `a`, calls `c`, results `r`."""
    kinds = {
        "u": {"type": "message", "role": "user"},
        "a": {"type": "message", "role": "assistant", "status": "completed"},
        "c": {"type": "function_call", "name": "Bash", "arguments": "{}"},
        "r": {"type": "function_call_result", "name": "Bash", "status": "completed"},
    }
    lines = []
    for at, word in enumerate(words.split()):
        own, _, parent = word.partition("<")
        record = kinds[own[0]] | {"id": own, "timestamp": 1_795_000_000_000 + at}
        if own[0] in "ua":
            record["content"] = [{"type": "text", "text": own}]
        else:
            record["callId"] = own[1:]
        lines.append(json.dumps(record | ({"parentId": parent} if parent else {})) + "\n")
    with path.open("a") as file:
        file.writelines(lines)
    transcript = Transcript(path, "s")
    transcript.read()
    return transcript


@pytest.mark.parametrize(
    ("words", "left"),
    [
        # One process: a chain, with parallel calls and their results.
        ("u1 a2<u1 c3<a2 r3<c3 a4<r3", []),
        ("u1 c2<u1 c2<u1 r2<c2 r3<r2 a4<r3", []),
        ("u1 c2<u1 c2<u1 r2<c2 r3<c2 a4<r3", []),
        # Two processes that go on from one record.
        ("u1 a2<u1 u3<a2 u4<a2 a5<u3 a6<u4", [2, 4]),
        ("u1 a2<u1 u3<a2 a4<u3 u5<a2 a6<u5 u7<a4 a8<u7", [4, 5]),
        ("u1 a2<u1 u3<a2 u4<a2 c5<u4 r5<c5", [2]),
    ],
)
def test_two_writers_leave_the_branch_of_the_other(
    tmp_path: Path, words: str, left: list[int]
) -> None:
    transcript = written(tmp_path / "s.jsonl", words)
    assert sorted(left_records(transcript)) == left
    assert bool(transcript.facts.branchings) == bool(left)


def test_the_branch_changes_with_the_last_record(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    transcript = written(path, "u1 a2<u1 u3<a2 u4<a2 a5<u4")
    annotator = Annotator(transcript, False)
    assert [told.active for told in annotator.events()] == [True, True, False, True, True]
    written(path, "a6<u3")
    transcript.read()
    assert [told.active for told in annotator.events()] == [True, True, True, False, False, True]


@pytest.fixture
def resent() -> Transcript:
    transcript = Transcript(RESENT, RESENT.stem)
    transcript.read()
    return transcript


def test_the_resent_prompt_of_a_real_store(resent: Transcript) -> None:
    assert sorted(left_records(resent)) == [6, 8]
    left = [told.event.text for told in Annotator(resent, alive=False).events() if not told.active]
    assert left[0] == "把它们导出成 Excle"


def test_rows_on_a_branch_that_was_left(resent: Transcript) -> None:
    rows = Rows(resent, depth=1)
    assert not any(row.abandoned for row in (rows[at] for at in range(len(rows))))
    rows.leave(left_records(resent))
    shown = {rows[at].text: rows[at].abandoned for at in range(len(rows))}
    assert shown["把它们导出成 Excle"]
    assert not shown["把它们导出成 Excel"]


def test_a_transcript_without_a_notice_is_not_read_for_branches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = CASES / "product" / "01-ordinary-edits.jsonl"
    transcript = Transcript(path, path.stem)
    transcript.read()
    monkeypatch.setattr(Transcript, "reading", None)
    assert left_records(transcript) == frozenset()
