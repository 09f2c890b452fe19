"""From place to place: each stays as it was left, and leads back to where one came from."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Call, Prompt, run
from sessions_tui.storage.private.places import Config
from tests.app.sitting import Home, Sit

pytestmark = pytest.mark.anyio


@pytest.fixture
def crashed(home: Home) -> Home:
    """Two sessions that ended within an edit, and one that is done."""
    for name in ("one", "two"):
        args = {"file_path": f"{name}.py", "old_string": "a", "new_string": "b"}
        home.agent(name, 60).does(Prompt(name), Call("Edit", args, f"{name}.py", None))
    home.agent("done", 30, "parser").does(Prompt("reserve"), run("pytest"), Answer("Done."))
    return home


async def test_back_from_a_call_to_its_case(crashed: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.press("f2")
        await mei.until_sees("2 to decide")
        await mei.press("down", "o")
        await mei.until_sees("q To review")
        opened = mei.reading.path
        await mei.press("q")
        await mei.until(lambda: mei.desk.place == "review")
        await mei.press("o")
        await mei.until_sees("q To review")
        assert mei.reading.path == opened
        await mei.press("f1")
        assert mei.sessions.has_focus
        await mei.press("enter", "q", "q")
        await mei.until(lambda: not mei.desk.is_running)


async def test_back_from_the_sessions_of_a_bar_to_the_usage(crashed: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.press("f5")
        await mei.until_sees("in the last 30 days")
        await mei.press("tab", "enter")
        await mei.until_sees("q To usage")
        await mei.press("enter")
        await mei.until(lambda: mei.timeline.has_focus)
        assert not mei.sees("q To usage")
        await mei.press("escape", "escape")
        await mei.until(lambda: mei.desk.place == "usage")
        await mei.press("q")
        await mei.until(lambda: mei.desk.place == "browse")
        assert len([entry for entry in mei.entries() if entry.startswith("  ")]) == 3


async def test_another_filter_is_no_way_back(crashed: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.press("f5")
        await mei.until_sees("in the last 30 days")
        await mei.press("tab", "enter")
        await mei.until_sees("q To usage")
        await mei.press("slash", "escape")
        assert mei.sessions.has_focus
        assert mei.desk.place == "browse"


async def test_a_key_of_ones_own_leads_back_too(crashed: Home, sit: Sit) -> None:
    async with sit(config=Config(keymap={"browse.back": "b"})) as mei:
        await mei.press("f4", *"reserve")
        await mei.until_sees("1 hit")
        await mei.press("enter", "enter")
        await mei.until_sees("b To search")
        await mei.press("b")
        await mei.until(lambda: mei.desk.place == "search")


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_f1_leads_to_the_list(crashed: Home, sit: Sit, size: tuple[int, int]) -> None:
    async with sit(size) as mei:
        await mei.opens("done")
        for keys in ((), ("enter",), ("f2",), ("enter", "f5")):
            await mei.press(*keys, "f1")
            assert mei.sessions.has_focus
            assert mei.desk.place == "browse"
            await mei.press("enter")


async def test_the_footer_names_the_places_and_the_keys_of_a_box(crashed: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.until_sees("F2 Review", "F4 Search", "F5 Usage")
        await mei.press("slash")
        await mei.until_sees("⏎ To the list", "esc Show all")
        await mei.press("f4")
        await mei.until_sees("esc Back", "F5 Usage")
    async with sit((60, 24)) as mei:
        await mei.until_sees("? Help")
