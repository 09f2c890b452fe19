"""Asks what is worth remembering about an event, and why, next to the event itself.

The event's text is shown for reading; none of it is copied into the boxes automatically.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Button, Input, Static

from ...storage.model.candidate import REASON_MOST, SUMMARY_MOST, Sourced
from ...storage.model.event_detail import EventDetail
from ...widgets.base.page_text import PageText
from ...widgets.base.passages import Passage
from ...widgets.words.ages import clock, local
from ...widgets.words.kinds import LABELS
from ...widgets.words.safe import one_line
from .dialog import CANCEL, HEIGHTS, WIDTHS, Bottom, Dialog, FormScreen
from .field import Field

HINT = "enter: next field · escape: cancel"
ASIDE = "PgUp/PgDn scroll"


@dataclass(frozen=True, slots=True)
class Remembered:
    """The user's answers, with white space collapsed."""

    summary: str
    reason: str


@dataclass(frozen=True, slots=True)
class Original:
    """The event as the form shows it. Foreign text."""

    event_id: str
    at: int | None
    kind: str
    text: str

    @classmethod
    def of_event(cls, event: EventDetail) -> Self:
        """Return the event that the panel shows."""
        return cls(event.event_id or "", event.at, LABELS[event.kind], event.text)

    @classmethod
    def of_candidate(cls, item: Sourced) -> Self:
        """Return the event that a candidate refers to, in its current state."""
        candidate = item.candidate
        text = "The transcript is gone." if item.source == "gone" else item.text
        return cls(candidate.source_id, candidate.captured_at, candidate.event_type, text)


class RememberForm(FormScreen[Remembered | None]):
    """Asks for summary and reason of one event; `place`: its number, and how many there are."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    RememberForm {
        align: center middle;
        background: $background 60%;

        Dialog { max-width: 120; height: 90%; max-height: 22; }
        .remember--facts { height: 2; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        .remember--event { height: 1fr; background: $background; }
        .remember--event PageText { height: 1fr; padding: 0 0 0 1; }
        .remember--words { height: auto; }
        .remember--words Field { margin: 0 0 1 0; }

        &.-wide .remember--both { layout: horizontal; height: 1fr; }
        &.-wide .remember--event { width: 1fr; margin: 0 2 0 0; }
        &.-wide .remember--words { width: 1fr; }

        &.-high.-narrow .remember--event { margin: 0 0 1 0; }
        &.-low Dialog { height: 100%; }
        &.-low .remember--facts { height: 1; }
        &.-low .remember--words Field { margin: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *CANCEL,
        # With priority, so that what is typed right afterwards goes into the next box.
        Binding("enter", "advance", "On", False, tooltip="On, or keep", priority=True),
        Binding("tab", "app.focus_next", "Next", False, tooltip="To the next box", priority=True),
        Binding("pagedown", "turn(1)", "Text", False, tooltip="On in the text", id="forms.page"),
        Binding("pageup", "turn(-1)", "Back", False, tooltip="Back in it", id="forms.page_up"),
    ]

    def __init__(
        self,
        original: Original,
        *,
        place: tuple[int, int] = (1, 1),
        before: Remembered | None = None,
    ) -> None:
        super().__init__()
        self._original = original
        number, count = place
        numbered = f"Remember {number:,} of {count:,}" if count > 1 else "Remember"
        self._heading = "Edit the candidate" if before else numbered
        said = before or Remembered("", "")
        self._summary = Field("summary", said.summary, most=SUMMARY_MOST, id="summary")
        self._reason = Field("reason", said.reason, most=REASON_MOST, id="reason")
        self._text = PageText()
        self._refused = ("", "")
        self._bottom = Bottom("Save" if before else "Remember", aside=ASIDE)

    def compose(self) -> ComposeResult:
        """The event, and the two fields."""
        with Dialog(title=self._heading, hint=HINT):
            with Container(classes="remember--both"):
                with Vertical(classes="remember--event"):
                    yield Static(_facts(self._original), classes="remember--facts")
                    yield self._text
                with Vertical(classes="remember--words"):
                    yield self._summary
                    yield self._reason
            yield self._bottom

    def on_mount(self) -> None:
        """Focus the summary."""
        self._text.show([Passage(self._original.text)])
        self.set_focus(self._summary.box)

    # User actions.

    @on(Input.Changed)
    def _changed(self) -> None:
        if self._words != self._refused:  # a change from before the refusal may arrive after it
            self._bottom.say("")

    @property
    def _words(self) -> tuple[str, str]:
        return self._summary.box.value, self._reason.box.value

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave enter on a button to the button."""
        return action != "advance" or isinstance(self.focused, Input)

    def action_advance(self) -> None:
        """Go from the summary to the reason, and from there save."""
        if self._summary.box.has_focus:
            self.set_focus(self._reason.box)
        else:
            self._save()

    @on(Button.Pressed, "#done")
    def _save(self) -> None:
        for field in (self._summary, self._reason):
            if sentence := _refusal(field):
                self._refused = self._words
                self._bottom.say(sentence)
                self.set_focus(field.box)
                return
        self.end(Remembered(self._summary.text, self._reason.text))

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Cancel without remembering anything."""
        self.end(None)

    def action_turn(self, screens: int) -> None:
        """Scroll the event's text, whichever box has the focus."""
        self._text.action_screens(screens)


def _refusal(field: Field) -> str:
    """Return why a field is invalid; "" if it is not."""
    return field.excess if field.text else f"The {field.label} is blank."


def _facts(original: Original) -> Content:
    """Return two lines: the event's kind and time, and its id."""
    at = original.at
    when = "no time" if at is None else f"{local(at):%Y-%m-%d} {clock(at)}"
    return Content.assemble(
        (one_line(original.kind, 60), "bold $text-accent"),
        (f"  {when}", "$foreground"),
        "\n",
        (one_line(original.event_id, 300) or "no event id", "$foreground-muted"),
    )
