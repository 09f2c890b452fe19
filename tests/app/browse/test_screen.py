"""Browsing: which sessions are shown, in which order, and how one gets about with keys."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Call, Prompt, Title
from tests.app.sitting import Home, Person, Sit

pytestmark = pytest.mark.anyio

ASK = Call("AskUserQuestion", {"questions": [{"question": "Which one?"}]}, "Which one?", None)
EDIT = Call("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}, "a.py", None)


@pytest.fixture
def filled(home: Home) -> Home:
    """A session of every sort that matters to the list."""
    home.agent("fresh", 30).does(Prompt("Fix the docs"), Title("Fix the docs"), Answer("Fixed."))
    home.agent("old", 60 * 30, "parser").does(Prompt("Port the parser"), Answer("Ported."))
    home.agent("asks", 120).does(Prompt("Set up the database"), ASK)
    home.agent("dead", 180, "parser").does(Prompt("Rename it"), EDIT)
    home.agent("busy", 0.2).does(Prompt("修复库存超卖"), EDIT)
    return home


async def listed(mei: Person, *names: str) -> None:
    """Wait until exactly these sessions are in the list, in this order."""
    wanted = [f"  {name}" for name in names]
    await mei.until(lambda: [e for e in mei.entries() if e.startswith("  ")] == wanted)


async def test_the_neediest_stand_first(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        assert mei.entries() == [
            *("NEEDS YOU", "  asks", "  dead"),
            *("WORKING", "  busy", "TODAY", "  fresh", "YESTERDAY", "  old"),
        ]
        assert mei.sessions.session == mei.session("asks")
        await mei.until_sees("5 sessions · 1 working · 2 need you", "Set up the database", "⚠1")


async def test_wide_shows_the_session_under_the_cursor(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        await mei.until_sees("? asking", "Which one?")
        await mei.press("down", "down", "down")
        await mei.until_sees("✓ done", "Fixed.")
        assert mei.sessions.has_focus


async def test_narrow_shows_one_place_at_a_time(filled: Home, sit: Sit) -> None:
    async with sit((80, 24)) as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        assert not mei.reading.path
        await mei.press("down", "enter")
        await mei.until_sees("✗ crashed", "a.py")
        assert not mei.sees("NEEDS YOU")
        await mei.press("enter")
        await mei.until_sees("record 3", "No result was recorded")
        assert not mei.timeline.display
        await mei.press("escape")
        assert mei.timeline.has_focus
        await mei.press("q")
        assert mei.sessions.has_focus
        assert mei.sees("NEEDS YOU")
        await mei.press("escape")
        assert mei.sessions.has_focus


async def test_tab_goes_from_pane_to_pane(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        await mei.until(lambda: mei.panel.event is not None)
        been = []
        for _ in range(3):
            await mei.press("tab")
            been.append(mei.desk.focused.id if mei.desk.focused else None)
        assert been == ["timeline", "event-text", "sessions"]
        await mei.press("shift+tab", "shift+tab", "q")
        assert mei.sessions.has_focus


async def test_q_in_the_list_leaves(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.press("q")
        await mei.until(lambda: not mei.desk.is_running)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("docs", ["fresh"]),
        ("库存", ["busy"]),
        ("status:crashed", ["dead"]),
        ("has:uncertain", ["dead"]),
        ("since:1h", ["busy", "fresh"]),
        ("workspace:parser", ["dead", "old"]),
        ("[/x] no such", []),
    ],
)
async def test_a_filter_narrows_as_one_types(
    filled: Home, sit: Sit, typed: str, names: list[str]
) -> None:
    async with sit() as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        await mei.press("slash")
        await mei.types(typed)
        await listed(mei, *names)
        if not names:
            await mei.until_sees("No match. Escape shows all.")
        await mei.press("escape")
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        assert mei.sessions.has_focus


async def test_a_filter_that_means_nothing_says_what_it_takes(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        await mei.press("slash", *"docs has:foo")
        await listed(mei)
        await mei.until_sees('Invalid value "foo" for has:. Use', "or needs. Escape shows all.")
        await mei.press("ctrl+u", *"foo:bar")
        await mei.until_sees("No match. Escape shows all.")


async def test_a_filter_stays_while_one_reads(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        await mei.press("slash", *"parser", "enter")
        await listed(mei, "dead", "old")
        await mei.press("enter")
        assert mei.timeline.has_focus
        await mei.press("q")
        await listed(mei, "dead", "old")


async def test_what_was_filtered_stays_in_view_with_its_heading(home: Home, sit: Sit) -> None:
    for day in range(9):
        for turn in range(4):
            agent = home.agent(f"s{day}{turn}", 60 + day * 24 * 60 + turn)
            agent.does(Prompt(f"ask {day} {turn}"), Answer("yes"))
    async with sit((80, 24)) as mei:
        await mei.until(lambda: len(mei.entries()) == 9 * 5)
        await mei.press("slash", *"s43", "enter")
        await listed(mei, "s43")
        await mei.press("escape")
        await mei.until(lambda: len(mei.entries()) == 9 * 5)
        await mei.until_sees("THURSDAY 7 MAY", "▌ask 4 3")


async def test_w_groups_by_workspace(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        await mei.press("w")
        assert mei.entries() == [
            *("/src/parser", "  dead", "  old"),
            *("/src/shop", "  asks", "  busy", "  fresh"),
        ]
        await mei.press("w")
        assert mei.entries()[0] == "NEEDS YOU"


async def test_what_came_since_is_unread_until_one_says_so(filled: Home, sit: Sit) -> None:
    async with sit(now=1_778_400_000_000) as mei:  # the first run, a day before
        await mei.until(lambda: len(mei.entries()) > 5)
    async with sit((80, 24)) as mei:
        await listed(mei, "asks", "dead", "busy", "fresh", "old")
        await mei.until(lambda: sum("•" in line for line in mei.lines()) == 5)
        await mei.press("exclamation_mark")
        await mei.until(lambda: not any("•" in line for line in mei.lines()))


async def test_a_session_named_on_the_command_line_is_opened(filled: Home, sit: Sit) -> None:
    async with sit(opened=filled.path("old", "parser")) as mei:
        await mei.until_sees("Port the parser", "Ported.")
        assert mei.timeline.has_focus
        assert mei.timeline.follow


async def test_without_transcripts_it_says_where_it_looked(home: Home, sit: Sit) -> None:
    async with sit((80, 24)) as mei:
        await mei.until_sees("No sessions yet", "~/.workbuddy", "demo with sample data")
        await mei.press("slash", "escape", "w", "exclamation_mark")
        home.agent("first").does(Prompt("Begin"), Answer("Begun."))
        await listed(mei, "first")
        await mei.until(lambda: not mei.sees("No sessions yet"))


async def test_an_empty_desk_leads_to_the_demo(home: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.until_sees("No sessions yet")
        await mei.press("enter")
        await mei.until(lambda: mei.desk.return_value is True)


async def test_the_session_that_was_named_is_the_one_that_is_read(home: Home, sit: Sit) -> None:
    home.agent("new").does(Prompt("newest"))
    home.agent("old", 500).does(Prompt("the one that was named"))
    async with sit(opened=home.path("old")) as mei:
        await mei.until(lambda: len(mei.entries()) == 4 and mei.sessions.session is not None)
        await mei.until(lambda: mei.here() == "the one that was named")
        named = mei.sessions.session
        assert named
        assert named.session == "old"
        await mei.until(lambda: not mei.sees("indexing"))
        assert mei.here() == "the one that was named"
        await mei.press("escape", "k")
        await mei.until(lambda: mei.here() == "newest")


async def test_q_says_what_it_does(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.until_sees("q Quit")
        await mei.press("slash", "a", "enter")
        await mei.until_sees("q Back")
        await mei.press("q")
        await mei.until_sees("q Quit")
        await mei.opens("s")
        await mei.until_sees("q Back")
        await mei.press("q")
        await mei.until_sees("q Quit")
        await mei.press("q")
        await mei.until(lambda: not mei.desk.is_running)
