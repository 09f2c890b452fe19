"""How cases are spoken of: rows, words, sections, and the note for the agent."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.model.case import Case
from sessions_tui.storage.model.evidence import Excerpt
from sessions_tui.widgets.base.passages import Passage, lines
from sessions_tui.widgets.review.case_rows import Heading, entries, settled
from sessions_tui.widgets.review.case_sections import CHANGES, call_passages, file_passages
from sessions_tui.widgets.review.dialogue import Question
from sessions_tui.widgets.review.words import judged, note_wanted
from sessions_tui.widgets.words.agent_note import agent_note
from sessions_tui.widgets.words.cases import (
    inside,
    outcome,
    sign,
    subject,
    suggestion,
    summary,
    tail,
    tool_name,
    when,
)
from tests.widgets.review_cases import DAY, HOME, MINUTE, NOW, bash, case, edit, evidence, samples


def shown(cases: Iterable[Case]) -> list[int | None]:
    return [case.action.number for case in cases]


def texts(passages: Iterable[Passage]) -> str:
    return "\n".join(f"{passage.look:8}{passage.bullet}{passage.text}" for passage in passages)


def test_rows() -> None:
    rows = entries(samples())
    told = [row if isinstance(row, Heading) else row.action.number for row in rows]
    assert told == [
        *(Heading("TO DECIDE", 6), 1, 2, 3, 4, 5, 6),
        *(Heading("LOW PRIORITY", 2), 12, 13),
        *(Heading("DECIDED", 5), 7, 8, 9, 10, 11),
    ]


def test_a_group_without_cases_has_no_heading() -> None:
    assert entries([]) == []
    assert entries([edit(1, verdict="verified", is_older=True)])[0] == Heading("DECIDED", 1)


def test_signs_and_words() -> None:
    told = {case.action.number: (sign(case).text, outcome(case).text) for case in samples()}
    assert told == {
        1: ("⚠", "not applied?"),
        2: ("⚠", "applied?"),
        3: ("⚠", "unknown"),
        4: ("⚠", "unclear"),
        5: ("⚠", "changed"),
        6: ("⚠", "unknown"),
        7: ("✓", "applied"),
        8: ("✗", "not applied"),
        9: ("◐", "partial"),
        10: ("·", "dismissed"),
        11: ("↩", "completed"),
        12: ("⚠", "unknown"),
        13: ("⚠", "unknown"),
    }


def test_a_result_that_came_outweighs_a_verdict() -> None:
    late = edit(1, verdict="not-applied", ended="completed")
    assert (sign(late).text, outcome(late).text) == ("↩", "completed")


def test_a_case_without_evidence_suggests_nothing() -> None:
    assert suggestion(edit(1, evidence=None)).text == "unknown"


@pytest.mark.parametrize(
    ("tool", "args", "told"),
    [
        ("Edit", {"file_path": f"{HOME}/app/a.py"}, ("app/a.py", True)),
        ("Write", {"file_path": "/etc/hosts", "content": ""}, ("/etc/hosts", True)),
        ("Write", {"file_path": f"{HOME}/../x", "content": ""}, (f"{HOME}/../x", True)),
        ("Bash", {"description": "Run", "command": "make\n  test"}, ("make test", False)),
        ("Task", {"prompt": "Look at…", "description": "Explore"}, ("Explore", False)),
        ("mcp__hub__open", {"count": 2, "title": "Stock"}, ("Stock", False)),
        ("Bash", {"command": ["ls", "-l"]}, ("", False)),
        ("Bash", {"command": "  "}, ("", False)),
        ("Bash", "not an object", ("not an object", False)),
        ("Bash", None, ("", False)),
    ],
)
def test_subject(tool: str, args: Any, told: tuple[str, bool]) -> None:
    assert subject(case(1, tool, args)) == told


@pytest.mark.parametrize(
    ("tool", "name"),
    [("Edit", "Edit"), ("mcp__hub__create_issue", "create_issue"), ("", "call"), ("a__", "a__")],
)
def test_tool_name(tool: str, name: str) -> None:
    assert tool_name(case(1, tool, {})) == name


@pytest.mark.parametrize(
    ("path", "directory", "told"),
    [
        ("/w/a/b.py", "/w", "a/b.py"),
        ("/w", "/w", "."),
        ("/wide/b.py", "/w", "/wide/b.py"),
        ("/w/../etc/passwd", "/w", "/w/../etc/passwd"),
        ("C:\\w\\a\\b.py", "C:\\w", "a\\b.py"),
        ("/w/a", None, "/w/a"),
        ("/w/" + "a/" * 5_000, "/w", "/w/" + "a/" * 5_000),
    ],
)
def test_inside(path: str, directory: str | None, told: str) -> None:
    assert inside(path, directory) == told


@pytest.mark.parametrize(
    ("path", "cells", "told"),
    [
        ("app/stock.py", 12, "app/stock.py"),
        ("app/stock.py", 11, "…/stock.py"),
        ("a/b/c/stock.py", 12, "…/c/stock.py"),
        ("a/b/c/stock.py", 6, "stock…"),
        ("stock.py", 4, "sto…"),
        ("库存/库存.py", 9, "…/库存.py"),
        ("库存/库存.py", 8, "库存.py"),
        ("a\\b\\stock.py", 10, "…\\stock.py"),
        ("/w/" + "a/" * 5_000 + "end.py", 12, "…/a/a/end.py"),
        ("stock.py", 0, ""),
    ],
)
def test_tail(path: str, cells: int, told: str) -> None:
    assert tail(path, cells) == told


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (NOW, "12:02"),
        (NOW - DAY, "28 Nov 12:02"),
        (NOW - 400 * DAY, "2025-10-25 12:02"),
        (None, "no time"),
    ],
)
def test_when(at: int | None, told: str) -> None:
    assert when(at, NOW) == told


def test_the_second_line_of_a_case() -> None:
    noted = edit(1, minutes=26 * 60, verdict="verified", note="looked\nat it")
    assert summary(noted, NOW, several=False).about == "28 Nov 10:02 — looked at it"
    told = summary(noted, NOW, several=True).about
    assert told == "28 Nov 10:02 — looked at it · 修复库存超卖并补测试"
    assert summary(edit(1, title=""), NOW, several=True).about == "11:52 · untitled"


def test_settled() -> None:
    assert settled([]) == ""
    assert settled(samples()) == ""
    decided = [case for case in samples() if not case.is_open]
    told = (
        "All settled: 1 applied, 1 not applied, 1 partly applied, 1 dismissed, 1 ended after all."
    )
    assert settled(decided) == told
    assert settled([decided[0]] * 2) == "All settled: 2 applied."
    assert settled([*decided, edit(20, is_older=True)]) == ""


def test_agent_note() -> None:
    told = agent_note([case for case in samples() if case.action.number in range(6, 12)], NOW)
    assert told.split("\n") == [
        "Edit of app/gone.py at 11:46 has not been checked; verify before repeating it",
        "Edit of app/stock.py at 2026-11-28 10:02 was checked by the user: applied — looked at it",
        "Bash “make migrate” at 2026-11-28 09:02 was checked by the user: not applied",
        "Edit of app/stock.py at 2026-11-28 08:02 was checked by the user: partly applied",
        "Bash “rm -rf build” at 2026-11-28 07:02 was dismissed by the user without a check",
        "Edit of app/stock.py at 2026-11-28 06:02 completed after all: its result arrived",
    ]


def test_an_agent_note_without_path_time_or_words() -> None:
    bare = case(1, "Sleep", None, at=None, verdict="verified")
    assert agent_note([bare], NOW) == "Sleep was checked by the user: applied"
    assert agent_note([], NOW) == ""


def test_an_agent_note_holds_a_line_a_case_whatever_is_in_it(hostile: str) -> None:
    cases = [
        case(1, hostile, {"file_path": f"{HOME}/{hostile}"}, verdict="partial", note=hostile),
        bash(2, hostile * 100, verdict="dismissed"),
    ]
    told = agent_note(cases, NOW).split("\n")
    assert len(told) == 2
    assert all(line.isprintable() for line in told)


def test_the_call_of_an_edit_is_a_diff() -> None:
    told = texts(call_passages(edit(1)))
    assert "removed -    stock = db.get(sku)" in told
    assert "added   +    return done.rowcount == 1  # 不会超卖" in told


def test_a_command_is_shown_whole_with_its_directory() -> None:
    told = texts(call_passages(bash(1, "make\nmake test")))
    assert "never re-run from here" in told
    assert "plain   make\nmake test" in told
    assert told.endswith(f"label   directory\nplain   {HOME}")


def test_other_arguments_are_laid_out() -> None:
    told = texts(call_passages(case(1, "Call", {"list": [1, {"a": "中"}], "none": None})))
    assert '"a": "中"' in told
    assert "label   none\nplain   null" in told
    assert "plain   as it is" in texts(call_passages(case(1, "Call", "as it is")))


def test_giants_are_not_taken_apart() -> None:
    giant = case(1, "Write", {"file_path": "/a", "content": "x\n" * 15_000_000})
    passages = list(call_passages(giant))
    assert [passage.look for passage in passages] == ["heading", "hunk", "added"]
    assert passages[1].text == "whole file · 30 MB"
    assert giant.edit is not None
    assert passages[2].text is giant.edit.changes[0].new

    sides = {"file_path": "/a", "old_string": "x\n" * 100_000, "new_string": "y\n" * 100_000}
    looks = [passage.look for passage in call_passages(case(1, "Edit", sides))]
    assert looks == ["heading", "hunk", "removed", "hunk", "added"]


def test_giants_of_many_parts_are_bounded() -> None:
    one = {"old_string": "a", "new_string": "b"}
    many = case(1, "MultiEdit", {"file_path": "/a", "edits": [one] * 10_000})
    passages = list(call_passages(many))
    assert len(passages) < 5 * CHANGES
    assert passages[-1].text == "and 9,900 more changes; the event shows them all"
    wide = case(1, "Call", {"list": list(range(1_000_000))})
    assert sum(len(passage.text) for passage in call_passages(wide)) < 250_000
    broad = case(1, "Call", {str(number): "x" for number in range(10_000)})
    assert texts(call_passages(broad)).count("label") == 51
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    nested = list(call_passages(case(1, "Call", {"deep": deep})))
    assert sum(len(passage.text) for passage in nested) < 250_000


def test_the_file_as_it_is_now() -> None:
    told = texts(file_passages(edit(1), NOW)).split("\n")
    assert told[:3] == [
        "heading The file now · 4.2 kB",
        "muted   modified 11:52:14, 3.0 s after the call",
        "hunk    lines 41–43: the old text",
    ]
    assert told[5:8] == [
        "plain   40   ",
        "removed 41 ▌ def reserve(db, sku, n):",
        "removed 42 ▌     stock = db.get(sku)",
    ]


@pytest.mark.parametrize(
    ("excerpt", "told"),
    [
        (Excerpt(9, ("a", "b"), (10, 10), "new"), "hunk    line 10: the new text"),
        (Excerpt(9, ("a", "b"), (0, 0), ""), "hunk    lines 9–10"),
        (Excerpt(1, ("a",), (0, 0), "old"), "hunk    line 1"),
    ],
)
def test_excerpts_say_what_they_hold(excerpt: Excerpt, told: str) -> None:
    assert told in texts(file_passages(edit(1, excerpts=(excerpt,)), NOW))


def test_the_numbers_of_an_excerpt_stand_in_a_column() -> None:
    excerpt = Excerpt(9, ("a", "long " * 8), (10, 10), "new")
    page = list(file_passages(edit(1, excerpts=(excerpt,)), NOW))[-2:]
    assert [line.text for line in lines(page, 25)] == [
        " 9   a",
        "10 ▌ long long long long",
        "     long long long long ",
    ]


def test_a_file_that_is_not_there_is_told_by_its_reason() -> None:
    gone = evidence("unknown", "There is no such file.", size=None, modified_at=None)
    told = texts(file_passages(edit(1, evidence=gone, excerpts=()), NOW))
    assert told == "heading The file now\nmuted   There is no such file."
    assert "No file was looked at." in texts(file_passages(edit(1, evidence=None), NOW))


def test_a_file_is_dated_before_the_call_or_alone() -> None:
    early = evidence("not-applied", "", modified_at=NOW - 70 * MINUTE)
    told = texts(file_passages(edit(1, evidence=early), NOW))
    assert "modified 10:52:11, 1.0 h before the call" in told
    alone = texts(file_passages(edit(1, evidence=early, at=None), NOW))
    assert "modified 10:52:11\n" in alone


@pytest.mark.parametrize(
    ("number", "verdict", "told"),
    [
        (
            1,
            "verified",
            "The file suggests not applied. v again: applied anyway",
        ),
        (2, "not-applied", "The file suggests applied. v again: not applied any"),
        (2, "partial", "The file suggests applied. v again: partial anyway"),
        (1, "not-applied", ""),
        (2, "verified", ""),
        (4, "verified", ""),
        (3, "verified", ""),
        (1, "dismissed", ""),
    ],
)
def test_doubt(number: int, verdict: Any, told: str) -> None:
    asked = Question(verdict, (samples()[number - 1],), "v").doubt
    assert asked.startswith(told)
    assert bool(asked) == bool(told)
    assert not asked or asked.endswith(" · escape: cancel")


def test_doubt_about_several() -> None:
    told = Question("verified", tuple(samples()[:3]), "v").doubt
    assert told == "The file disagrees for 1 of 3. v again: applied anyway · escape: cancel"


def test_a_question_is_the_same_while_cases_and_doubt_are() -> None:
    one, other = edit(1), edit(2)
    question = Question("verified", (one,), "v")
    assert question.is_same(Question("verified", (edit(1, title="Other"),), "v"))
    assert not question.is_same(Question("partial", (one,), "v"))
    assert not question.is_same(Question("verified", (other,), "v"))
    assert not question.is_same(Question("verified", (edit(1, evidence=None),), "v"))
    elsewhere = dataclasses.replace(one, path=Path("/store/t.jsonl"))
    assert not question.is_same(Question("verified", (elsewhere,), "v"))


def test_what_is_judged() -> None:
    assert judged(samples()[:1]) == "Edit app/stock.py"
    assert judged(samples()[2:3]) == "Bash alembic upgrade head"
    assert judged(samples()[4:5]) == "Edit reservation_repository.…"
    assert judged(samples()[:3]) == "3 cases"


def test_how_a_note_is_asked_for() -> None:
    said = "optional note — enter: save as applied · escape: cancel"
    assert note_wanted("verified", 80) == said
    assert note_wanted("partial", 45) == "note — enter: save as partial · escape: cancel"
