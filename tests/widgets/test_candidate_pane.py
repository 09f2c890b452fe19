"""The pane of memory candidates: what it shows, what its keys ask for, where the cursor goes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.message import Message

from sessions_tui.storage.candidate import Sourced
from sessions_tui.widgets.candidate_keys import CANDIDATE_ROWS, CANDIDATES
from sessions_tui.widgets.candidate_list import CandidateList
from sessions_tui.widgets.candidate_pane import CandidatePane
from sessions_tui.widgets.candidate_view import CandidateView
from sessions_tui.widgets.page_text import PageText

from .candidates import NOW, SAID, beside, candidate, samples

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

EMPTY = "Nothing is to be remembered yet."


class Host(App[None]):
    """The pane, and what it asked for."""

    def __init__(self, items: Sequence[Sourced], *, several: bool = True) -> None:
        super().__init__()
        self.pane = CandidatePane()
        self.items = list(items)
        self.several = several
        self.asked: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.show()
        self.pane.focus()

    def show(self, subject: Hashable = "one") -> None:
        """Show the candidates as they are now."""
        self.pane.show_candidates(subject, self.items, NOW, several=self.several, empty=EMPTY)

    @on(CandidatePane.Settled)
    @on(CandidatePane.EditWanted)
    @on(CandidatePane.UndoWanted)
    @on(CandidatePane.ExportWanted)
    @on(CandidatePane.SourceWanted)
    @on(CandidatePane.Copied)
    def note(self, message: Any) -> None:
        assert message.control is self.pane
        self.asked.append(message)

    @property
    def rows(self) -> CandidateList:
        """The list in the pane."""
        return self.query_one(CandidateList)

    @property
    def text(self) -> PageText:
        """The text of the candidate."""
        return self.query_one(PageText)

    @property
    def keys_are_with(self) -> str:
        """What kind of widget has the keys."""
        return type(self.focused).__name__

    @property
    def here(self) -> int:
        """The number of the candidate under the cursor."""
        assert self.pane.current is not None
        return self.pane.current.candidate.sequence

    @property
    def told(self) -> list[tuple[Any, ...]]:
        """What was asked for: the message's name, the numbers, the status."""
        return [(type(one).__name__, *_of(one)) for one in self.asked]


def _of(message: Any) -> list[Any]:
    items = getattr(message, "items", None) or [getattr(message, "item", None)]
    numbers = [item.candidate.sequence for item in items if item]
    return [*numbers, *filter(None, [getattr(message, "status", ""), getattr(message, "what", "")])]


def settled(items: Sequence[Sourced], numbers: set[int], status: Any) -> list[Sourced]:
    """The candidates after a decision on some of them."""

    def decided(item: Sourced) -> Sourced:
        if item.candidate.sequence not in numbers:
            return item
        at = None if status == "proposed" else NOW
        return dataclasses.replace(
            item, candidate=dataclasses.replace(item.candidate, status=status, decided_at=at)
        )

    return [decided(item) for item in items]


# What is shown.


@pytest.mark.parametrize("size", [(140, 14), (140, 36), (60, 20)])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Host(samples())
    async with app.run_test(size=size) as pilot:
        await pilot.press("j", "j", "space")
        await pilot.pause()
        snapshot(f"candidates-{size[0]}x{size[1]}", frame(app))


async def test_narrow_shows_one_at_a_time(frame: Frame, snapshot: Snapshot) -> None:
    app = Host(samples())
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert app.query_one(CandidateView).size.width == 0
        await pilot.press("j", "right")
        await pilot.pause()
        assert app.rows.size.width == 0
        snapshot("candidate-60x20", frame(app))
        assert app.pane.step_back()
        await pilot.pause()
        assert app.keys_are_with == "CandidateList"
        assert app.rows.size.width == 60
        assert not app.pane.step_back()
        await pilot.press("l")
        assert app.keys_are_with == "PageText"
        await pilot.press("h")
        assert app.keys_are_with == "CandidateList"


