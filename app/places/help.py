"""What one can do here: the help of the pane that has the keys, and every key that works in it.

All of it is the program's own text; nothing of a transcript comes here.
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
"""How the ids of those keys begin that everybody guesses."""

NO_MOTIONS = frozenset({"rows.open", "rows.mark"})


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """Keys as they are written on the screen, and what they do."""

    keys: str
    does: str


@dataclass(frozen=True, slots=True)
class Help:
    """What there is to say of a place."""

    texts: tuple[str, ...]
    """In Markdown, the innermost pane first."""
    special: tuple[KeyHelp, ...]
    motions: tuple[KeyHelp, ...]


def help_of(screen: Screen[object]) -> Help:
    """The help of what has the keys on a screen, and around it."""
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
    """One line an action, with all the keys that lead to it."""
    displays: dict[tuple[DOMNode, str], list[str]] = {}
    tooltips: dict[tuple[DOMNode, str], str] = {}
    for node, binding, _, tooltip in active:
        display = screen.app.get_key_display(binding)
        displays.setdefault((node, binding.action), []).append(display)
        tooltips.setdefault((node, binding.action), tooltip)
    for action, shown in displays.items():
        yield KeyHelp(" ".join(dict.fromkeys(shown)), tooltips[action])


class HelpText(VerticalScroll, inherit_bindings=False):
    """Scrolls by the keys that every text scrolls by."""

    BINDINGS: ClassVar[list[BindingType]] = keys.TEXT

    def action_lines(self, count: int) -> None:
        """Scroll by lines."""
        self.scroll_relative(y=count, animate=False)

    def action_screens(self, count: float) -> None:
        """Scroll by the height of the view."""
        self.action_lines(int(max(1, self.scrollable_content_region.height - 1) * count))

    def action_first(self) -> None:
        """To the beginning."""
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        """To the end."""
        self.scroll_end(animate=False)


class HelpScreen(Overlay[None]):
    """Help over the place that it tells of."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("question_mark,escape,q", "dismiss", "Close"),
    ]

    def __init__(self, help: Help) -> None:
        super().__init__()
        self._help = help

    def compose(self) -> ComposeResult:
        """Texts, keys, motions."""
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
    """A heading with a line a key below it."""
    parts: list[tuple[str, str]] = [(title, "bold $text-accent"), ("\n", "")]
    for line in lines:
        parts.append((f"\n{fit(line.keys, width)}", "bold $text-primary"))
        parts.append((f"  {line.does}", "$foreground"))
    return Content.assemble(*parts)
