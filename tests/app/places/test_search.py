"""The search of all sessions: hits as one types, and what is said where there are none."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from sessions_tui.storage.search.query import parse_query
from sessions_tui.widgets.search.hit_list import HitList
from tests.app.searcher import found, frame, hits, marked, screen_of, search
from tests.app.searcher import talks as talks
from tests.app.sitting import NOW, Home, Sit
from tests.app.test_hostile_screen import DIALECTS, EVIL, check, write
from tests.widgets.conftest import Snapshot
from tests.widgets.conftest import snapshot as snapshot

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_frames(talks: Home, sit: Sit, snapshot: Snapshot, size: tuple[int, int]) -> None:
    name = f"{size[0]}x{size[1]}"
    async with sit(size) as mei:
        await mei.until(lambda: len(mei.entries()) > 4)
        await mei.press("f4")
        await mei.until_sees("What was said in any session")
        snapshot(f"search-how-to-{name}", frame(mei))
        await mei.press("ctrl+o")
        await search(mei, "reserve", "stock", "stock", "stock", "old")
        await mei.until_sees("3 sessions searched")
        await mei.press("enter", "down")
        snapshot(f"search-{name}", frame(mei))


async def test_hits_as_one_types(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.press("f4")
        await mei.until_sees("What was said in any session", "prompts + answers")
        assert mei.desk.place == "search"
        await search(mei, "reserve", "stock", "stock", "stock", "old")
        await mei.until_sees("4 hits", "3 sessions searched", "3 May", "inventory-api")
        await mei.types(" table")
        await mei.until(lambda: found(mei) == ["old"])
        await search(mei, "超卖", "stock")
        await mei.press("escape")
        await mei.until_sees("What was said in any session")
        assert not mei.sees("hit")
        await mei.press("escape")
        assert mei.desk.place == "browse"


async def test_another_query_takes_the_place_of_the_one_before(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, "超卖", "stock")
        await mei.press("enter", "enter")
        await mei.until_at("stock.py 里的 reserve() 会超卖，帮我修好")
        await mei.press("f4", *"quit")
        await mei.until_sees("quit", "No match")
        assert not mei.sees("超卖")
        assert mei.desk.place == "search"


async def test_the_last_word_is_a_beginning_while_it_is_typed(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, "Lex", "lexer")
        await mei.press("down")
        words = screen_of(mei).query_one(HitList).render_line(0)
        paper = screen_of(mei).query_one(HitList).palette.whole("hits--match").bgcolor
        assert [text for text, look, _ in words if look and look.bgcolor == paper] == ["Lex"]
        await search(mei, "Lex ")
        await mei.until_sees("No match", "word*", "matches a prefix")
        await search(mei, '"Lex"')
        await search(mei, '"rename lex', "lexer")
        await search(mei, "Lex rena")
        await search(mei, "Lex* rena", "lexer")
        await search(mei, "带条件的 UPD", "stock")
        await mei.press("enter", "enter")
        await mei.until(lambda: sorted(marked(mei)) == ["UPD", "带条件的"])


async def test_commands_are_found_among_calls(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.press("f4", *"pytest")
        await mei.until_sees("No match", "ctrl+o", "commands", "F1 /", "finds titles")
        await mei.press("ctrl+o")
        await mei.until(lambda: [hit.kind for hit in hits(mei)] == ["result", "call"])
        await mei.until_sees("prompts + answers + calls + outputs", "  pytest -q", "call ")
        await mei.press("enter", "down", "enter")
        await mei.until_at("pytest -q")
        await mei.until(lambda: marked(mei) == ["pytest"] * 2)


async def test_thoughts_and_outputs(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.press("f4", *"needle")
        await mei.until_sees("No match in prompts and answers.", "ctrl+t", "ctrl+o")
        await mei.press("ctrl+t")
        await mei.until(lambda: [hit.kind for hit in hits(mei)] == ["reasoning"])
        await mei.until_sees("prompts + answers + thoughts", "thought")
        await mei.press("ctrl+o")
        await mei.until(lambda: [hit.kind for hit in hits(mei)] == ["result", "reasoning"])
        await mei.press("ctrl+t")
        await mei.until(lambda: [hit.kind for hit in hits(mei)] == ["result"])
        await mei.press("enter", "enter")
        await mei.until_at("pytest -q")
        await mei.until(lambda: marked(mei) == ["needle"])
        await search(mei, "kind:thought needle", "stock")


async def test_a_query_of_filters_alone(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, "kind:you", "stock", "stock", "lexer", "old")
        await search(mei, "kind:you since:2d", "stock", "stock", "lexer")
        await search(mei, "workspace:parser", "lexer", "lexer")
        await mei.until_sees("2 hits", "1 session searched")
        await search(mei, "tool:bash kind:answer", "stock", "stock")
        await mei.press("enter", "enter")
        await mei.until_at("True where there was enough.")
        assert marked(mei) == []
        await mei.press("f4", "slash", "ctrl+u", *"kind:")
        await mei.until_sees("What was said in any session")


def invalid(fault: str) -> str:
    key, _, value = fault.partition(":")
    return f'Invalid value "{value}" for {key}:. Use '


async def test_a_filter_that_means_nothing(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        for fault in ("kind:foo", "since:zz", "status:bogus", "has:foo"):
            await search(mei, "reserve", "stock", "stock", "stock", "old")
            await mei.types(f" {fault}")
            await mei.until_sees("This query is not valid", invalid(fault), " or ")
            assert hits(mei) == []
        await search(mei, "reserve since:yesterday", "stock", "stock", "stock")
        await search(mei, "reserve foo:bar")
        await mei.until_sees("No match")


async def test_other_places_are_a_key_away(talks: Home, sit: Sit) -> None:
    async with sit((80, 24)) as mei:
        await search(mei, "lexer", "lexer")
        for key, place in (("f2", "review"), ("f4", "search"), ("f5", "usage"), ("f4", "search")):
            await mei.press(key)
            assert mei.desk.place == place
        await mei.until(lambda: found(mei) == ["lexer"])
        await mei.press("enter", "question_mark")
        await mei.until_sees("Searches prompts and answers of all sessions")
        await mei.press("escape", "up")
        await mei.types("?/")
        await mei.until_sees("lexer?/", "No match")
        await mei.press("f1", "f4", "ctrl+u", *"lexer")
        await mei.until(lambda: found(mei) == ["lexer"])
        await mei.press("enter", "q")
        assert mei.desk.place == "browse"


async def test_it_stays_while_one_is_elsewhere_whatever_changes(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, "lexer", "lexer")
        shown = screen_of(mei).query_one(HitList)
        before = shown.render_line(0)
        await mei.press("f1")
        mei.desk.theme = "textual-light"
        await mei.pilot.resize_terminal(80, 24)
        await mei.press("f4")
        await mei.until(lambda: shown.size.width == 80)
        await mei.until(lambda: shown.render_line(0).text.strip() == "▌ Rename Lexer.next")
        inks = [
            {style.color for _, style, _ in strip if style}
            for strip in (before, shown.render_line(0))
        ]
        assert not inks[0] & inks[1]


async def test_more_when_one_goes_to_the_end(home: Home, sit: Sit) -> None:
    steps = [step for number in range(60) for step in (Prompt(f"ask {number}"), Answer("told"))]
    home.agent("long", 600).does(*steps)
    async with sit() as mei:
        await search(mei, "ask", *["long"] * 50)
        await mei.until_sees("50 newest — scroll for more")
        await mei.press("enter", "G")
        await mei.until(lambda: len(hits(mei)) == 60)
        await mei.until_sees("60 hits")
        assert screen_of(mei).query_one(HitList).cursor == 49


async def test_what_is_written_meanwhile_is_found(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, "oversold")
        await mei.until_sees("No match")
        home_agent = talks.agent("fresh", 1)
        home_agent.does(Prompt("Is it oversold?"), Answer("No"))
        await mei.until(lambda: found(mei) == ["fresh"])
        home_agent.does(Prompt("And now, oversold?"), Answer("Never"))
        await mei.until(lambda: found(mei) == ["fresh", "fresh"])
        assert not mei.sees("not indexed")


async def test_an_index_that_is_still_growing(home: Home, sit: Sit) -> None:
    said = [step for n in range(900) for step in (Prompt(f"needle {n}"), Answer("word " * 400))]
    for name in ("one", "two", "three"):
        home.agent(name, 600).does(*said)
    async with sit() as mei:
        await mei.press("f4", *'"needle 1"')
        await mei.until(lambda: sorted(found(mei)) == ["one", "three", "two"])
        await mei.until_sees("3 hits", "3 sessions searched")
        await mei.until(lambda: not mei.sees("not indexed"))


async def test_a_store_without_sessions(sit: Sit) -> None:
    async with sit((80, 24)) as mei:
        await mei.until_sees("No sessions yet")
        await mei.press("f4")
        await mei.until_sees("There are no sessions yet")
        await mei.press("down", "enter", *"x", "down", "enter")
        await mei.until_sees("x", "There are no sessions yet")


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("size", [(140, 40), (41, 12)])
async def test_hostile_text(home: Home, sit: Sit, name: str, size: tuple[int, int]) -> None:
    write(path := home.path("s"), DIALECTS[name])
    path.write_bytes(path.read_bytes().replace(b"\\ud800", b""))
    async with sit(size) as mei:
        await mei.press("f4", "ctrl+t", "ctrl+o", *"quit")
        await mei.until(lambda: len(hits(mei)) > 1)
        check(mei)
        await mei.press("enter", "G", "k", "enter")
        await mei.until(lambda: mei.desk.screen is mei.desk.browse and len(mei.texts()) > 1)
        check(mei)
        await mei.press("enter", "n")
        check(mei)


async def test_a_hostile_query(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.press("f4")
        box = screen_of(mei).query_one("#query")
        mei.desk.copy_to_clipboard(EVIL.replace("\ud800", ""))
        await mei.press("ctrl+v")
        await mei.until_sees("No match")
        check(mei)
        assert "\x1b" not in getattr(box, "value", "")
        for text in ('"', "kind:", 'since:x" *', "(", "\\", "[b]", "***", "has:x tool:"):
            await mei.press("ctrl+u", *text)
            await mei.pilot.pause()
            check(mei)


async def test_a_transcript_that_goes_while_it_is_searched(talks: Home, sit: Sit) -> None:
    async with sit() as mei:
        await search(mei, "lexer", "lexer")
        talks.path("lexer", "parser").unlink()
        await mei.until_sees("No match", "2 sessions searched")
        await mei.types(" x")
        assert mei.sees("lexer x")


def test_the_examples_are_queries() -> None:
    from sessions_tui.app.places.search_words import EXAMPLES

    assert all(parse_query(query, lambda _: NOW) for query, _ in EXAMPLES if query)
