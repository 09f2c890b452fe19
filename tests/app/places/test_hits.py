"""From a hit of the search to its event, from match to match there, and the way back."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt, run
from sessions_tui.widgets.search.hit_list import HitList
from tests.app.searcher import found, marked, screen_of, search
from tests.app.searcher import talks as talks
from tests.app.sitting import Home, Sit

pytestmark = pytest.mark.anyio


async def test_from_a_hit_to_its_event_and_back(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, '"what does" reserve', "stock")
        await search(mei, "reserve", "stock", "stock", "stock", "old")
        await mei.press("enter", "down", "down", "enter")
        await mei.until_at("stock.py 里的 reserve() 会超卖，帮我修好")
        await mei.until(lambda: marked(mei) == ["reserve"])
        await mei.until_sees("1 of 3 · reserve")
        assert not mei.desk._notifications
        await mei.press("n")
        await mei.until_at("修好了：reserve() 现在用一条带条件的 UPDATE")
        await mei.until_sees("2 of 3 · reserve")
        await mei.until(lambda: marked(mei) == ["reserve"])
        await mei.press("N")
        await mei.until_at("stock.py 里的 reserve() 会超卖，帮我修好")
        await mei.press("N")
        await mei.until_sees("3 of 3 · reserve · wrapped to bottom")
        await mei.press("n")
        await mei.until_sees("1 of 3 · reserve · wrapped to top")
        await mei.press("j")
        await mei.until_sees("3 found · reserve")
        await mei.press("f4")
        await mei.until(lambda: found(mei) == ["stock", "stock", "stock", "old"])
        assert screen_of(mei).query_one(HitList).cursor == 2
        await mei.press("end", *" table")
        await mei.until(lambda: found(mei) == ["old"])
        await mei.press("down", "enter")
        await mei.until_at("Reserve a table")
        await mei.until(lambda: marked(mei) == ["Reserve", "table"])


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
@pytest.mark.parametrize("key", ["q", "escape"])
async def test_back_from_a_hit_to_the_hits(
    talks: Home, sit: Sit, size: tuple[int, int], key: str
) -> None:
    async with sit(size) as mei:
        await search(mei, "reserve", "stock", "stock", "stock", "old")
        await mei.press("enter", "down", "enter")
        await mei.until_at("修好了：reserve() 现在用一条带条件的 UPDATE")
        await mei.until_sees("q To search")
        await mei.press("n")
        await mei.until_at("And what does reserve() return?")
        await mei.press(key)
        await mei.until(lambda: mei.desk.place == "search")
        assert found(mei) == ["stock", "stock", "stock", "old"]
        assert screen_of(mei).query_one(HitList).cursor == 1
        assert isinstance(mei.desk.focused, HitList)
        await mei.press("enter")
        await mei.until_at("修好了：reserve() 现在用一条带条件的 UPDATE")
        await mei.press("f1")
        assert mei.sessions.has_focus
        await mei.press("enter")
        await mei.until(lambda: mei.timeline.has_focus)
        assert not mei.sees("To search")
        await mei.press(key)
        assert mei.sessions.has_focus
        assert mei.desk.place == "browse"


async def test_the_timeline_around_a_hit_is_one_of_the_places_back(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, "超卖", "stock")
        await mei.press("enter", "enter", "enter")
        await mei.until(lambda: mei.desk.place == "browse" and not mei.timeline.has_focus)
        await mei.press("q")
        assert mei.timeline.has_focus
        await mei.press("slash", "escape")
        assert mei.timeline.has_focus
        await mei.press("space", "escape")
        assert not mei.timeline.marks
        await mei.press("escape")
        await mei.until(lambda: mei.desk.place == "search")


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
@pytest.mark.parametrize("kind", ["answer", "output"])
async def test_a_match_far_down_a_text_is_in_view(
    home: Home, sit: Sit, size: tuple[int, int], kind: str
) -> None:
    long = (
        "\n".join(f"line {number}" for number in range(900)) + "\nthe needle is here\n" + "x\n" * 90
    )
    said = Answer(long) if kind == "answer" else run("cat", long)
    home.agent("s").does(Prompt("ask"), said, Answer("done"))
    async with sit(size) as mei:
        await search(mei, f"needle kind:{kind}", "s")
        await mei.press("enter", "enter")
        await mei.until_sees("the needle is here", "1 of 1 · needle")
        assert marked(mei) == ["needle"]
        assert mei.timeline.display == (size[0] > 120)


async def test_n_goes_on_where_only_the_event_is_shown(talks: Home, sit: Sit) -> None:
    async with sit((80, 24)) as mei:
        await search(mei, "reserve", "stock", "stock", "stock", "old")
        await mei.press("enter", "enter")
        await mei.until_at("And what does reserve() return?")
        await mei.until_sees("3 of 3 · reserve", "n Next match")
        assert not mei.timeline.display
        await mei.press("n")
        await mei.until_at("stock.py 里的 reserve() 会超卖，帮我修好")
        await mei.until_sees("1 of 3 · reserve · wrapped to top")
        await mei.until(lambda: marked(mei) == ["reserve"])


async def test_words_found_in_the_session_are_marked_too(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, "超卖", "stock")
        await mei.press("enter", "enter")
        await mei.until(lambda: marked(mei) == ["超卖"])
        await mei.press("slash", *"stock", "enter")
        await mei.until(lambda: marked(mei) == ["stock"])
        await mei.press("f1")
        await mei.opens("lexer")
        await mei.until(lambda: mei.here() == "Renamed, all 12.")
        assert marked(mei) == []
