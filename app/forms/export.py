"""Asks how to export approved candidates: the format and the destination. Writes nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from ...widgets.words.amounts import count
from ...widgets.words.folders import below_home
from ...widgets.words.safe import safe
from .destination import destination, is_taken, objection
from .dialog import CANCEL, HEIGHTS, WIDTHS, Bottom, Dialog, FormScreen
from .line_input import LineInput

Form = Literal["markdown", "jsonl"]

SUFFIXES: dict[Form, str] = {"markdown": ".md", "jsonl": ".jsonl"}

CHOICES: tuple[tuple[str, Form, bool], ...] = (
    ("copy as Markdown", "markdown", False),
    ("copy as JSON Lines", "jsonl", False),
    ("write Markdown to a file", "markdown", True),
    ("write JSON Lines to a file", "jsonl", True),
)
"""Each choice: its label, the format, and whether it goes to a file."""


@dataclass(frozen=True, slots=True)
class Export:
    """The choice; a path of None means the clipboard."""

    form: Form
    path: Path | None


class ExportForm(FormScreen[Export | None]):
    """Asks how to export a number of candidates.

    `directory` is the suggested folder. `forbidden` returns why a path must not be written, in a
    sentence; "" if it may.
    """

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    ExportForm {
        align: center middle;
        background: $background 60%;

        Dialog { max-width: 64; }
        OptionList {
            margin: 0 0 1 0;
            background: $surface;
            & > .option-list--option-highlighted { background: $panel; }
            &:focus {
                background-tint: $foreground 0%;
                & > .option-list--option-highlighted {
                    background: $primary 30%;
                    color: $foreground;
                }
            }
        }
        #file { height: 2; display: none; }
        #folder { height: 1; color: $text-accent; text-wrap: nowrap; text-overflow: ellipsis; }
        &.-to-file #file { display: block; }
        &.-low OptionList { margin: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *CANCEL,
        Binding("j", "move(1)", "Down", False, tooltip="To the next", id="forms.down"),
        Binding("k", "move(-1)", "Up", False, tooltip="To the one before", id="forms.up"),
        *(
            Binding(f"{n}", f"choose({n - 1})", text, False, tooltip=text, id=f"forms.choose_{n}")
            for n, (text, *_) in enumerate(CHOICES, 1)
        ),
    ]

    def __init__(
        self,
        candidates: int,
        directory: Path,
        *,
        stem: str = "memory-candidates",
        forbidden: Callable[[Path], str] = lambda path: "",
    ) -> None:
        super().__init__()
        self._candidates = candidates
        self._directory = directory
        self._stem = stem
        self._forbidden = forbidden
        self._form: Form = "markdown"
        self._agreed: Path | None = None
        """The existing file that the next enter overwrites."""
        options = [Option(f"{n}  {text}") for n, (text, *_) in enumerate(CHOICES, 1)]
        self._choice = OptionList(*options, compact=True, markup=False)
        self._box = LineInput(self._suggestion)
        self._bottom = Bottom("Export")

    def compose(self) -> ComposeResult:
        """The choices, and the name of a file."""
        title = f"Export {count(self._candidates, 'approved candidate')}"
        with Dialog(title=title, hint="1–4 chooses · escape cancels"):
            yield self._choice
            with Vertical(id="file"):
                yield Static(safe(f"file in {below_home(str(self._directory))}", 400), id="folder")
                yield self._box
            yield self._bottom

    def on_mount(self) -> None:
        """Focus the choices."""
        self._choice.highlighted = 0
        self.set_focus(self._choice)

    # User actions.

    def action_move(self, step: int) -> None:
        """Move the highlight."""
        self._choice.highlighted = ((self._choice.highlighted or 0) + step) % len(CHOICES)

    def action_choose(self, index: int) -> None:
        """Choose by number."""
        self._choice.highlighted = index
        self._choice.action_select()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._show_choice(event.option_index)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._show_choice(event.option_index)
        if self._to_file:
            self.set_focus(self._box)
        else:
            self.end(Export(self._form, None))

    @on(Input.Changed)
    def _changed(self) -> None:
        self._agreed = None
        self._bottom.say("")

    @on(Input.Submitted)
    @on(Button.Pressed, "#done")
    def _export(self) -> None:
        if not self._to_file:
            self.end(Export(self._form, None))
        elif sentence := self._refusal():
            self._bottom.say(sentence)
            self.set_focus(self._box)
        else:
            self.end(Export(self._form, self._path))

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Cancel the export."""
        self.end(None)

    # Internals.

    @property
    def _to_file(self) -> bool:
        return CHOICES[self._choice.highlighted or 0][2]

    @property
    def _suggestion(self) -> str:
        return self._stem + SUFFIXES[self._form]

    @property
    def _path(self) -> Path:
        return destination(self._box.value.strip(), self._directory)

    def _show_choice(self, index: int) -> None:
        """Show the box if there is to be a file; a suggested name follows the chosen format."""
        as_suggested = self._box.value == self._suggestion
        self._form = CHOICES[index][1]
        if as_suggested:
            self._box.value = self._suggestion
            self._box.cursor_position = len(self._suggestion)
        self._bottom.say("")
        self.set_class(self._to_file, "-to-file")

    def _refusal(self) -> str:
        """Return why nothing is written yet; a second request confirms overwriting a file."""
        if not self._box.value.strip():
            return "The file's name is blank."
        path = self._path
        if sentence := objection(path) or self._forbidden(path):
            return sentence
        if is_taken(path) and path != self._agreed:
            self._agreed = path
            return "The file already exists; press enter again to replace it."
        return ""