async def test_wide_the_same_keys_move_between_the_two() -> None:
    app = Host(samples())
    async with app.run_test(size=(120, 20)) as pilot:
        await pilot.press("right")
        assert app.keys_are_with == "PageText"
        await pilot.press("a")
        assert app.told == [("Settled", 45, "approved")]
        await pilot.press("left")
        assert app.keys_are_with == "CandidateList"
        await pilot.press("tab")
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert app.query_one(CandidateView).size.width == 60


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (45, "The transcript is gone: the reference and your words are kept."),
        (44, "The record has changed since; it will not be exported."),
        (52, "The transcript can no longer be trusted; this will not be exported."),
        (31, "In this dialect event ids are positions in the file; the record's hash is checked"),
        (12, SAID),
        (50, "◆ approved  2026-11-29 11:58 · proposed 2026-11-29 11:12"),
        (12, "◇ proposed  2026-11-29 10:34"),
        (12, "message of 2026-11-29 08:54:11, record 12 of inventory-api"),
        (12, "transcript:inventory-api:12 · 修复库存超卖并补测试"),
    ],
)
async def test_what_the_candidate_says(number: int, says: str, frame: Frame) -> None:
    app = Host(samples())
    async with app.run_test(size=(160, 30)) as pilot:
        app.rows.select_candidate(f"c-{number}")
        await pilot.pause()
        assert app.here == number
        assert says in frame(app)
        assert ("what the event says" in frame(app)) == (number != 45)


async def test_one_session_is_not_named_in_every_row(frame: Frame) -> None:
    items = [beside(candidate(n), title="Docs build") for n in (1, 2)]
    app = Host(items, several=False)
    async with app.run_test(size=(140, 14)) as pilot:
        await pilot.pause()
        assert frame(app).count("Docs build") == 1
        app.several = True
        app.show()
        await pilot.pause()
        assert frame(app).count("Docs build") == 3


async def test_nothing_to_show(frame: Frame) -> None:
    app = Host([])
    async with app.run_test(size=(140, 14)) as pilot:
        await pilot.press("a", "x", "enter", "backspace", "o", "y", "space", "right", "X")
        await pilot.pause()
        assert EMPTY in frame(app)
        assert app.told == [("ExportWanted",)]
        assert app.pane.current is None
        assert app.pane.chosen == ()
        app.items = samples()
        app.show()
        await pilot.press("right")
        assert "Docs are built" in frame(app)
        app.items = []
        app.show()
        await pilot.pause()
        assert EMPTY in frame(app)
        assert app.keys_are_with == "CandidateList"


async def test_it_can_be_told_before_it_is_mounted(frame: Frame) -> None:
    app = Host([])
    async with app.run_test(size=(140, 14)) as pilot:
        pane = CandidatePane()
        pane.show_candidates("one", samples(), NOW, several=True, empty=EMPTY)
        app.pane.remove()
        app.mount(pane)
        pane.focus()
        await pilot.pause()
        await pilot.press("j")
        await pilot.pause()
        assert "Docs are built" in frame(app)
        assert pane.current is not None
        assert pane.current.candidate.sequence == 44


