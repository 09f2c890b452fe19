"""The review: what its keys ask for, what it asks back, and where it leads."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.widgets import Input

from sessions_tui.storage.model.case import Case
from sessions_tui.storage.model.evidence import Excerpt
from sessions_tui.widgets.base.page_text import PageText
from sessions_tui.widgets.review.case_list import CaseList
from sessions_tui.widgets.review.pane import ReviewPane
from tests.widgets.review_cases import bash, edit, evidence, samples
from tests.widgets.review_host import Host

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

WIDE = (140, 36)
SIZE = (100, 16)
"""Enough for list and case side by side, and quick."""


def number(case: Case | None) -> int | None:
    return case.action.number if case else None


def numbers(message: Any) -> list[int | None]:
    return [number(case) for case in message.cases]


# Keys.


@pytest.mark.parametrize(
    ("key", "verdict"), [("x", "not-applied"), ("p", "partial"), ("z", "dismissed")]
)
async def test_a_verdict_takes_a_note(key: str, verdict: str) -> None:
    app = Host([bash(1), edit(2)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(key, *"vq c", "enter")
        await pilot.pause()
        [judged] = app.heard
        assert isinstance(judged, ReviewPane.Judged)
        assert (judged.verdict, judged.note, numbers(judged)) == (verdict, "vq c", [1])
        assert app.focused is app.list
        assert number(app.pane.current) == 2


async def test_a_note_may_be_empty_and_may_be_mended() -> None:
    app = Host([bash(1), bash(2)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v", "enter", "v", "a", "backspace", "b", "space", "enter")
        await pilot.pause()
        assert [judged.note for judged in app.heard] == ["", "b"]


async def test_escape_leaves_a_case_undecided(frame: Frame) -> None:
    app = Host([bash(1)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v", "a")
        await pilot.pause()
        assert "✓ applied  Bash alembic upgrade head" in frame(app)
        await pilot.press("escape", "j")
        await pilot.pause()
        assert not app.heard
        assert app.focused is app.list
        assert "✓ applied" not in frame(app)
        assert not app.pane.step_back()


async def test_a_verdict_against_the_file_is_asked_once(frame: Frame) -> None:
    app = Host([edit(1)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v")
        await pilot.pause()
        assert "The file suggests not applied. v again: applied" in frame(app)
        assert app.focused is app.list
        await pilot.press("v", "enter")
        await pilot.pause()
        assert app.heard[0].verdict == "verified"


@pytest.mark.parametrize("key", ["j", "c", "5", "x", "backspace", "enter"])
async def test_a_question_waits_for_the_same_key_or_escape(key: str, frame: Frame) -> None:
    app = Host([edit(1), edit(2)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v", key)
        await pilot.pause()
        assert "v again: " in frame(app)
        assert not app.query_one(Input).display
        await pilot.press("escape")
        await pilot.pause()
        assert "v again: " not in frame(app)
        # Asked anew, it is a question again.
        await pilot.press("v")
        await pilot.pause()
        assert "v again: " in frame(app)
        assert app.heard == []


async def test_another_verdict_is_asked_for_itself(frame: Frame) -> None:
    app = Host([edit(1)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v", "escape", "p")
        await pilot.pause()
        assert "p again: partial" in frame(app)
        await pilot.press("escape", "x", "enter")
        await pilot.pause()
        assert [judged.verdict for judged in app.heard] == ["not-applied"]


async def test_a_question_ends_when_the_file_changes(frame: Frame) -> None:
    app = Host([edit(1)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v")
        app.show()
        await pilot.pause()
        assert "v again: " in frame(app)
        app.cases = [edit(1, evidence=evidence("applied", "The new text is there."))]
        app.show()
        await pilot.pause()
        assert "v again: " not in frame(app)


async def test_the_question_names_the_key_that_the_person_has_chosen(frame: Frame) -> None:
    app = Host([edit(1)])
    app.set_keymap({"review.verified": "y"})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("y")
        await pilot.pause()
        assert "y again: " in frame(app)
        await pilot.press("y", "enter")
        await pilot.pause()
        assert numbers(app.heard[0]) == [1]


async def test_marked_cases_are_judged_together(frame: Frame) -> None:
    app = Host(samples())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("j", "j", "space", "space", "space", "z")
        await pilot.pause()
        assert "· dismissed  3 cases" in frame(app)
        await pilot.press("enter")
        await pilot.pause()
        assert numbers(app.heard[0]) == [3, 4, 5]
        assert not app.list.marks
        assert number(app.pane.current) == 6


async def test_the_cursor_goes_to_the_next_open_case() -> None:
    app = Host(samples()[3:])
    async with app.run_test(size=SIZE) as pilot:
        seen = []
        for _ in range(5):
            seen.append(number(app.pane.current))
            await pilot.press("z", "enter")
            await pilot.pause()
        # The older ones come when there is nothing else.
        assert seen == [4, 5, 6, 12, 13]
        assert numbers(app.heard[-1]) == [13]
        assert number(app.pane.current) == 13


async def test_the_cursor_turns_back_to_what_is_left_above() -> None:
    app = Host(samples())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("j", "j", "j", "j", "j", "z", "enter")
        await pilot.pause()
        assert number(app.pane.current) == 5


async def test_the_cursor_stays_where_nothing_could_be_kept() -> None:
    app = Host(samples())
    app.refuses = True
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("j", "z", "enter")
        app.show()
        await pilot.pause()
        assert number(app.pane.current) == 2


async def test_a_verdict_can_be_changed() -> None:
    app = Host(samples())
    async with app.run_test(size=SIZE) as pilot:
        app.list.select_case((Path("/store/s.jsonl"), (7_000, "")))
        await pilot.press("z", "enter")
        await pilot.pause()
        assert numbers(app.heard[0]) == [7]
        assert number(app.pane.current) == 7
        assert app.pane.current is not None
        assert app.pane.current.action.verdict == "dismissed"


async def test_what_ended_by_itself_needs_no_verdict(frame: Frame) -> None:
    app = Host([edit(1, ended="failed"), bash(2)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("j", "v")
        await pilot.pause()
        assert "so this case is closed" in frame(app)
        await pilot.press("k", "space", "space", "z", "enter")
        await pilot.pause()
        assert numbers(app.heard[0]) == [2]


async def test_undo_asks_for_what_was_decided(frame: Frame) -> None:
    app = Host([bash(1), bash(2, verdict="verified")])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("backspace")
        await pilot.pause()
        assert "Nothing was decided here." in frame(app)
        await pilot.press("j", "backspace")
        await pilot.pause()
        [wanted] = app.heard
        assert isinstance(wanted, ReviewPane.UndoWanted)
        assert numbers(wanted) == [2]
        assert "Nothing was decided here." not in frame(app)


async def test_a_note_for_the_agent_is_of_the_chosen_cases() -> None:
    app = Host(samples())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c", "space", "space", "c")
        await pilot.pause()
        assert [type(message) for message in app.heard] == [ReviewPane.CopyWanted] * 2
        assert [numbers(message) for message in app.heard] == [[1], [1, 2]]


async def test_a_note_for_the_agent_is_of_what_was_just_decided() -> None:
    """Though the cursor goes on to the next case."""
    app = Host([bash(1), bash(2), bash(3)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v", "enter")
        await pilot.pause()
        assert number(app.pane.current) == 2
        await pilot.press("c", "j", "c")
        await pilot.pause()
        wanted = [one for one in app.heard if isinstance(one, ReviewPane.CopyWanted)]
        assert [numbers(message) for message in wanted] == [[1], [3]]


async def test_a_note_for_the_agent_is_of_its_session_when_all_is_settled(frame: Frame) -> None:
    other = Path("/store/other.jsonl")
    cases = [bash(1, verdict="verified"), bash(2, verdict="partial", path=other), edit(3)]
    app = Host([*cases[:2], dataclasses.replace(cases[2], ended="failed")], several=True)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        told = "All settled: 1 applied, 1 partly applied, 1 ended after all."
        assert f"{told} c copies a note for the agent." in frame(app)
        await pilot.press("c", "j", "c")
        await pilot.pause()
        assert [numbers(message) for message in app.heard] == [[1, 3], [2]]


async def test_file_and_event_can_be_asked_for() -> None:
    app = Host([edit(1), bash(2)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("e", "o", "j", "e", "o")
        await pilot.pause()
        told = [(type(message), number(message.case)) for message in app.heard]
        assert told == [
            (ReviewPane.FileWanted, 1),
            (ReviewPane.SourceWanted, 1),
            (ReviewPane.SourceWanted, 2),
        ]


# Places.


async def test_one_at_a_time_where_it_is_narrow(frame: Frame) -> None:
    app = Host(samples())
    async with app.run_test(size=(60, 20)) as pilot:
        text = app.query_one("#case-call", PageText)
        assert not app.pane.step_back()
        await pilot.press("enter")
        await pilot.pause()
        assert "TO DECIDE" not in frame(app)
        assert text.has_focus
        await pilot.press("x")
        await pilot.pause()
        assert app.pane.step_back()
        await pilot.pause()
        assert text.has_focus
        assert app.pane.step_back()
        await pilot.pause()
        assert "TO DECIDE" in frame(app)
        assert app.list.has_focus
        assert not app.pane.step_back()
        await pilot.press("enter", "x", "enter")
        await pilot.pause()
        assert "TO DECIDE" in frame(app)
        assert number(app.pane.current) == 2


async def test_enter_goes_to_the_case_and_tab_to_the_file() -> None:
    app = Host(samples())
    async with app.run_test(size=WIDE) as pilot:
        visited = []
        for key in ("enter", "tab", "tab"):
            await pilot.press(key)
            await pilot.pause()
            visited.append(app.focused.id if app.focused else None)
        assert visited == ["case-call", "case-file", "cases"]
        assert not app.pane.step_back()
        await pilot.press("enter")
        assert app.pane.step_back()
        assert app.focused is app.list


async def test_the_same_subject_keeps_cursor_marks_and_place() -> None:
    long = tuple(f"line {number}" for number in range(200))
    app = Host([bash(1), edit(2, excerpts=(Excerpt(1, long, (3, 3), "old"),)), edit(3)])
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("j", "enter", "tab", "pagedown")
        file = app.query_one("#case-file", PageText)
        before = file.scroll_y
        app.cases = [edit(9), *reversed(app.cases)]
        app.show()
        await pilot.pause()
        assert number(app.pane.current) == 2
        assert file.scroll_y == before > 0
        assert app.pane.step_back()
        await pilot.press("space")
        app.show()
        await pilot.pause()
        assert [number(case) for case in app.pane.chosen] == [2]
        app.show("another")
        await pilot.pause()
        assert [number(case) for case in app.pane.chosen] == [9]


async def test_another_subject_drops_what_was_asked(frame: Frame) -> None:
    app = Host([bash(1)])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v", "a")
        app.show("another")
        await pilot.pause()
        assert app.focused is app.list
        await pilot.press("enter")
        await pilot.pause()
        assert not app.heard


async def test_a_note_is_of_the_cases_as_they_were_shown() -> None:
    app = Host([edit(1), edit(2)])
    async with app.run_test(size=SIZE) as pilot:
        shown = app.pane.current
        await pilot.press("x")
        app.cases = [edit(3), edit(1, evidence=evidence("applied", "")), edit(2)]
        app.show()
        await pilot.press("enter")
        await pilot.pause()
        assert app.heard[0].cases == (shown,)


async def test_a_click_chooses_and_a_second_one_opens() -> None:
    app = Host(samples())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click(CaseList, offset=(5, 3))
        assert number(app.pane.current) == 2
        await pilot.click(CaseList, offset=(5, 3))
        await pilot.pause()
        assert isinstance(app.focused, PageText)
