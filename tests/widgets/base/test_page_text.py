"""Words marked in a long text: on all of its lines, over their ends, the first one in view."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from textual.app import App, ComposeResult

from sessions_tui.storage.search.query import parse_query
from sessions_tui.widgets.base.page_text import PageText
from sessions_tui.widgets.base.passages import PAGE, Passage, lines
from sessions_tui.widgets.words.matches import Patterns

pytestmark = pytest.mark.anyio


class Host(App[None]):
    """A text of passages."""

    def __init__(self, passages: Iterable[Passage], query: str) -> None:
        super().__init__()
        self.text = PageText()
        self.passages = list(passages)
        self.query_text = query

    def compose(self) -> ComposeResult:
        yield self.text

    def on_mount(self) -> None:
        self.text.show(self.passages)
        self.text.mark(patterns(self.query_text))

    def marked(self) -> list[str]:
        """What is marked on the screen, line by line."""
        style = self.text.palette.whole("text--match")
        strips = [self.text.render_line(y) for y in range(self.text.size.height)]
        found = [
            "".join(text for text, look, _ in strip if look and look.bgcolor == style.bgcolor)
            for strip in strips
        ]
        return [text for text in found if text]


def patterns(query: str) -> Patterns:
    return [word.pattern for word in parse_query(query).words]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("Reserve it, then reserve\nno preserve", "reserve", ["Reservereserve"]),
        ("库存" * 9 + "超卖，会", "超卖", ["超", "卖"]),
        ("all of these and some more long words are two", '"words are"', ["words", "are"]),
        ("it ends with two\nwords", '"two words"', ["two", "words"]),
        ("lock\nsmith, locksmith", "lock", ["lock"]),
        ("a" * 39 + "bcd", "bcd", []),
        ("x " + "a" * 45, "a" * 45, ["a" * 39, "a" * 6]),
        ("nothing", "超", []),
    ],
)
async def test_what_is_marked(text: str, query: str, expected: list[str]) -> None:
    app = Host([Passage(text)], query)
    async with app.run_test(size=(40, 8)) as pilot:
        await pilot.pause()
        assert app.marked() == expected


async def test_looks_of_passages_stay_and_marks_go() -> None:
    app = Host([Passage("+ reserve()", "added"), Passage("- reserve", "removed")], "reserve")
    async with app.run_test(size=(40, 8)) as pilot:
        await pilot.pause()
        assert app.marked() == ["reserve", "reserve"]
        app.text.mark(())
        assert app.marked() == []


async def test_the_first_match_comes_into_view() -> None:
    app = Host([Passage("line\n" * 100 + "here is a needle\n" + "line\n" * 100)], "needle")
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        assert app.marked() == ["needle"]
        assert 90 < app.text.scroll_offset.y <= 100
        app.text.show([Passage("needle at the top\n" + "line\n" * 100)])
        assert app.text.scroll_offset.y == 0
        app.text.show([Passage("no match\n" * 100)])
        assert (app.text.scroll_offset.y, app.marked()) == (0, [])


async def test_it_may_be_on_a_later_page() -> None:
    app = Host([Passage("line\n" * (PAGE // 2) + "needle")], "needle")
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        assert app.text.page == app.text.page_count > 2
        assert app.marked() == ["needle"]


async def test_what_was_marked_before_there_was_room_is_shown_when_there_is() -> None:
    app = Host([Passage("line\n" * 100 + "needle")], "needle")
    async with app.run_test(size=(40, 12)) as pilot:
        app.text.display = False
        app.text.mark(())
        await pilot.pause()
        app.text.show(app.passages)
        app.text.mark(patterns("needle"))
        app.text.display = True
        await pilot.pause()
        assert app.marked() == ["needle"]


@pytest.mark.parametrize(
    "text", ["one two  three " * 9, "库存 会超卖" * 20, "a" * 99, "\n\na\n", "  indented" * 8]
)
def test_the_lines_of_a_text_join_to_it(text: str) -> None:
    shown = lines([Passage(text)], 20)
    assert "".join(line.joint + line.text for line in shown).removeprefix("\n") == text