# What the keys ask for.


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (["a"], [("Settled", 45, "approved")]),
        (["x"], [("Settled", 45, "rejected")]),
        (["a", "a"], [("Settled", 45, "approved"), ("Settled", 44, "approved")]),
        (["enter"], [("EditWanted", 45)]),
        (["o"], [("SourceWanted", 45)]),
        (["X"], [("ExportWanted",)]),
        (["backspace"], [("UndoWanted", 45)]),
        (["y"], [("Copied", "event id")]),
        (["space", "space", "x"], [("Settled", 45, 44, "rejected")]),
        (["G", "x"], []),  # it is rejected already
        (["G", "space", "g", "space", "x"], [("Settled", 45, "rejected")]),
        (["right", "enter"], [("EditWanted", 45)]),
    ],
)
async def test_keys(keys: list[str], told: list[tuple[Any, ...]]) -> None:
    app = Host(samples())
    async with app.run_test(size=(140, 14)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        assert app.told == told


async def test_the_event_id_is_copied() -> None:
    app = Host([beside(candidate(7, source_id="a\x1b]52;c;aGk=\x07\nb"))])
    async with app.run_test(size=(140, 14)) as pilot:
        await pilot.press("y")
        assert app.clipboard == "a b"


async def test_a_second_click_edits_or_shows_the_one_there_is_room_for() -> None:
    for width, told in ((140, [("EditWanted", 44)]), (60, [])):
        app = Host(samples())
        async with app.run_test(size=(width, 20)) as pilot:
            await pilot.click(CandidateList, offset=(10, 3))
            assert app.here == 44
            await pilot.click(CandidateList, offset=(10, 4))
            await pilot.pause()
            assert app.told == told
            assert (app.rows.size.width == 0) == (width == 60)


def test_every_key_has_an_id_and_says_what_it_does() -> None:
    own = [key for key in CANDIDATES if isinstance(key, Binding)]
    assert len(own) == len(CANDIDATES)
    assert all(key.tooltip and (key.id or "").startswith("candidates.") for key in own)
    keys = [key for key in (*own, *CANDIDATE_ROWS) if isinstance(key, Binding)]
    pressed = [one for key in keys for one in key.key.split(",")]
    assert len(pressed) == len(set(pressed))
    assert len({key.id for key in keys}) == len(keys)


# Where the cursor goes.


async def test_deciding_goes_on_to_the_next_one() -> None:
    app = Host(samples())
    async with app.run_test(size=(140, 20)) as pilot:
        for number in (45, 44, 31):
            assert app.here == number
            await pilot.press("a")
            app.items = settled(app.items, {number}, "approved")
            app.show()
            await pilot.pause()
        assert app.here == 12
        await pilot.press("x")
        app.items = settled(app.items, {12}, "rejected")
        app.show()
        await pilot.pause()
        assert app.here == 12  # none is left to go on to
        assert app.pane.approved == 5


async def test_undo_takes_back_what_was_just_settled() -> None:
    app = Host(samples())
    async with app.run_test(size=(140, 20)) as pilot:
        await pilot.press("space", "space", "a")
        app.items = settled(app.items, {45, 44}, "approved")
        app.show()
        await pilot.pause()
        assert (app.here, app.pane.chosen[0].candidate.sequence) == (31, 31)
        await pilot.press("backspace")
        assert app.told[-1] == ("UndoWanted", 45, 44)
        app.items = settled(app.items, {45, 44}, "proposed")
        app.show()
        await pilot.pause()
        assert app.here == 45


async def test_undo_takes_back_that_of_the_cursor_once_it_has_moved() -> None:
    app = Host(samples())
    async with app.run_test(size=(140, 20)) as pilot:
        await pilot.press("a", "j", "k", "backspace")
        assert app.told[-1] == ("UndoWanted", 44)


async def test_cursor_and_marks_stay_while_it_is_the_same_subject() -> None:
    app = Host(samples())
    async with app.run_test(size=(140, 20)) as pilot:
        await pilot.press("space", "space")
        assert [item.candidate.sequence for item in app.pane.chosen] == [45, 44]
        assert app.here == 31
        app.items = [beside(candidate(70)), *app.items]
        app.show()
        await pilot.pause()
        assert app.here == 31
        assert [item.candidate.sequence for item in app.pane.chosen] == [45, 44]
        app.items = [item for item in app.items if item.candidate.sequence != 45]
        app.show()
        assert [item.candidate.sequence for item in app.pane.chosen] == [44]
        app.show("another")
        await pilot.pause()
        assert app.here == 70
        assert [item.candidate.sequence for item in app.pane.chosen] == [70]


async def test_a_candidate_stays_scrolled_while_nothing_of_it_changes() -> None:
    app = Host([beside(candidate(1), text="line\n" * 200)])
    async with app.run_test(size=(140, 14)) as pilot:
        await pilot.press("right", "pagedown", "pagedown")
        place = app.text.scroll_offset.y
        assert place > 10
        app.show()
        await pilot.pause()
        assert app.text.scroll_offset.y == place


# What is too much, and what is hostile.


async def test_of_ten_thousand_only_the_visible_ones_are_drawn() -> None:
    app = Host([beside(candidate(n)) for n in range(10_000)])
    drawn: list[int] = []
    draw = CandidateList.draw

    def counted(self: CandidateList, index: int, *rest: Any) -> Any:
        drawn.append(index)
        return draw(self, index, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CandidateList, "draw", counted)
        async with app.run_test(size=(140, 21)) as pilot:
            await pilot.pause()
            assert 0 < len(set(drawn)) <= 12
            drawn.clear()
            await pilot.press("G")
            await pilot.pause()
            assert 0 < len(set(drawn)) <= 12
            assert app.here == 0


@pytest.mark.parametrize("size", [(140, 20), (60, 20), (12, 5)])
async def test_hostile_candidates(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    def nasty(item: Sourced) -> Sourced:
        one = dataclasses.replace(
            item.candidate,
            source_id=hostile,
            session_id=hostile,
            event_type=hostile,
            captured_at=10**18,
            created_at=-(10**18),
            summary=hostile * 40,
            selection_reason=hostile,
        )
        return dataclasses.replace(item, candidate=one, title=hostile, text=hostile * 2_000)

    app = Host([nasty(item) for item in samples()])
    async with app.run_test(size=size) as pilot:
        for key in ("j", "space", "right", "G", "left", "G", "y", "a"):
            await pilot.press(key)
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
        assert app.clipboard.isprintable()
        for y in range(app.rows.size.height):
            width = app.rows.scrollable_content_region.width
            assert app.rows.render_line(y).cell_length == width
