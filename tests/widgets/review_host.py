"""An app with nothing but the review, which keeps what it is asked for."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from textual import on
from textual.app import App, ComposeResult
from textual.message import Message

from sessions_tui.storage.model.case import Case
from sessions_tui.widgets.review.case_list import CaseList
from sessions_tui.widgets.review.case_rows import identity
from sessions_tui.widgets.review.pane import ReviewPane

from .review_cases import NOW

EMPTY = "Nothing is uncertain here.\nWhat an agent leaves unfinished comes up by itself."


class Host(App[None]):
    """The review of some cases; what is decided is kept, unless it refuses."""

    def __init__(self, cases: Sequence[Case], *, several: bool = False) -> None:
        super().__init__()
        self.pane = ReviewPane()
        self.cases = list(cases)
        self.several = several
        self.refuses = False
        self.heard: list[Any] = []
        self.show()

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.pane.focus()

    @property
    def list(self) -> CaseList:
        return self.query_one(CaseList)

    def show(self, subject: str = "all") -> None:
        """Show the cases as they are now."""
        self.pane.show_cases(subject, self.cases, NOW, several=self.several, empty=EMPTY)

    @on(ReviewPane.UndoWanted)
    @on(ReviewPane.CopyWanted)
    @on(ReviewPane.FileWanted)
    @on(ReviewPane.SourceWanted)
    def hear(self, message: Message) -> None:
        assert message.control is self.pane
        self.heard.append(message)

    @on(ReviewPane.Judged)
    def judge(self, message: ReviewPane.Judged) -> None:
        self.hear(message)
        if self.refuses:
            return
        judged = {identity(case) for case in message.cases}
        for place, case in enumerate(self.cases):
            if identity(case) in judged:
                action = dataclasses.replace(
                    case.action, verdict=message.verdict, note=message.note, decided_at=NOW
                )
                self.cases[place] = dataclasses.replace(case, action=action)
        self.show()
