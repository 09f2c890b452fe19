"""Help: what it tells of each place, how it scrolls and closes."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from sessions_tui.app.places.help import HelpScreen, HelpText, help_of
from tests.app.sitting import Home, Person, Sit

pytestmark = pytest.mark.anyio


@pytest.fixture
def filled(home: Home) -> Home:
    """One session, with a title that looks like markup."""
    home.agent("s", 30).does(Prompt("Fix the [b]docs[/b]"), Answer("Fixed."))
    return home


async def opens_help(mei: Person) -> HelpText:
    await mei.press("question_mark")
    await mei.until(lambda: isinstance(mei.desk.screen, HelpScreen))
    return mei.desk.screen.query_one(HelpText)


@pytest.mark.parametrize(
    ("steps", "heading", "special"),
    [
        (0, "## Sessions", "Group by day, or by workspace"),
        (1, "## Timeline", "Follow new events"),
        (2, "## Event", "Copy the event id"),
    ],
)
async def test_each_place_has_its_help(
    filled: Home, sit: Sit, steps: int, heading: str, special: str
) -> None:
    async with sit() as mei:
        await mei.until(lambda: mei.item("s") is not None)
        await mei.press(*["enter"] * steps)
        told = help_of(mei.desk.screen)
        assert told.texts[0].startswith(heading)
        assert special in [line.does for line in told.special]
        assert told.motions[0].keys == "j ↓"
        assert not set(told.special) & set(told.motions)
        await opens_help(mei)
        await mei.until_sees(heading.removeprefix("## "), "Keys")


@pytest.mark.parametrize("key", ["question_mark", "escape", "q"])
async def test_it_closes_and_one_is_where_one_was(filled: Home, sit: Sit, key: str) -> None:
    async with sit() as mei:
        await mei.opens("s")
        await opens_help(mei)
        await mei.press(key)
        await mei.until(lambda: mei.desk.screen is mei.desk.browse)
        assert mei.desk.browse.focused is mei.timeline


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_it_scrolls_by_the_usual_keys(filled: Home, sit: Sit, size: tuple[int, int]) -> None:
    async with sit(size) as mei:
        await mei.opens("s")
        text = await opens_help(mei)
        await mei.until(lambda: text.max_scroll_y > 5)
        for key, place in (("j", 1), ("down", 2), ("k", 1), ("up", 0), ("G", text.max_scroll_y)):
            await mei.press(key)
            assert text.scroll_offset.y == place
        await mei.until_sees("Go to the last row")
        await mei.press("g", "pagedown")
        assert text.scroll_offset.y > 1
        await mei.press("pageup")
        assert text.scroll_offset.y == 0


async def test_a_terminal_of_any_size_will_do(filled: Home, sit: Sit) -> None:
    async with sit((20, 5)) as mei:
        await mei.until(lambda: mei.item("s") is not None)
        await opens_help(mei)
        for size in ((1, 1), (300, 100)):
            await mei.pilot.resize_terminal(*size)
            await mei.press("j", "G", "g")


async def test_the_keys_at_the_foot_are_its_own(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.until_sees("? Help")
        await opens_help(mei)
        await mei.until(lambda: mei.lines()[-1].strip() == "? Close")
        await mei.press("q")
        await mei.until_sees("? Help")
