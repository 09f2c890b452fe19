"""One event whole: what it says, its arguments, its result and its record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from ...storage.model.event_detail import EventDetail
from ..base import keys
from ..base.page_text import PageText
from ..base.passages import Passage
from ..base.widget_message import WidgetMessage
from ..words.ages import clock, local
from ..words.amounts import count, duration, size, tokens
from ..words.kinds import LABELS
from ..words.matches import Patterns
from ..words.safe import exact_name, one_line, safe_text
from .columns import asks, sign
from .event_sections import SECTIONS, Section, available, passages, plain_text

COPIED = 100_000
"""Characters that go to the clipboard: terminals drop longer ones without a word."""

_STATE_STYLES = {
    "completed": "$text-success",
    "failed": "bold $text-error",
    "uncertain": "bold $text-warning",
    "running": "$text-accent",
}


class EventPanel(Vertical):
    """Shows an `EventDetail`; `1` to `4` choose the section."""

    HELP = """\
## Event

One event in full: `1` readable (an edit as a diff), `2` arguments, `3` result, `4` raw JSON.

Long text is split into pages: keep scrolling to load the next page.
`y` copies the event id, `Y` the text, `e` opens the file in your editor.
"""
    DEFAULT_CSS = """
    EventPanel {
        height: 1fr;
        background: $background;
        & > Static { padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & > #event-facts { height: 2; }
        & > #event-sections { height: 1; color: $text-muted; }
        & > PageText { height: 1fr; padding: 0 0 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = keys.EVENT

    @dataclass
    class Copied(WidgetMessage["EventPanel"]):
        """Something went to the clipboard; `whole` is false where it was cut."""

        what: str
        whole: bool = True

    @dataclass
    class FileWanted(WidgetMessage["EventPanel"]):
        """The file of the event is to be opened; `path` is foreign."""

        path: str
        cwd: str | None

    def __init__(
        self,
        *,
        empty: str = "Choose an event, and it is shown here whole.",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._event: EventDetail | None = None
        self._section: Section = "event"
        self._empty = empty
        self._facts = Static(id="event-facts")
        self._choice = Static(id="event-sections")
        self._text = PageText(id="event-text")

    def compose(self) -> ComposeResult:
        """Facts, the choice of sections, and the text."""
        yield from (self._facts, self._choice, self._text)

    def on_mount(self) -> None:
        """Show what was chosen before, or how to choose."""
        self._update()

    @property
    def event(self) -> EventDetail | None:
        """The event shown."""
        return self._event

    @property
    def section(self) -> Section:
        """The section shown."""
        return self._section

    def show(self, event: EventDetail | None) -> None:
        """Show an event; the section stays where the event has it."""
        self._event = event
        if self.has_focus_within:
            self.refresh_bindings()
        if event is not None and not available(event, self._section):
            self._section = "event"
        if self.is_mounted:
            self._update()

    def mark(self, patterns: Patterns) -> None:
        """Mark what these find in the text of every event, from now on."""
        self._text.mark(patterns)

    def focus(self, scroll_visible: bool = True) -> Self:
        """Give the keys to the text."""
        self._text.focus(scroll_visible)
        return self

    def _update(self) -> None:
        event, facts, sections = self._event, self._facts, self._choice
        facts.display = sections.display = event is not None
        text = self._text
        if event is None:
            text.show([Passage(self._empty, "muted")])
            return
        # Both have a height of their own: nothing around them moves.
        facts.update(_facts(event), layout=False)
        sections.update(_choice(event, self._section), layout=False)
        text.show(passages(event, self._section))

    def offers(self, action: str) -> bool:
        """A file is opened where the event concerns one."""
        return action != "open_file" or bool(self._event and self._event.path)

    def action_section(self, section: Section) -> None:
        """Show another section, if the event has it."""
        if self._event is not None and available(self._event, section):
            self._section = section
            self._update()

    def action_copy_id(self) -> None:
        """Copy the event id."""
        if self._event is not None and self._event.event_id:
            self.app.copy_to_clipboard(one_line(self._event.event_id))
            self.post_message(self.Copied(self, "event id"))

    def action_copy_text(self) -> None:
        """Copy the text, cut where terminals would drop it, and as safe to paste as to see."""
        if self._event is not None and (text := plain_text(self._event)):
            self.app.copy_to_clipboard(safe_text(text, COPIED))
            self.post_message(self.Copied(self, "text", len(text) <= COPIED))

    def action_open_file(self) -> None:
        """Ask for the file that the event concerns."""
        if self._event is not None and self._event.path:
            self.post_message(self.FileWanted(self, self._event.path, self._event.cwd))


def _facts(event: EventDetail) -> Content:
    """Two lines: what it is and how it went; how to refer to it."""
    name = one_line(event.tool, 60) if event.tool else LABELS[event.kind]
    state = f" {sign(event.state, event.detail)} {one_line(event.detail, 60) or event.state}"
    asking = asks(event.state, event.detail)
    look = "bold $text-warning" if asking else _STATE_STYLES.get(event.state, "$foreground-muted")
    facts = [part for part in (_when(event), *_measures(event)) if part]
    reference = [event.event_id or "no event id", exact_name(event.path or "")]
    if event.number is not None:
        reference.insert(0, f"record {event.number:,}")
    return Content.assemble(
        (name, "bold $text-accent"),
        (state if event.state else "", look),
        ("  " + " · ".join(facts), "$foreground"),
        "\n",
        (" · ".join(one_line(part, 200) for part in reference if part), "$foreground-muted"),
    )


def _when(event: EventDetail) -> str:
    return "no time" if event.at is None else f"{local(event.at):%Y-%m-%d} {clock(event.at)}"


def _measures(event: EventDetail) -> list[str]:
    """Duration, model, tokens and length, as far as they are known."""
    found = []
    if event.duration is not None:
        found.append(duration(event.duration))
    if event.model:
        found.append(one_line(event.model, 60))
    if event.usage is not None:
        used = event.usage
        found.append(
            f"{tokens(used.input)} in + {tokens(used.cached)} cached, {tokens(used.output)} out"
        )
    if event.kind not in ("call", "result"):
        found.append(count(len(event.text), "character"))
    elif event.result is not None:
        found.append(size(len(event.result)))
    return found


def _choice(event: EventDetail, chosen: Section) -> Content:
    """The sections with their keys; those that the event lacks are faint."""
    parts: list[tuple[str, str]] = []
    for number, section in enumerate(SECTIONS, 1):
        style = "$foreground-disabled"
        if section == chosen:
            style = "bold $text-accent underline"
        elif available(event, section):
            style = "$foreground-muted"
        parts += [(f"{number} {section}", style), ("   ", "")]
    return Content.assemble(*parts)
