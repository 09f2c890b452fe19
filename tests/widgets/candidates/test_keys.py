"""What the keys of the candidates' pane ask for, and where they leave the cursor."""

from __future__ import annotations

from typing import Any

import pytest
from textual.binding import Binding

from sessions_tui.widgets.candidates.keys import CANDIDATE_ROWS, CANDIDATES
from sessions_tui.widgets.candidates.list import CandidateList
from tests.widgets.candidate_host import Host, settled
from tests.widgets.candidate_samples import beside, candidate, samples

pytestmark = pytest.mark.anyio


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
