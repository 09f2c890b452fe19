"""Sessions that go on in further files on the screen: one entry, one timeline, one place to be."""

from __future__ import annotations

import pytest

from ..storage.parts import Part
from .searcher import search
from .sitting import NOW, Home, Person, Sit

pytestmark = pytest.mark.anyio

HOUR = 3_600_000


def part(home: Home, number: int, turns: int = 20) -> Part:
    """The part of that number, with prompts and answers that tell it."""
    names = ["s" if one < 2 else f"s_{one}" for one in (number - 1, number)]
    at = NOW - HOUR + number * 120_000
    found = Part(home.path("s").parent, names[1], names[0] if number > 1 else None, at)
    for turn in range(turns):
        found.asks(f"ask {number}.{turn}").answers(f"answer {number}.{turn}")
    return found


@pytest.fixture
def three(home: Home) -> list[Part]:
    """A session of three parts."""
    return [part(home, number) for number in (1, 2, 3)]


async def to_top(mei: Person) -> None:
    """Scroll up a page at a time until nothing earlier comes."""

    def is_at_top() -> bool:
        return mei.timeline.timeline_source.complete and mei.timeline.cursor == 0

    while not is_at_top():
        await mei.press("pageup")
        await mei.until(lambda: is_at_top() or mei.timeline.cursor > 0)


def is_at_edit(mei: Person) -> bool:
    """Whether the cursor stands on an edit."""
    return mei.timeline.current is not None and mei.timeline.current.tool == "Edit"


async def test_older_parts_come_as_one_scrolls_up(home: Home, sit: Sit) -> None:
    three = [part(home, number, turns=80) for number in (1, 2, 3)]
    async with sit() as mei:
        await mei.opens("s_3")
        assert [entry for entry in mei.entries() if entry.startswith("  ")] == ["  s_3"]
        assert mei.here() == "answer 3.79"
        await mei.until_sees("480 events", "ask 1.0")
        assert mei.texts()[0] == "ask 3.0"
        assert mei.desk.feed._follower._loaded[0].path == three[2].path
        await to_top(mei)
        assert mei.here() == "ask 1.0"
        assert mei.texts() == [
            text
            for number in (1, 2, 3)
            for turn in range(80)
            for text in (f"ask {number}.{turn}", f"answer {number}.{turn}")
        ]
        row = mei.texts().index("ask 2.0")
        mei.timeline.select(row)
        await mei.until_sees("── goes on in s_2 ──")


async def test_a_short_last_part_is_not_all_that_is_shown(home: Home, sit: Sit) -> None:
    """Where there is room, the end of what was before it stands above."""
    for number in (1, 2, 3):
        part(home, number, turns=2)
    async with sit() as mei:
        await mei.opens("s_3")
        await mei.until_sees("ask 1.0", "── goes on in s_2 ──", "── goes on in s_3 ──")
        assert mei.here() == "answer 3.1"


async def test_parts_without_a_row_at_this_depth_are_passed(home: Home, sit: Sit) -> None:
    """Prompts and answers alone are shown, and of the second part there are none."""
    part(home, 1, turns=2)
    part(home, 2, turns=0).calls("c1").returns("c1")
    part(home, 3, turns=2)
    Part(home.path("t").parent, "t", None, NOW - 2 * HOUR).asks("another").answers("session")
    async with sit() as mei:
        await mei.opens("t")
        await mei.press("minus", "minus", "minus", "escape")
        await mei.opens("s_3")
        await mei.until(lambda: mei.texts()[:1] == ["ask 1.0"])


async def test_the_beginning_and_jumps_reach_into_older_parts(
    home: Home, sit: Sit, three: list[Part]
) -> None:
    three[0].calls("c1")
    async with sit() as mei:
        await mei.opens("s_3")
        await mei.press("u")
        await mei.until(lambda: is_at_edit(mei))
        await mei.press("G")
        assert mei.here() == "answer 3.19"
        await mei.press("g")
        await mei.until_at("ask 1.0")
        await mei.press("J")
        assert mei.here() == "ask 1.1"


async def test_prompts_are_gone_back_through_across_parts(
    home: Home, sit: Sit, three: list[Part]
) -> None:
    async with sit() as mei:
        await mei.opens("s_3")
        for number in (3, 2, 1):
            for turn in reversed(range(20)):
                await mei.press("K")
                await mei.until_at(f"ask {number}.{turn}")


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_goes_on_with_a_new_part_while_shown(
    home: Home, sit: Sit, three: list[Part], size: tuple[int, int]
) -> None:
    async with sit(size) as mei:
        await mei.opens("s_3")
        for number in (4, 5):
            new = part(home, number, turns=1)
            await mei.until_at(f"answer {number}.0")
            assert mei.reading.path == new.path
            assert mei.timeline.follow
            new.asks("and more").answers(f"more of {number}")
            await mei.until_at(f"more of {number}")
            await mei.until_sees(f"── goes on in s_{number} ──")
        assert [entry for entry in mei.entries() if entry.startswith("  ")] == ["  s_5"]
        assert mei.sessions.session is not None
        assert mei.sessions.session.session == "s_5"
        assert mei.texts().count("ask 3.0") == 1
        await mei.until_sees("128 events")


