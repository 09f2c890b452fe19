"""What the feed tells of a search: hits as they come, enough of them, and anew as agents go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from textual.message import Message

from sessions_tui.app.demo.steps import Answer, Prompt, Thought
from sessions_tui.app.feed.context import Context
from sessions_tui.app.feed.messages import HitsChanged
from sessions_tui.app.feed.requests import SearchRequest
from sessions_tui.app.feed.search import SearchWorker
from sessions_tui.app.places.search_words import counts
from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.event import Kind
from tests.app.sitting import NOW, Home
from tests.opened import opened

THOUGHTS: frozenset[Kind] = frozenset({"reasoning"})


class Told:
    """A search of a home, and what it tells."""

    def __init__(self, home: Home) -> None:
        self.library = opened(Library(home.roots().found, home.places.cache))
        self.messages: list[HitsChanged] = []
        self.searching = SearchWorker(
            Context(self.library, Decisions(home.places.data), 7, self.hear, lambda: NOW)
        )

    def hear(self, message: Message) -> None:
        assert isinstance(message, HitsChanged)
        self.messages.append(message)

    def read(self) -> None:
        """Know everything."""
        self.library.rescan()
        self.library.read_all()

    def search(
        self, text: str, limit: int = 50, kinds: frozenset[Kind] = frozenset()
    ) -> HitsChanged:
        """The last that is told of a search."""
        self.searching.search(SearchRequest(text, limit, kinds))
        return self.rest()

    def rest(self) -> HitsChanged:
        """Go on until there is nothing to do."""
        while self.searching.slice():
            pass
        return self.messages[-1]


@pytest.fixture
def told(home: Home) -> Iterator[Told]:
    """A home in which two talk of a needle."""
    for number, name in enumerate(("new", "old"), 1):
        home.agent(name, 100 * number).does(
            Prompt("Find the needle"), Thought("A needle?"), Answer(f"The needle of {name}")
        )
    told = Told(home)
    with closing(told.library):
        yield told


def said(message: HitsChanged) -> list[str]:
    return [hit.snippet for hit in message.hits]


def test_all_of_it(told: Told) -> None:
    told.read()
    message = told.search("needle")
    assert said(message)[::2] == ["The needle of new", "The needle of old"]
    assert (message.finished, message.more, message.unsearched) == (True, False, 0)
    assert counts(message) == ["4 hits", "2 sessions searched"]
    first = message.hits[0]
    assert (first.kind, first.workspace, first.title) == ("answer", "/src/shop", "Find the needle")
    assert first.snippet[slice(*first.match)] == "needle"


def test_enough_of_it_and_then_more(told: Told) -> None:
    told.read()
    message = told.search("needle", 1)
    assert said(message) == ["The needle of new"]
    assert counts(message) == ["1 newest — scroll for more"]
    read = told.library.overviews.bytes_read
    message = told.search("needle", 4)
    assert len(message.hits) == 4
    assert (message.finished, message.more) == (True, False)
    assert told.library.overviews.bytes_read == read


def test_thoughts_when_they_are_wanted(told: Told) -> None:
    told.read()
    message = told.search("needle", kinds=THOUGHTS)
    assert [hit.kind for hit in message.hits][:3] == ["answer", "reasoning", "prompt"]
    assert len(told.search("needle").hits) == 4
    assert [hit.kind for hit in told.search("needle kind:thought").hits] == ["reasoning"] * 2


def test_what_is_not_indexed_is_said(told: Told, home: Home) -> None:
    home.agent("large", 50).does(*[Answer("word " * 500)] * 400)
    told.library.rescan()
    for path in told.library.newest_first():
        told.library.glance(path)
    message = told.search("needle")
    assert len(message.hits) == 4
    assert counts(message) == ["4 hits", "3 sessions searched", "1 session is not indexed yet"]
    told.library.read_all()
    told.searching.changed()
    assert told.search("needle").unsearched == 0


def test_what_is_read_sooner_than_files_are_looked_for_is_no_gap(told: Told, home: Home) -> None:
    told.read()
    agent = home.agent("new")
    agent.does(Answer("Another needle"))
    told.library.read(agent.path)
    message = told.search("needle")
    assert (len(message.hits), message.unsearched) == (5, 0)


def test_it_is_made_anew_when_agents_go_on(told: Told, home: Home) -> None:
    told.read()
    before = told.search("needle")
    told.searching.changed()
    assert told.search("needle") == before
    told.messages.clear()
    home.agent("third", 10).does(Prompt("My needle?"))
    told.read()
    told.searching.changed()
    told.searching._next_begin = 0.0
    assert said(told.rest())[0] == "My needle?"
    assert len(told.messages) == 1
    told.searching.changed()
    told.searching._next_begin = 0.0
    told.rest()
    assert len(told.messages) == 1


def test_a_search_is_ended_by_the_next_or_by_none(told: Told) -> None:
    told.read()
    told.searching.search(SearchRequest("needle", 50))
    assert told.searching.slice()
    told.searching.search(SearchRequest("nothing", 50))
    assert said(told.rest()) == []
    told.messages.clear()
    told.searching.search(SearchRequest("needle", 50))
    told.searching.search(SearchRequest())
    assert not told.searching.slice()
    told.searching.changed()
    assert not told.searching.slice()
    assert told.messages == []


def test_sub_agents_count_to_their_session(told: Told, home: Home) -> None:
    child = home.path("old").with_suffix("") / "subagents" / "agent-1.jsonl"
    child.parent.mkdir(parents=True)
    child.write_bytes(home.path("new").read_bytes())
    told.read()
    message = told.search("needle of")
    assert message.sessions == 2
