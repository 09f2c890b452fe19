"""Somebody who searches all sessions, and what there is to be found."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt, Thought, run
from sessions_tui.app.places.search import SearchScreen
from sessions_tui.widgets.search.hit_list import HitList
from sessions_tui.widgets.search.hit_rows import FoundEvent

from .sitting import Home, Person


@pytest.fixture
def talks(home: Home) -> Home:
    """Two sessions of today and one of last week, in two workspaces."""
    home.agent("stock", 30, "inventory-api").does(
        Prompt("stock.py 里的 reserve() 会超卖，帮我修好"),
        Thought("A race in the needle's eye"),
        run("pytest -q", "one needle in the output", 1),
        Answer("修好了：reserve() 现在用一条带条件的 UPDATE"),
        Prompt("And what does reserve() return?"),
        Answer("True where there was enough."),
    )
    home.agent("lexer", 50, "parser").does(Prompt("Rename Lexer.next"), Answer("Renamed, all 12."))
    home.agent("old", 8 * 24 * 60, "shop").does(Prompt("Reserve a table"), Answer("For two?"))
    return home


def screen_of(mei: Person) -> SearchScreen:
    screen = mei.desk.screen
    assert isinstance(screen, SearchScreen)
    return screen


def hits(mei: Person) -> list[FoundEvent]:
    """The hits that are shown."""
    shown = screen_of(mei).query_one(HitList)
    return [shown.source[row] for row in range(len(shown.source))] if shown.display else []


def found(mei: Person) -> list[str]:
    """Their sessions."""
    return [hit.path.stem for hit in hits(mei)]


async def search(mei: Person, text: str, *expected: str) -> None:
    """Go to the search, type a query, and wait until hits in these sessions are shown."""
    if mei.desk.place != "search":
        await mei.press("f4")
    await mei.until(lambda: isinstance(mei.desk.screen, SearchScreen))
    await mei.press("slash" if isinstance(mei.desk.focused, HitList) else "end", "ctrl+u")
    await mei.types(text)
    await mei.until(lambda: found(mei) == list(expected))


def marked(mei: Person) -> list[str]:
    """The pieces that are marked in the event."""
    text = mei.panel.query_one("#event-text")
    paper = text.get_component_rich_style("text--match").bgcolor
    strips = [text.render_line(y) for y in range(text.size.height)]
    return [word for strip in strips for word, look, _ in strip if look and look.bgcolor == paper]


def frame(mei: Person) -> str:
    return "\n".join(line.rstrip() for line in mei.lines())
