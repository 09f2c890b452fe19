"""A line with the names of panes that share a place; one of them is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from .widget_message import WidgetMessage

GAP = 3
"""Cells between two names."""


class TabBar(Widget):
    """Tabs by name; each may have a mark such as the number of uncertain actions."""

    DEFAULT_CSS = """
    TabBar { height: 1; padding: 0 1; background: $background; color: $foreground; }
    """

    @dataclass
    class Chosen(WidgetMessage["TabBar"]):
        """A tab was clicked."""

        name: str

    def __init__(self, names: Mapping[str, str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._names = dict(names)
        self._marks: dict[str, str] = {}
        self._shown = next(iter(self._names))

    @property
    def shown(self) -> str:
        """The active tab."""
        return self._shown

    def show(self, name: str) -> None:
        """Set the active tab."""
        self._shown = name
        self.refresh()

    def mark(self, name: str, mark: str) -> None:
        """Set the mark after a tab's name; "" removes it."""
        if self._marks.get(name, "") != mark:
            self._marks[name] = mark
            self.refresh()

    def next(self, step: int) -> str:
        """Return the tab after the active one, wrapping around."""
        names = list(self._names)
        return names[(names.index(self._shown) + step) % len(names)]

    def render(self) -> Content:
        """Return the names, the active one underlined."""
        parts: list[tuple[str, str]] = []
        for name, title in self._names.items():
            style = "bold underline $text-accent" if name == self._shown else "$foreground-muted"
            mark = self._marks.get(name, "")
            parts += [(title, style), (f" {mark}" if mark else "", "bold $text-warning")]
            parts.append((" " * GAP, ""))
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Choose the tab that was clicked."""
        at = 1
        for name, title in self._names.items():
            mark = self._marks.get(name, "")
            width = cell_len(title) + (cell_len(mark) + 1 if mark else 0)
            if at <= event.x < at + width:
                self.post_message(self.Chosen(self, name))
                return
            at += width + GAP
