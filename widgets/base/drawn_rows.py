"""A cache of drawn rows by content, and the drawing that all rows share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from rich.segment import Segment
from textual.cache import LRUCache
from textual.geometry import Size
from textual.strip import Strip

from ..words.safe import fit, one_line
from ..words.wrapping import wrap
from .palette import Palette
from .rows import Look
from .strips import overlay

ROW_CLASSES = {
    "rows--cursor",
    "rows--cursor-blurred",
    "rows--bar",
    "rows--bar-blurred",
    "rows--mark",
    "rows--empty",
}
"""The component classes of all rows."""

BARE = Look(cursor=False, focus=False, marked=False)

KEPT_ROWS = 256
"""Drawn rows kept: some screens full."""


class DrawnRows:
    """Draws a row once per width and look, until `clear`."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._kept: LRUCache[Hashable, Sequence[Strip]] = LRUCache(KEPT_ROWS)

    def clear(self) -> None:
        """Forget everything, after a change of theme, style sheet or source."""
        self._kept.clear()

    def lines(
        self, key: Hashable, look: Look, width: int, draw: Callable[[], Sequence[Strip]]
    ) -> Sequence[Strip]:
        """Return the lines of the row that `key` identifies."""
        whole_key = (key, look, width)
        if (strips := self._kept.get(whole_key)) is None:
            paper = self._palette.paper(f"rows--cursor{look.suffix}" if look.cursor else None)
            strips = self._kept[whole_key] = [overlay(strip, paper) for strip in draw()]
        return strips

    def bar(self, look: Look) -> Segment:
        """Return the cell at the left edge, which shows cursor and mark even without colours."""
        if look.marked:
            return Segment("◼" if look.cursor else "▪", self._palette.ink("rows--mark"))
        if look.cursor:
            return Segment("▌", self._palette.ink(f"rows--bar{look.suffix}"))
        return Segment(" ")

    def blank(self, text: str, y: int, size: Size) -> Strip:
        """Return a line without a row: part of the empty text in the upper third, or blank."""
        room = max(1, size.width - 4)
        lines = [part for line in text.split("\n") for part in wrap(one_line(line), room)]
        at = y - max(0, (size.height - len(lines)) // 3)
        line = fit(f"  {lines[at]}" if 0 <= at < len(lines) else "", size.width)
        return self.lines(("blank", line), BARE, size.width, lambda: [self._faint(line)])[0]

    def _faint(self, line: str) -> Strip:
        return Strip([Segment(line, self._palette.ink("rows--empty"))])