async def test_rests_while_one_reads_above_and_a_new_part_comes(
    home: Home, sit: Sit, three: list[Part]
) -> None:
    async with sit() as mei:
        await mei.opens("s_3")
        await mei.press("K", "K")
        assert mei.here() == "ask 3.18"
        await mei.press("space")
        part(home, 4, turns=3)
        await mei.until_sees("▼ 6 new")
        assert mei.here() == "answer 3.18"
        assert len(mei.timeline.marks) == 1
        await mei.press("G")
        assert mei.here() == "answer 4.2"


async def test_a_rollover_reads_the_new_part_alone(home: Home, sit: Sit, three: list[Part]) -> None:
    for number in range(4, 31):
        part(home, number, turns=1)
    async with sit() as mei:
        await mei.opens("s_30")
        await mei.press("right_square_bracket")
        await mei.until_sees("30.0")
        await mei.until(lambda: not mei.desk.feed._backlog.has_more)
        library = mei.desk.feed._library
        before = library.overviews.bytes_read
        new = part(home, 31, turns=1)
        await mei.until_at("answer 31.0")
        await mei.until_sees("ask 31.0")
        assert library.overviews.bytes_read == before + new.path.stat().st_size


async def test_finds_words_in_all_parts(home: Home, sit: Sit, three: list[Part]) -> None:
    async with sit() as mei:
        await mei.opens("s_3")
        await mei.press("slash")
        await mei.types(".7")
        await mei.press("enter")
        await mei.until_at("answer 3.7")
        await mei.until_sees("6 of 6")
        seen = []
        for _ in range(6):
            await mei.press("N")
            seen.append(mei.here())
        assert seen == ["ask 3.7", "answer 2.7", "ask 2.7", "answer 1.7", "ask 1.7", "answer 3.7"]
        await mei.press("n")
        assert mei.here() == "ask 1.7"
        await mei.until_sees("1 of 6")


async def test_the_place_is_remembered_across_parts(
    home: Home, sit: Sit, three: list[Part]
) -> None:
    async with sit() as mei:
        await mei.opens("s_3")
        await mei.press("g")
        await mei.until_at("ask 1.0")
        await mei.press("J", "J")
        assert mei.here() == "ask 1.2"
    part(home, 4, turns=1)
    async with sit() as mei:
        await mei.opens("s_4")
        await mei.until_at("ask 1.2")
        await mei.press("G")
        await mei.until_sees("── last read ──")


async def test_any_part_can_be_named_at_the_start(home: Home, sit: Sit, three: list[Part]) -> None:
    async with sit(opened=three[0].path) as mei:
        await mei.until_at("answer 3.19")
        assert mei.reading.path == three[2].path
        await mei.until(lambda: mei.session("s_3") is not None)
        assert mei.sessions.session is not None
        assert mei.sessions.session.session == "s_3"


async def test_cases_and_memory_lead_into_older_parts(
    home: Home, sit: Sit, three: list[Part]
) -> None:
    three[0].calls("c1")
    three[0].calls("c2")
    three[1].returns("c2")
    async with sit() as mei:
        await mei.opens("s_3")
        await mei.press("tab", "right_square_bracket")
        await mei.until_sees("Resolve uncertain action Edit")
        await mei.press("down", "enter")
        await mei.until(lambda: is_at_edit(mei))
        assert mei.timeline.has_focus
        assert mei.timeline.current is not None
        assert mei.timeline.current.state == "uncertain"
        rows = [mei.timeline.source[row] for row in range(len(mei.timeline.source))]
        states = [row.state for row in rows if row.kind == "call"]
        assert states == ["uncertain", "completed"]


async def test_a_candidate_of_an_older_part(home: Home, sit: Sit, three: list[Part]) -> None:
    async with sit() as mei:
        await mei.opens("s_3")
        await mei.press("g")
        await mei.until_at("ask 1.0")
        await mei.press("m")
        await mei.until_sees("transcript:s:1")
        await mei.types("what")
        await mei.press("tab")
        await mei.types("why")
        await mei.press("enter")
        await mei.until_sees("Proposed: what")
        await mei.until_sees("◆1")


async def test_hits_of_the_search_open_in_their_part(
    home: Home, sit: Sit, three: list[Part]
) -> None:
    async with sit() as mei:
        await mei.opens("s_3")
        await search(mei, '"ask 1.7"', "s")
        await mei.press("enter", "enter")
        await mei.until_at("ask 1.7")
        assert mei.reading.path == three[2].path


async def test_the_new_part_of_a_session_that_is_not_open(
    home: Home, sit: Sit, three: list[Part]
) -> None:
    home.path("other").parent.mkdir(exist_ok=True)
    Part(home.path("other").parent, "other", None, NOW).asks("look here").answers("seen")
    async with sit() as mei:
        await mei.opens("other")
        await mei.press("escape")
        mei.sessions.select_path(three[2].path)
        chosen = mei.sessions.session
        assert chosen is not None
        part(home, 4, turns=1)
        await mei.until(lambda: mei.item("s_4") is not None)
        assert mei.sessions.session is not None
        assert mei.sessions.session.session == "s_4"
