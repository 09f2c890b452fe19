"""A list with a view of the selected entry, and the last decision on its entries."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from .virtual_rows import VirtualRows

NARROW = 70
"""Cells below which list and view are shown one at a time."""


class View(Vertical):
    """A pane that shows one entry."""

    @abstractmethod
    def take_keys(self) -> None:
        """Focus its text."""


L = TypeVar("L", bound=VirtualRows[Any])
V = TypeVar("V", bound=View)


class ListAndView(Horizontal, Generic[L, V]):
    """A list and a view side by side, or if narrow, only the focused one.

    An empty list is shown alone. A subclass sets the width of the list.
    """

    DEFAULT_CSS = """
    ListAndView {
        height: 1fr;
        background: $background;
        & > .list { border-right: vkey $panel; }
        & > .view { width: 1fr; }
        &.-narrow > .list { width: 1fr; max-width: 100%; border-right: none; }
        &.-narrow > .view { display: none; }
        &.-narrow.-on-view > .list { display: none; }
        &.-narrow.-on-view > .view { display: block; }
        &.-empty > .list { display: block; width: 1fr; max-width: 100%; border-right: none; }
        &.-empty > .view { display: none; }
    }
    """

    def __init__(self, list: L, view: V, *, id: str | None, classes: str | None) -> None:
        super().__init__(id=id, classes=classes)
        self._list, self._view = list, view
        list.add_class("list")
        view.add_class("view")

    def compose(self) -> ComposeResult:
        """Return the list and the view."""
        yield from (self._list, self._view)

    @property
    def is_narrow(self) -> bool:
        """Whether there is room for only one of them."""
        return self.has_class("-narrow")

    @property
    def is_on_view(self) -> bool:
        """Whether the view has the focus, or had it before another widget took it."""
        return self.has_class("-on-view")

    def show_empty(self, is_empty: bool) -> None:
        """Show only the list if it is empty."""
        self.set_class(is_empty, "-empty")

    def turn_to(self, *, view: bool) -> None:
        """Focus the view or the list."""
        self.set_class(view, "-on-view")
        self.take_keys()

    def take_keys(self) -> None:
        """Return the focus to the one that had it."""
        if self.is_on_view:
            self._view.take_keys()
        else:
            self.screen.set_focus(self._list)

    def on_resize(self, event: events.Resize) -> None:
        """Show one at a time if both do not fit."""
        self.set_class(event.size.width < NARROW, "-narrow")

    def on_descendant_focus(self) -> None:
        """Follow a focus change by tab or mouse."""
        if self._list.has_focus or self._view.has_focus_within:
            self.set_class(self._view.has_focus_within, "-on-view")


@dataclass(frozen=True, slots=True)
class LastDecision:
    """The last decision, which can be undone until the cursor moves."""

    ids: frozenset[Hashable] = frozenset()
    rests_on: Hashable = None
    """Where the cursor came to stand then."""

    def while_on(self, cursor: Hashable) -> LastDecision:
        """Return the decision if the cursor is still on it."""
        return self if cursor == self.rests_on else LastDecision()
