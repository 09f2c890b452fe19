"""An app that holds the candidates' pane alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from typing import Any

from textual import on
from textual.app import App, ComposeResult
from textual.message import Message

from sessions_tui.storage.model.candidate import Sourced
from sessions_tui.widgets.base.page_text import PageText
from sessions_tui.widgets.candidates.list import CandidateList
from sessions_tui.widgets.candidates.pane import CandidatePane

from .candidate_samples import NOW

EMPTY = "No memory candidates yet."


class Host(App[None]):
    """The pane, and what it asked for."""

    def __init__(self, items: Sequence[Sourced], *, several: bool = True) -> None:
        super().__init__()
        self.pane = CandidatePane()
        self.items = list(items)
        self.several = several
        self.asked: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.show()
        self.pane.focus()

    def show(self, subject: Hashable = "one") -> None:
        """Show the candidates as they are now."""
        self.pane.show_candidates(subject, self.items, NOW, several=self.several, empty=EMPTY)

    @on(CandidatePane.Settled)
    @on(CandidatePane.EditWanted)
    @on(CandidatePane.UndoWanted)
    @on(CandidatePane.ExportWanted)
    @on(CandidatePane.SourceWanted)
    @on(CandidatePane.Copied)
    def note(self, message: Any) -> None:
        assert message.control is self.pane
        self.asked.append(message)

    @property
    def rows(self) -> CandidateList:
        """The list in the pane."""
        return self.query_one(CandidateList)

    @property
    def text(self) -> PageText:
        """The text of the candidate."""
        return self.query_one(PageText)

    @property
    def keys_are_with(self) -> str:
        """What kind of widget has the keys."""
        return type(self.focused).__name__

    @property
    def here(self) -> int:
        """The number of the candidate under the cursor."""
        assert self.pane.current is not None
        return self.pane.current.candidate.sequence

    @property
    def told(self) -> list[tuple[Any, ...]]:
        """What was asked for: the message's name, the numbers, the status."""
        return [(type(one).__name__, *_of(one)) for one in self.asked]


def _of(message: Any) -> list[Any]:
    items = getattr(message, "items", None) or [getattr(message, "item", None)]
    numbers = [item.candidate.sequence for item in items if item]
    return [*numbers, *filter(None, [getattr(message, "status", ""), getattr(message, "what", "")])]


def settled(items: Sequence[Sourced], numbers: set[int], status: Any) -> list[Sourced]:
    """The candidates after a decision on some of them."""

    def decided(item: Sourced) -> Sourced:
        if item.candidate.sequence not in numbers:
            return item
        at = None if status == "proposed" else NOW
        return dataclasses.replace(
            item, candidate=dataclasses.replace(item.candidate, status=status, decided_at=at)
        )

    return [decided(item) for item in items]
