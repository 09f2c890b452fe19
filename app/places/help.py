"""The help overlay: the help texts of the focused pane and its parents, and all active keys.

It shows only text of the program, never text from a transcript.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Markdown, Static

from ...widgets.base import keys
from ...widgets.words.safe import fit
from ..base.overlay import Overlay

MOTIONS = ("rows.", "text.")
"""Prefixes of the ids of common navigation keys, which are listed separately."""

NO_MOTIONS = frozenset({"rows.open", "rows.mark"})


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """Keys as they are displayed, and what they do."""

    keys: str
    does: str


@dataclass(frozen=True, slots=True)
class Help:
    """The contents of the help for a screen."""

    texts: tuple[str, ...]
    """Markdown texts, that of the innermost widget first."""
    special: tuple[KeyHelp, ...]
    motions: tuple[KeyHelp, ...]


def help_of(screen: Screen[object]) -> Help:
    """Return the help for the focused widget of a screen and its parents."""
    place: DOMNode = screen.focused or screen
    texts = [node.HELP for node in place.ancestors_with_self if node.HELP]
    active = [one for one in screen.active_bindings.values() if one.enabled and one.tooltip]
    return Help(
        tuple(dict.fromkeys(texts)),
        tuple(_named(screen, [one for one in active if not _is_motion(one)])),
        tuple(_named(screen, [one for one in active if _is_motion(one)])),
    )


def _is_motion(active: ActiveBinding) -> bool:
    id = active.binding.id or ""
    return id.startswith(MOTIONS) and id not in NO_MOTIONS


def _named(screen: Screen[object], active: list[ActiveBinding]) -> Iterator[KeyHelp]:
    """Yield one line per action, with all keys bound to it."""
    displays: dict[tuple[DOMNode, str], list[str]] = {}
    tooltips: dict[tuple[DOMNode, str], str] = {}
    for node, binding, _, tooltip in active:
        display = screen.app.get_key_display(binding)
        displays.setdefault((node, binding.action), []).append(display)
        tooltips.setdefault((node, binding.action), tooltip)
    for action, shown in displays.items():
        yield KeyHelp(" ".join(dict.fromkeys(shown)), tooltips[action])


class HelpText(VerticalScroll, inherit_bindings=False):
    """Scrolls with the usual text keys."""

    BINDINGS: ClassVar[list[BindingType]] = keys.TEXT

    def action_lines(self, count: int) -> None:
        """Scroll by lines."""
        self.scroll_relative(y=count, animate=False)

    def action_screens(self, count: float) -> None:
        """Scroll by the height of the view."""
        self.action_lines(int(max(1, self.scrollable_content_region.height - 1) * count))

    def action_first(self) -> None:
        """Scroll to the beginning."""
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        """Scroll to the end."""
        self.scroll_end(animate=False)


class HelpScreen(Overlay[None]):
    """Shows the help as an overlay over the screen that it describes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("question_mark,escape,q", "dismiss", "Close"),
    ]

    def __init__(self, help: Help) -> None:
        super().__init__()
        self._help = help

    def compose(self) -> ComposeResult:
        """Yield the texts, the keys and the navigation keys."""
        with HelpText(id="help") as box:
            box.border_title = "Help"
            box.border_subtitle = "? or escape closes"
            for text in self._help.texts:
                yield Markdown(text, open_links=False)
            special, motions = self._help.special, self._help.motions
            width = max((cell_len(line.keys) for line in (*special, *motions)), default=0)
            if special:
                yield Static(_table("Keys", special, width), classes="help--keys")
            if motions:
                yield Static(_table("Moving", motions, width), classes="help--motions")


def _table(title: str, lines: tuple[KeyHelp, ...], width: int) -> Content:
    """Return a heading with one line per key below it."""
    parts: list[tuple[str, str]] = [(title, "bold $text-accent"), ("\n", "")]
    for line in lines:
        parts.append((f"\n{fit(line.keys, width)}", "bold $text-primary"))
        parts.append((f"  {line.does}", "$foreground"))
    return Content.assemble(*parts)
