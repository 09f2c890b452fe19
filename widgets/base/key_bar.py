"""The available keys, in one line at the bottom of a screen.

Textual's own footer creates a widget per key whenever the focus changes, and keeps the previous
ones for as long as the screen lives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

LASTING = frozenset({"q", "question_mark"})
"""The way out and the help: they stay for as long as there is room for anything."""


@runtime_checkable
class Chooser(Protocol):
    """A widget whose keys are not always available: they are shown only when they are."""

    def offers(self, action: str) -> bool:
        """Return whether an action, named as in its binding, would do something now."""
        ...


class Hint(NamedTuple):
    """A key and its action."""

    key: str
    shown: str
    """The key as people write it."""
    does: str
    enabled: bool

    @property
    def cells(self) -> int:
        """Return its width in cells."""
        return cell_len(self.shown) + cell_len(self.does) + 3


class KeyBar(Widget):
    """The keys of the focused widget, as many as fit; clicking one presses it."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyBar {
        dock: bottom;
        height: 1;
        background: $panel;
        color: $foreground;
        text-wrap: nowrap;
        text-overflow: clip;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._hints: list[Hint] = []

    def on_mount(self) -> None:
        """Subscribe to changes of the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._take)

    def on_resize(self) -> None:
        """Render again: some keys are only for wide terminals."""
        self._take(self.screen)

    def render(self) -> Content:
        """Return the keys with their actions."""
        parts = (part for hint, _ in self._placed() for part in _parts(hint))
        return Content.assemble(*parts).rstrip()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Press the key that was clicked."""
        hint = next((hint for hint, end in self._placed() if event.x < end), None)
        if hint is not None:
            self.app.simulate_key(hint.key) if hint.enabled else self.app.bell()

    def _placed(self) -> Iterator[tuple[Hint, int]]:
        """Yield those that fit, with the column at which each ends; permanent ones first."""
        room, at = self.size.width + len(" "), 0
        kept = sum(hint.cells for hint in self._hints if hint.key in LASTING)
        for hint in self._hints:
            kept -= hint.cells if hint.key in LASTING else 0
            if at + hint.cells + kept <= room:
                at += hint.cells
                yield hint, at
            elif hint.key not in LASTING:
                room = min(room, at + kept)  # no other takes the place of one that does not fit

    def _take(self, screen: Screen[object]) -> None:
        # While the terminal has no focus nothing has the keys.
        if self.app.app_focus and (hints := list(self._found(screen))) != self._hints:
            self._hints = hints
            self.refresh()

    def _found(self, screen: Screen[object]) -> Iterator[Hint]:
        """Return the bindings to show; of several keys for an action, the first."""
        seen = set()
        for node, binding, enabled, _ in screen.active_bindings.values():
            if isinstance(node, Chooser) and not node.offers(binding.action):
                continue
            if binding.show and binding.action not in seen:
                seen.add(binding.action)
                shown = self.app.get_key_display(binding)
                yield Hint(binding.key, shown, binding.description, enabled)


def _parts(hint: Hint) -> Iterator[tuple[str, str]]:
    faint = "" if hint.enabled else " dim"
    yield f" {hint.shown} ", f"bold $text-accent{faint}"
    yield f"{hint.does} ", faint.strip()
