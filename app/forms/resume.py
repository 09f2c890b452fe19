"""Shows how a session would be resumed in its agent, and asks whether to do it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from ...storage.resume.resumption import Resumption
from ...storage.text.safe_text import one_line, shown_name
from ..notify.toast import say
from ..output.resumption_lines import LONGEST, command_line, environment_lines
from ..terminal.clipboard import copied
from .dialog import CANCEL, HEIGHTS, WIDTHS, Bottom, Dialog, FormScreen

Styled = tuple[str, str]


class ResumeForm(FormScreen[bool]):
    """Asks whether to resume a session; if that is not possible, says why."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    ResumeForm {
        align: center middle;
        background: $background 60%;

        VerticalScroll { height: auto; max-height: 1fr; background: $surface; }
        Static { width: 1fr; height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *CANCEL,
        Binding("q", "cancel", "Cancel", False, tooltip="Leave all as it is", id="forms.leave"),
        Binding("enter", "run", "Resume", tooltip="Run it on this terminal", id="forms.resume"),
        Binding("c", "note", "Copy note", tooltip="Copy the note for the agent", id="forms.note"),
    ]

    def __init__(self, wanted: Resumption, title: str, note: str = "") -> None:
        """`note`: text for the agent, which does not know of calls without a result."""
        super().__init__()
        self._wanted = wanted
        self._note = note
        self._title = title
        self._text = VerticalScroll(Static(_content(wanted, title), markup=False))
        self._bottom = Bottom("Resume")

    def offers(self, action: str) -> bool:
        """Return whether there is a command to run, or a note to copy."""
        if action == "note":
            return bool(self._note)
        return action != "run" or bool(self._wanted.command)

    def compose(self) -> ComposeResult:
        """The command, its directory and any warnings, or why there is no command."""
        does = "enter or escape closes" if self._wanted.refusal else "enter runs · escape cancels"
        if self._note:
            does = f"c copies the note · {does}"
        with Dialog(title="Resume in the agent", hint=does):
            yield self._text
            yield self._bottom

    def on_mount(self) -> None:
        """Make the text scrollable; hide the button if there is nothing to run."""
        if self._wanted.refusal:
            self._bottom.query_one("#done").display = False
            self._bottom.query_one("#cancel", Button).label = "Close"
        self.set_focus(self._text)

    @on(Button.Pressed, "#done")
    def action_run(self) -> None:
        """Resume the session, unless that was refused."""
        self.end(not self._wanted.refusal)

    def action_note(self) -> None:
        """Copy the note for the agent."""
        self.app.copy_to_clipboard(self._note)
        say(self.app, copied(self.app, "the note", ": paste it as your first prompt"))

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Close without resuming."""
        self.end(False)


def _content(wanted: Resumption, title: str) -> Content:
    lines = [(one_line(title), "bold $foreground")]
    lines += [(one_line(wanted.refusal, LONGEST), "$text-error")] if wanted.refusal else []
    parts: list[Styled] = []
    for text, style in [*lines, *_lines(wanted)]:
        parts += [("\n", ""), (text, style)]
    return Content.assemble(*parts[1:])


def _lines(wanted: Resumption) -> Iterator[Styled]:
    """Yield what to read before agreeing."""
    if wanted.refusal:
        return
    yield command_line(wanted), "$text-primary"
    yield f"in {shown_name(wanted.cwd)}", "$foreground"
    for line in environment_lines(wanted):
        yield f"with {line}", "$foreground-muted"
    for warning in wanted.warnings:
        yield f"⚠ {one_line(warning, LONGEST)}", "$text-warning"
