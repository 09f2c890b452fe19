"""The review of uncertain actions: the list, the case under the cursor, and what is decided."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from ...storage.model.case import Case
from ...storage.model.timeline import Verdict
from ..base.list_and_view import LastDecision, ListAndView
from ..base.widget_message import WidgetMessage
from ..words.cases import DECIDED, SIGNS, file_of
from . import keys as review_keys
from .case_list import CaseList
from .case_rows import identity, settled
from .case_view import STYLES, CaseView
from .dialogue import (
    IDLE,
    Dialogue,
    Doubting,
    Noting,
    Question,
    Telling,
    ask,
    consumes,
    decided,
    press,
    recheck,
)
from .prompt import PADDING, ReviewPrompt
from .words import UNDECIDED, action_of, judged, note_wanted


class ReviewPane(ListAndView[CaseList, CaseView]):
    """Cases of one session, or of all; what is decided here goes out as messages."""

    HELP = """\
## Review

Actions that started but have no result. Next to each call is the file as it is now and what it
suggests. You decide what happened.

- `⚠` to decide; the file suggests: `applied?`, `not applied?`, `unclear`, `changed`, `unknown`
- `✓` applied, `✗` not applied, `◐` partly applied, `·` dismissed
- `↩` a result arrived after all
- *no call recorded*: the agent died while a response was being written; a call of that response
  that was never recorded may have changed the file
- *low priority*: reads, and actions that are too old to need you

