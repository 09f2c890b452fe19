"""Memory candidates: the list, and the one under the cursor whole; one at a time where narrow."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from textual import on
from textual.binding import BindingType

from ...storage.model.candidate import Sourced
from ..base.list_and_view import LastDecision, ListAndView
from ..base.widget_message import WidgetMessage
from ..words.safe import one_line
from .keys import CANDIDATES
from .list import CandidateList
from .rows import place_after
from .view import CandidateView

Settlement = Literal["approved", "rejected"]


class CandidatePane(ListAndView[CandidateList, CandidateView]):
    """Reports what the person decides, and is shown what came of it."""

    HELP = """\
## Candidates

Events worth remembering. A candidate refers to one event and adds your summary and reason; the
event's text is not copied. Nothing is exported until you approve it.

- `◇` proposed, `◆` approved, `✗` rejected
- `changed` the record has changed since, `source gone` the transcript is gone, `corrupt` the
  transcript cannot be trusted: none of these is exported
- `space` marks several; `a`, `x` and `backspace` then act on all of them
- `backspace` undoes what you have just decided or, once the cursor has moved, the last decision on
  the selected candidate
- On a narrow screen `right` shows the candidate and `left` the list
"""
    DEFAULT_CSS = """
    CandidatePane > CandidateList { width: 40; }
    """
    BINDINGS: ClassVar[list[BindingType]] = CANDIDATES

    @dataclass
    class Settled(WidgetMessage["CandidatePane"]):
        """Candidates are to be approved or rejected."""

        items: tuple[Sourced, ...]
        status: Settlement

    @dataclass
    class EditWanted(WidgetMessage["CandidatePane"]):
        """Summary and reason of a candidate are to be changed."""

        item: Sourced

    @dataclass
    class UndoWanted(WidgetMessage["CandidatePane"]):
        """The last decision on each of some candidates is to be taken back."""

        items: tuple[Sourced, ...]

    @dataclass
    class ExportWanted(WidgetMessage["CandidatePane"]):
        """The approved ones are to be exported."""

    @dataclass
    class SourceWanted(WidgetMessage["CandidatePane"]):
        """The event of a candidate is to be shown; `item.file` is None where it is gone."""

        item: Sourced

    @dataclass
    class Copied(WidgetMessage["CandidatePane"]):
        """Something went to the clipboard."""

        what: str

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(CandidateList(), CandidateView(), id=id, classes=classes)
        self._subject: Hashable = None
        self._approved = 0
        self._last = LastDecision()

    @property
    def current(self) -> Sourced | None:
        """The candidate under the cursor."""
        return self._list.item

    @property
    def chosen(self) -> tuple[Sourced, ...]:
        """What a key acts on: the marked ones from top to bottom, else the one under the cursor."""
        return self._list.marked or ((self.current,) if self.current else ())

    @property
    def approved(self) -> int:
        """How many of those shown are approved."""
        return self._approved

    def show_candidates(
        self, subject: Hashable, items: Sequence[Sourced], now: int, *, several: bool, empty: str
    ) -> None:
        """Show candidates as they are now; of the same subject, cursor and marks stay."""
        keep, self._subject = subject == self._subject, subject
        if not keep:
            self._last = LastDecision()
        self._approved = sum(item.candidate.status == "approved" for item in items)
        self._list.show_candidates(items, now, several=several, empty=empty, keep=keep)
        self.show_empty(not items)
        self._view.show(self.current)
        if not items and self.is_on_view:
            self.focus()

    def step_back(self) -> bool:
        """Unmark, or go from the candidate back to the list; whether there was a step to take."""
        if self.is_on_view:
            self.turn_to(view=False)
        elif self._list.marks:
            self._list.clear_marks()
        else:
            return False
        return True

    def focus(self, scroll_visible: bool = True) -> Self:
        """Give the keys to the list."""
        self.remove_class("-on-view")
        self._list.focus(scroll_visible)
        return self

    # Keys and mouse.

    def action_settle(self, status: Settlement) -> None:
        """Approve or reject, and go on to the next one that is still to be decided."""
        items = tuple(item for item in self.chosen if item.candidate.status != status)
        if not items:
            return
        ids = {item.candidate.candidate for item in items}
        self._list.select(place_after(self._list.source, self._list.cursor, ids))
        self._last = LastDecision(frozenset(ids), self._cursor_id)
        self._list.clear_marks()
        self.post_message(self.Settled(self, items, status))

    def action_undo(self) -> None:
        """Take back what was just settled, else the last decision on the chosen ones."""
        items = self._list.marked or self._list.items(self._last.ids) or self.chosen
        if not items:
            return
        self._last = LastDecision()
        self._list.clear_marks()
        self._list.select_candidate(items[0].candidate.candidate)
        self.post_message(self.UndoWanted(self, items))

    def action_edit(self) -> None:
        """Ask for other words for the candidate under the cursor."""
        if self.current:
            self.post_message(self.EditWanted(self, self.current))

    def action_export(self) -> None:
        """Ask for the export of the approved ones."""
        self.post_message(self.ExportWanted(self))

    def action_source(self) -> None:
        """Ask for the event."""
        if self.current:
            self.post_message(self.SourceWanted(self, self.current))

    def action_copy_id(self) -> None:
        """Copy the event id."""
        if self.current:
            self.app.copy_to_clipboard(one_line(self.current.candidate.source_id))
            self.post_message(self.Copied(self, "event id"))

    def action_read(self) -> None:
        """Give the keys to the candidate, and show it where only one fits."""
        if self.current:
            self.turn_to(view=True)

    def action_back(self) -> None:
        """Give the keys to the list."""
        self.step_back()

    @on(CandidateList.Opened)
    def _clicked(self, event: CandidateList.Opened) -> None:
        """A second click: where only one fits it shows the candidate, else it edits."""
        event.stop()
        if self.is_narrow:
            self.action_read()
        else:
            self.action_edit()

    @on(CandidateList.Highlighted)
    def _highlighted(self, event: CandidateList.Highlighted) -> None:
        event.stop()
        self._last = self._last.while_on(self._cursor_id)
        self._view.show(self.current)

    # Inside.

    @property
    def _cursor_id(self) -> Hashable:
        return self.current.candidate.candidate if self.current else None
