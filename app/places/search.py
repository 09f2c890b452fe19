"""The screen that searches all sessions while the user types; hits are listed newest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from ...storage.model.event import Kind
from ...storage.search.query import Query, as_typed, parse_query
from ...widgets.search.hit_list import HitList
from ...widgets.search.hit_rows import FoundEvent
from ...widgets.words.matches import Patterns
from ...widgets.words.session_filter import moment
from ..base import keys
from ..feed.messages import HitsChanged
from ..feed.requests import SearchRequest
from ..forms.line_input import LineInput
from ..selection.search_scope import faults_of, kinds_of
from .place_screen import PlaceScreen
from .search_words import HOW_TO, NO_SESSIONS, SEARCHING, counts, impossible, nothing, sources

if TYPE_CHECKING:
    from ..feed.feed import Feed

FIRST = 50
"""Initial maximum number of hits; doubled each time the user reaches the last one."""

PLACEHOLDER = 'words  "a phrase"  word*  kind: since: file: tool: status: workspace: has:'


class SearchScreen(PlaceScreen):
    """A box for the query and its hits; both are kept while another place is shown."""

    HELP = """\
## Search

Searches prompts and answers of all sessions, newest first; `ctrl+t` adds thoughts and `ctrl+o`
tool calls and output, which are read from the transcripts. To search titles, use `/` in the session
list.

- All words must occur in one message; `"two words"` is an exact phrase; `reser*` a prefix
- Words match whole; the last one is a prefix while you type, until you add a space. In Chinese and
  Japanese any part of a sentence matches
- `kind:` you, answer, thought, call, output; `since:` 2h, 3d, today, yesterday, 2026-11-20
- `file:` a file that the session edited; `tool:` `status:` `workspace:` `model:` `has:` as in the
  session list's filter
- `enter` opens the event in its session, with the words marked; `n` and `N` go to other matches
"""
    BINDINGS: ClassVar[list[BindingType]] = keys.SEARCH

    @dataclass
    class EventWanted(Message):
        """Posted to show the event of a hit in its session, with the matches highlighted."""

        path: Path
        offset: int
        word: str
        """A word that the event contains; "" if the query has only filters."""
        patterns: Patterns

    def __init__(
        self, feed: Feed, now: Callable[[], int], is_empty: Callable[[], bool] = lambda: False
    ) -> None:
        super().__init__("search", feed, now)
        self._is_empty = is_empty
        """Returns whether there are no sessions."""
        self._box = LineInput("", placeholder=PLACEHOLDER, id="query")
        self._sources = Static(id="search-sources")
        self._hits = HitList(id="hits")
        self._note = Static(HOW_TO, id="search-note")
        self._kinds: frozenset[Kind] = frozenset()
        self._limit = FIRST
        self._query = Query()
        self._shown = SearchRequest()
        """The request whose hits are shown."""
        self._has_more = False

    def content(self) -> Iterable[Widget]:
        """Yield the box, and below it the hits or a message."""
        with Horizontal(id="search-line"):
            yield self._box
            yield self._sources
        yield self._hits
        yield self._note

    def on_mount(self) -> None:
        """Focus the box."""
        self._hits.display = False
        self._show_sources()
        self.set_focus(self._box)

    def ask(self) -> None:
        """Focus the box and select its text, so that typing replaces it."""
        if self._box.is_attached:
            self.set_focus(self._box)
            self._box.action_select_all()

    def look(self) -> None:
        """Search again, as there may be new hits."""
        super().look()
        self._search()

    def on_screen_suspend(self) -> None:
        """Stop the search while the screen is hidden."""
        self._feed.search(SearchRequest())

    def told(self, message: HitsChanged) -> None:
        """Show the hits; a repeated search removes none before it is finished."""
        if not message.sought.is_alike(self._sought) or not self._query:
            return
        keep = self._shown.is_alike(message.sought)
        self._bar.show(counts(message))
        self._has_more = message.more and message.sought == self._sought
        if keep and not message.finished and len(message.hits) < len(self._hits.source):
            return
        if message.hits or message.finished or not keep:
            self._show(message, keep)

    def _show(self, message: HitsChanged, keep: bool) -> None:
        self._shown = message.sought
        self._hits.show_hits(message.hits, self._patterns, self._now(), keep=keep)
        if message.hits or not message.finished:
            self._say("" if message.hits else SEARCHING)
        else:
            self._say(NO_SESSIONS if self._is_empty() else nothing(self._searched))

    # The query.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key applies now, depending on the focus and on whether there are hits."""
        if action == "type":
            return not self._box.has_focus
        return action != "hits" or (self._box.has_focus and self._hits.display)

    @on(Input.Changed, "#query")
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._limit = FIRST
        self._search()

    @on(Input.Submitted, "#query")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_hits()

    def action_hits(self) -> None:
        """Focus the hits, if there are any."""
        if self._hits.display:
            self.set_focus(self._hits)

    def action_type(self) -> None:
        """Focus the box, with the cursor at its end."""
        self.set_focus(self._box)
        self._box.action_end()

    def action_include(self, kind: Kind) -> None:
        """Toggle searching in thoughts or in outputs."""
        self._kinds ^= {kind}
        self._limit = FIRST
        self._search()

    def step_back(self) -> bool:
        """Clear the box if it is focused; return whether it had text."""
        is_typed = self._box.has_focus and bool(self._box.value)
        if is_typed:
            self._box.value = ""
        return is_typed

    # Messages of the hits.

    @on(HitList.Opened)
    def _opened(self, event: HitList.Opened) -> None:
        event.stop()
        hit = event.row
        assert isinstance(hit, FoundEvent)
        words = self._query.words
        word = max(words[0].text.split(), key=len) if words else ""
        self.post_message(self.EventWanted(hit.path, hit.offset, word, self._patterns))

    @on(HitList.Left)
    def _left(self, event: HitList.Left) -> None:
        event.stop()
        self.action_type()

    @on(HitList.EndReached)
    def _end_reached(self, event: HitList.EndReached) -> None:
        event.stop()
        if self._has_more:
            self._has_more = False
            self._limit *= 2
            self._search()

    # Inside.

    @property
    def _sought(self) -> SearchRequest:
        return SearchRequest(as_typed(self._box.value), self._limit, self._kinds)

    @property
    def _patterns(self) -> Patterns:
        return tuple(word.pattern for word in self._query.words)

    @property
    def _searched(self) -> frozenset[Kind]:
        return kinds_of(self._query, self._kinds)

    def _search(self) -> None:
        now = self._now()
        self._query = parse_query(as_typed(self._box.value), lambda text: moment(text, now))
        self._show_sources()
        faults = faults_of(self._query, now)
        if self._query and not faults:
            self._feed.search(self._sought)
            return
        self._feed.search(SearchRequest())
        self._shown, self._has_more = SearchRequest(), False
        self._bar.show([])
        self._hits.show_hits([], (), now, keep=False)
        how_to = NO_SESSIONS if self._is_empty() else HOW_TO
        self._say(impossible(faults) if faults else how_to)

    def _show_sources(self) -> None:
        self._sources.update(sources(self._searched))

    def _say(self, sentence: str | Content) -> None:
        """Show a message in place of the hits; "" shows the hits."""
        self._note.display = bool(sentence)
        if self._hits.display == bool(sentence):
            self._hits.display = not sentence
            self.refresh_bindings()
        self._note.update(sentence)
        if sentence and self.focused is not self._box:
            self.set_focus(self._box)
