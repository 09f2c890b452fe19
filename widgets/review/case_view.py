"""One case: how it stands, and the call beside the file as it is now."""

from __future__ import annotations

from collections.abc import Iterator

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from ...storage.model.case import Case
from ..base.list_and_view import View
from ..base.page_text import PageText
from ..base.passages import PAGE, Passage
from ..words.cases import (
    DECIDED,
    Tone,
    outcome,
    sign,
    subject,
    suggestion,
    tool_name,
    unrecorded,
    when,
)
from ..words.safe import one_line
from .case_sections import call_passages, file_passages

BESIDE = 96
"""Cells from which call and file have room beside each other."""

STYLES: dict[Tone, str] = {
    "good": "bold $text-success",
    "bad": "bold $text-error",
    "doubt": "bold $text-warning",
    "quiet": "bold $foreground-muted",
}

Part = tuple[str, str]
"""Text with its style."""


class CaseView(View):
    """Shows a `Case`: beside each other where there is room, else one below the other."""

    DEFAULT_CSS = """
    CaseView {
        background: $background;
        & > #case-facts { max-height: 50%; padding: 0 1; }
        & > #case-texts { height: 1fr; }
        PageText { width: 1fr; height: 1fr; padding: 0 0 0 1; }
        #case-file { display: none; border-left: vkey $panel; }
        &.-beside #case-file { display: block; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._case: Case | None = None
        self._now = 0
        self._several = False
        self._remark = ""
        self._shown: list[list[Passage]] = []

    def compose(self) -> ComposeResult:
        """Facts, and below them the texts."""
        yield Static(id="case-facts")
        with Horizontal(id="case-texts"):
            yield PageText(id="case-call")
            yield PageText(id="case-file")

    def on_mount(self) -> None:
        """Show what was chosen before."""
        self._update()

    def on_resize(self, event: events.Resize) -> None:
        """Beside each other, or below."""
        self._update()

    def show(self, case: Case | None, now: int, *, several: bool, remark: str = "") -> None:
        """Show a case as it is at a moment; of the same one, the place in its text is kept.

        `several`: whether to say of which session it is. `remark` stands above all else.
        """
        self._case, self._now, self._several, self._remark = case, now, several, remark
        if self.is_mounted:
            self._update()

    def take_keys(self) -> None:
        """Give the keys to the call."""
        self.screen.set_focus(self.query_one("#case-call", PageText))

    def _update(self) -> None:
        case = self._case
        self._show_facts()
        beside = case is not None and case.edit is not None and self.size.width >= BESIDE
        self.set_class(beside, "-beside")
        texts = [[], []] if case is None else self._texts(case, beside)
        if texts == self._shown:
            return
        self._shown = texts
        for id, text in zip(("#case-call", "#case-file"), texts, strict=True):
            self.query_one(id, PageText).show(text)

    def _texts(self, case: Case, beside: bool) -> list[list[Passage]]:
        call, file = list(call_passages(case)), list(file_passages(case, self._now))
        if beside:
            return [call, file]
        if case.edit is None and not case.excerpts:
            return [call, []]
        # Behind pages of a giant nobody would find the file.
        is_long = sum(len(passage.text) for passage in call) > PAGE
        first, second = (file, call) if is_long else (call, file)
        return [[*first, Passage(""), *second], []]

    def _show_facts(self) -> None:
        facts, content = self.query_one("#case-facts", Static), self._facts()
        # Its height set by hand, the screen is laid out anew only where that is another.
        facts.styles.height = content.get_height({}, max(1, self.size.width - 2))
        facts.update(content, layout=False)

    def _facts(self) -> Content:
        case = self._case
        parts = [] if case is None else list(_lines(case, self._now, self._several))
        if self._remark:
            parts.insert(0, [(self._remark, STYLES["good"])])
        return Content("\n").join([Content.assemble(*line) for line in parts])


def _lines(case: Case, now: int, several: bool) -> Iterator[list[Part]]:
    """What it is, what the evidence suggests, and how it ended or what was decided."""
    yield _identified(case, now, several)
    if not case.ended:
        yield _suggested(case)
    if case.outdated is not None and case.action.verdict is None:
        word = DECIDED[case.outdated].text
        sentence = f"was marked {word}, but the record has changed since"
        yield [("⚠ ", STYLES["doubt"]), (sentence, "$text-warning")]
    if case.ended:
        style = STYLES["good" if case.ended == "completed" else "bad"]
        yield [("↩ ", style), (f"its result arrived after all: {case.ended}", "$foreground")]
    elif case.action.verdict is not None:
        yield _decided(case, now)


def _identified(case: Case, now: int, several: bool) -> list[Part]:
    title = [one_line(case.title, 120) or "untitled"] if several else []
    said = [unrecorded(case.action)] if case.action.found else []
    about = " · ".join([*said, when(case.action.at, now, seconds=True), *title])
    return [
        (tool_name(case), "bold $text-accent"),
        (f" {one_line(subject(case).text, 200)}", "$foreground"),
        (f"  {about}", "$foreground-muted"),
    ]


def _suggested(case: Case) -> list[Part]:
    evidence, word = case.action.evidence, suggestion(case)
    reason = "no file was looked at" if evidence is None else one_line(evidence.reason, 300)
    return [(word.text, STYLES[word.tone]), (f"  {reason}", "$foreground")]


def _decided(case: Case, now: int) -> list[Part]:
    mark, word, action = sign(case), outcome(case), case.action
    time = "" if action.decided_at is None else f"  {when(action.decided_at, now)}"
    note = one_line(action.note or "", 400)
    return [
        (f"{mark.text} {word.text}", STYLES[word.tone]),
        (time, "$foreground-muted"),
        (f" — {note}" if note else "", "$foreground"),
    ]
