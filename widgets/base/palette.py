"""The colours of one widget, cached until the theme or the style sheet changes."""

from __future__ import annotations

from rich.style import Style
from textual.widget import Widget


class Palette:
    """The component classes of a widget as styles: `ink` for text, `paper` for background."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[str, Style] = {}

    def clear(self) -> None:
        """Clear the cache; call this from `notify_style_update`."""
        self._styles.clear()

    def whole(self, name: str) -> Style:
        """Return the style of a component class, including its background."""
        return self._widget.get_component_rich_style(name)

    def ink(self, name: str) -> Style:
        """Return colour and weight of a component class, without background."""
        if name not in self._styles:
            whole = self.whole(name)
            self._styles[name] = Style(
                color=whole.color,
                bold=whole.bold,
                dim=whole.dim,
                italic=whole.italic,
                underline=whole.underline,
                strike=whole.strike,
                reverse=whole.reverse,
            )
        return self._styles[name]

    def paper(self, name: str | None = None) -> Style:
        """Return the widget's own style on the background of a component class."""
        own = self._widget.rich_style
        return own if name is None else own + Style(bgcolor=self.whole(name).bgcolor)

    @property
    def selection(self) -> Style:
        """Return the style of selected text."""
        screen = self._widget.screen
        return Style(bgcolor=screen.get_component_rich_style("screen--selection").bgcolor)