`v` `x` `p` `z` give a verdict, or change it; a note is optional. `space` marks several cases
first. `c` copies your findings as text for the agent: for the marked cases, for the selected one,
or for the whole session once all its cases are settled.
"""
    DEFAULT_CSS = """
    ReviewPane > CaseList { width: 31%; min-width: 36; max-width: 44; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*review_keys.REVIEW]

    @dataclass
    class Asked(WidgetMessage["ReviewPane"]):
        """The person wants something done with some cases."""

        cases: tuple[Case, ...]

    @dataclass
    class Judged(Asked):
        """The person gave a verdict, on the cases as they were shown; "" is no note."""

        verdict: Verdict
        note: str

    class UndoWanted(Asked):
        """The last decision on these cases is to be taken back."""

    class CopyWanted(Asked):
        """A note for the agent on these cases is to go to the clipboard."""

    @dataclass
    class CaseAsked(WidgetMessage["ReviewPane"]):
        """The person wants to see what a case is about."""

        case: Case

    class FileWanted(CaseAsked):
        """The file of a case is to be opened; its path is foreign."""

    class SourceWanted(CaseAsked):
        """The event of a case is to be shown in its session's timeline."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(CaseList(id="cases"), CaseView(id="case"), id=id, classes=classes)
        self._prompt = ReviewPrompt(id="review-prompt")
        self._subject: Hashable = None
        self._cases: Sequence[Case] = ()
        self._now = 0
        self._several = False
        self._empty = ""
        self._dialogue: Dialogue = IDLE
        self._awaited: frozenset[Hashable] = frozenset()
        """Cases that were open and have a verdict as soon as it is kept."""
        self._last = LastDecision()

    def compose(self) -> ComposeResult:
        """List and case, and the prompt below both."""
        yield from super().compose()
        yield self._prompt

    def on_mount(self) -> None:
        """Show what was given before."""
        self._show(keep=False)

    # Verbs.

    @property
    def current(self) -> Case | None:
        """The case under the cursor."""
        return self._list.case

    @property
    def chosen(self) -> tuple[Case, ...]:
        """The marked cases; without any, the one under the cursor."""
        return self._list.chosen

    def show_cases(
        self, subject: Hashable, cases: Sequence[Case], now: int, *, several: bool, empty: str
    ) -> None:
        """Show cases as they are at a moment; cursor, marks and places stay for one subject.

        `several`: whether they are of more than one session. `empty` is said where there are none.
        """
        keep, self._subject = subject == self._subject, subject
        before, self._cases = self._cases, cases
        self._now, self._several, self._empty = now, several, empty
        if not keep:
            self._begin_anew()
        if self.is_mounted:
            self._show(keep)
        if bool(before) != bool(cases):
            self.refresh_bindings()

    def step_back(self) -> bool:
        """One step back: from a note, a question, the case or marks. False where there is none."""
        if self._dialogue is not IDLE:
            self._turn(IDLE)
        elif self.is_on_view:
            self.turn_to(view=False)
        elif self._list.marks:
            self._list.clear_marks()
        else:
            return False
        return True

    def focus(self, scroll_visible: bool = True) -> Self:
        """Give the keys to the list, or to the note that is being written."""
        if not isinstance(self._dialogue, Noting):
            self._list.focus(scroll_visible)
        return self

    # Keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to do without cases; what is typed into a note is no verdict."""
        if action == "judge" and isinstance(self._dialogue, Noting):
            return False
        actions = {name.partition("(")[0] for name in review_keys.DEFAULTS}
        return bool(self._cases) or action not in actions

    def action_judge(self, verdict: Verdict) -> None:
        """Ask for a note; first, once, whether the verdict is meant against what the files say."""
        if self.chosen:
            self._turn(ask(self._dialogue, self._question_of(verdict)))

    def action_undo(self) -> None:
        """Ask that what was just decided be taken back, else the last decision on the chosen."""
        cases = tuple(case for case in self._meant if case.action.verdict is not None)
        if cases:
            self._last = LastDecision()
            self._list.clear_marks()
            self._list.select_case(identity(cases[0]))
            self.post_message(self.UndoWanted(self, cases))
        else:
            self._turn(Telling(UNDECIDED))

    def action_copy_note(self) -> None:
        """Ask for a note for the agent on what was just decided, else on the chosen.

        Once all is settled, it is of all in the session.
        """
        cases = self._meant
        if cases and not self._list.marks and settled(self._cases):
            path = cases[0].path
            cases = tuple(case for case in self._cases if case.path == path)
        if cases:
            self.post_message(self.CopyWanted(self, cases))

    def action_open_file(self) -> None:
        """Ask for the file of the case."""
        if self.current and file_of(self.current):
            self.post_message(self.FileWanted(self, self.current))

    def action_source(self) -> None:
        """Ask for the event of the case."""
        if self.current:
            self.post_message(self.SourceWanted(self, self.current))

    def on_key(self, event: events.Key) -> None:
        """Any key answers what the prompt says; a question waits for the same one, or escape."""
        dialogue = self._dialogue
        if isinstance(dialogue, Noting):
            return
        if isinstance(dialogue, Doubting):
            active = self.screen.active_bindings.get(event.key)
            if active and active.binding.action == action_of(dialogue.question.verdict):
                return
        if consumes(dialogue, event.key):
            event.stop()
        self._turn(press(dialogue, event.key))

    # What the parts say.

    @on(CaseList.Highlighted)
    @on(CaseList.MarksChanged)
    def _chosen_changed(self, event: Message) -> None:
        event.stop()
        self._last = self._last.while_on(self._cursor)
        self._show_case()

    @on(CaseList.Opened)
    def _case_opened(self, event: CaseList.Opened) -> None:
        event.stop()
        self.turn_to(view=True)

    @on(ReviewPrompt.Given)
    def _note_given(self, event: ReviewPrompt.Given) -> None:
        event.stop()
        question = decided(self._dialogue)
        self.turn_to(view=False)
        self._turn(IDLE)
        if question is not None:
            self._list.clear_marks()
            self._awaited = frozenset(identity(case) for case in question.cases if case.is_open)
            ids = frozenset(identity(case) for case in question.cases)
            self._last = LastDecision(ids, self._cursor)
            self.post_message(self.Judged(self, question.cases, question.verdict, event.note))

    @on(ReviewPrompt.Dropped)
    def _note_dropped(self, event: ReviewPrompt.Dropped) -> None:
        event.stop()
        self._turn(IDLE)

    # Inside.

    @property
    def _meant(self) -> tuple[Case, ...]:
        """What was just decided, until the cursor is moved; else the chosen."""
        just = () if self._list.marks else self._last.ids
        return tuple(case for case in self._cases if identity(case) in just) or self.chosen

    @property
    def _cursor(self) -> Hashable:
        return identity(self.current) if self.current else None

    def _begin_anew(self) -> None:
        self._turn(IDLE)
        self._awaited, self._last = frozenset(), LastDecision()
        self.remove_class("-on-view")

    def _show(self, keep: bool) -> None:
        if (following := self._following()) is not None:
            self._list.select_case(following)
            self._last = replace(self._last, rests_on=following)
        self.show_empty(not self._cases)
        self._list.show_cases(
            self._cases, self._now, several=self._several, empty=self._empty, keep=keep
        )
        self._show_case()

    def _following(self) -> Hashable | None:
        """The next open case, once the one under the cursor got the verdict that was given."""
        here = self.current
        if here is None or identity(here) not in self._awaited:
            return None
        open_now = {identity(case) for case in self._cases if case.is_open}
        if identity(here) in open_now:
            return None
        leaving, self._awaited = self._awaited, frozenset()
        return next((one for one in self._list.open_from_here(leaving) if one in open_now), None)

    def _show_case(self) -> None:
        if isinstance(self._dialogue, Doubting):
            now = self._question_of(self._dialogue.question.verdict)
            self._turn(recheck(self._dialogue, now))
        remark = settled(self._cases)
        if remark:
            remark += f" {self._key_of('copy_note')} copies a note for the agent."
        self._view.show(self.current, self._now, several=self._several, remark=remark)

    def _question_of(self, verdict: Verdict) -> Question:
        cases = tuple(case for case in self.chosen if not case.ended)
        return Question(verdict, cases, self._key_of(action_of(verdict)))

    def _turn(self, dialogue: Dialogue) -> None:
        """Go on in the dialogue, and show it."""
        before, self._dialogue = self._dialogue, dialogue
        if dialogue is before:
            return
        if isinstance(dialogue, Doubting | Noting):
            self.app.clear_notifications()  # they would lie over it
        if isinstance(dialogue, Noting):
            self._ask_for_note(dialogue.question)
        elif isinstance(dialogue, Doubting):
            self._prompt.say(Content.styled(dialogue.question.doubt, "bold $text-warning"))
        elif isinstance(dialogue, Telling):
            self._prompt.say(Content.styled(dialogue.sentence, "$foreground"))
        else:
            if isinstance(before, Noting):
                self.take_keys()
            self._prompt.close()

    def _ask_for_note(self, question: Question) -> None:
        mark, word = SIGNS[question.verdict], DECIDED[question.verdict]
        # Alone on a narrow screen, the case itself says what the note is about.
        is_shown = self.is_narrow and len(question.cases) == 1
        name = "" if is_shown else f" {word.text}"
        about = "" if is_shown else f"  {judged(question.cases)}"
        words = Content.assemble(
            (f"{mark.text}{name}", STYLES[word.tone]), (f"{about} —", "$foreground")
        )
        room = self.size.width - words.cell_length - PADDING
        self._prompt.take_note(words, note_wanted(question.verdict, room))

    def _key_of(self, action: str) -> str:
        """The key that leads to an action, as the person has it."""
        for active in self.screen.active_bindings.values():
            if active.node is self and active.binding.action == action:
                return self.app.get_key_display(active.binding)
        return review_keys.DEFAULTS[action]
