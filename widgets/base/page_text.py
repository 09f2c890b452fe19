"""A reading pane for text of any length, paginated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.selection import Selection
from textual.strip import Strip

from ..words.matches import Patterns, Span, spans, within
from ..words.safe import fit
from . import keys
from .palette import Palette
from .passages import Line, Page, Passage, lines, pages
from .row_selection import forget_selection
from .scroll_extent import set_lines
from .strips import extract, overlay, selected
from .text_lines import TextLines

LOOKS = ("plain", "muted", "heading", "label", "added", "removed", "hunk", "error")

LOOKED_THROUGH = 64
"""Pages in which the first match is looked for."""


class PageText(TextLines, can_focus=True, inherit_bindings=False):
    """Wrapped passages; scrolling beyond the end of a page shows the next."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"text--{look}" for look in (*LOOKS, "match")}
    DEFAULT_CSS = """
    PageText {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        background: $background;
        color: $foreground;
        & > .text--plain { color: $foreground; }
        & > .text--muted { color: $text-muted; }
        & > .text--heading { color: $text-accent; text-style: bold; }
        & > .text--label { color: $text-primary; }
        & > .text--added { color: $text-success; background: $success 12%; }
        & > .text--removed { color: $text-error; background: $error 12%; }
        & > .text--hunk { color: $text-muted; text-style: italic; }
        & > .text--error { color: $text-error; text-style: bold; }
        & > .text--match { color: $text; background: $warning 45%; text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = keys.TEXT

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.palette = Palette(self)
        self._pages: list[Page] = [[]]
        self._page = 0
        self._lines: Sequence[Line] = ()
        self._patterns: Patterns = ()

    def show(self, passages: Iterable[Passage]) -> None:
        """Show a text from its start, or from the first match."""
        self._pages = pages(passages)
        self._turn_to(0, at_end=False)
        self._show_match()

    def mark(self, patterns: Patterns) -> None:
        """Highlight these matches from now on, and show the first one."""
        self._patterns = patterns
        self._show_match()
        self.refresh()

    @property
    def page(self) -> int:
        """Number of the page shown, counting from 1."""
        return self._page + 1

    @property
    def page_count(self) -> int:
        """Number of pages of the text."""
        return len(self._pages)

    def action_lines(self, count: int) -> None:
        """Scroll by lines, turning pages if necessary."""
        if count > 0 and self.scroll_offset.y >= self.max_scroll_y:
            self._turn_to(self._page + 1, at_end=False)
        elif count < 0 and self.scroll_offset.y <= 0:
            self._turn_to(self._page - 1, at_end=True)
        else:
            self._scroll(self.scroll_offset.y + count)

    def action_screens(self, count: float) -> None:
        """Scroll by one screen."""
        height = max(2, self.scrollable_content_region.height)
        self.action_lines(int((height - 1) * count))

    def action_first(self) -> None:
        """Go to the start of the text."""
        self._turn_to(0, at_end=False)
        self._scroll(0)

    def action_last(self) -> None:
        """Go to the end of the text."""
        self._turn_to(len(self._pages) - 1, at_end=True)
        self._scroll(self.max_scroll_y)

    def line(self, y: int) -> Strip:
        """Return a visible line."""
        width, at = self.size.width, y + self.scroll_offset.y
        if at >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        text, look, _ = self._lines[at]
        paper = self.palette.paper(f"text--{look}" if look in ("added", "removed") else None)
        ink = self.palette.ink(f"text--{look}")
        strip = overlay(Strip([Segment(fit(text, width), ink)], width), paper)
        for span in self._matches(at):
            strip = selected(strip, span, self.palette.whole("text--match"))
        if (selection := self.text_selection) is not None:
            strip = selected(strip, selection.get_span(at), self.palette.selection)
        return strip

    def notify_style_update(self) -> None:
        """Redraw after a change of theme or style sheet."""
        super().notify_style_update()
        self.palette.clear()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text of this page."""
        return extract(selection, len(self._lines), lambda line: self._lines[line].text), "\n"

    def on_resize(self) -> None:
        """Wrap again for the new width, keeping the position in the text approximately."""
        was_shown = bool(self._lines)
        share = self.scroll_offset.y / max(1, len(self._lines))
        self._wrap()
        self._scroll(int(share * len(self._lines)))
        if not was_shown:
            self._show_match()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Turn pages with the wheel, too."""
        if self.scroll_offset.y >= self.max_scroll_y and self._page + 1 < len(self._pages):
            event.prevent_default().stop()
            self._turn_to(self._page + 1, at_end=False)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Turn pages back with the wheel, too."""
        if self.scroll_offset.y <= 0 and self._page:
            event.prevent_default().stop()
            self._turn_to(self._page - 1, at_end=True)

    def _turn_to(self, page: int, *, at_end: bool) -> None:
        """Show a page, unless it is shown already or does not exist."""
        if not 0 <= page < len(self._pages):
            return
        self._page = page
        self._wrap()
        self._scroll(self.max_scroll_y if at_end else 0)

    def _matches(self, at: int) -> list[Span]:
        """Return the spans of matches in a line, including those that wrap."""
        if not self._patterns:
            return []
        text, start = "", 0
        for place in range(max(0, at - 1), min(at + 2, len(self._lines))):
            line = self._lines[place]
            text += line.joint if text else ""
            start = len(text) if place == at else start
            text += line.text
        return within(spans(text, self._patterns), start, start + len(self._lines[at].text))

    def _show_match(self) -> None:
        """Scroll the first match into view, with some context above."""
        if not self._patterns or not self._lines:
            return
        for number, page in enumerate(self._pages[:LOOKED_THROUGH]):
            if any(spans(passage.text, self._patterns) for passage in page):
                if number != self._page:
                    self._turn_to(number, at_end=False)
                break
        places = (at for at in range(len(self._lines)) if self._matches(at))
        height = self.scrollable_content_region.height
        if (place := next(places, 0)) >= height - 1:
            self._scroll(place - height // 3)

    def _wrap(self) -> None:
        width, before = self.scrollable_content_region.width, self._lines
        self._lines = [*lines(self._pages[self._page], width), *self._page_note()] if width else ()
        if self._lines != before:
            forget_selection(self)
        set_lines(self, len(self._lines))

    def _page_note(self) -> Iterable[Line]:
        if len(self._pages) > 1:
            yield Line(f"── page {self.page:,} of {self.page_count:,} ──", "hunk")

    def _scroll(self, y: int) -> None:
        self.scroll_to(y=max(0, y), animate=False, immediate=True, force=True)
