"""Handlers for the messages of panes: decisions, copies, exports, and files to edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..storage.text.paths import absolute
from ..widgets.words.agent_note import agent_note
from .feed.tasks import Edit, ExportApproved, Judge, Settle, TakeBack, Undo
from .notify.toast import say
from .output.own_files import export_directory, refusal
from .terminal.clipboard import copied
from .terminal.editor import edit

if TYPE_CHECKING:
    from ..widgets.candidates.pane import CandidatePane
    from ..widgets.review.pane import ReviewPane
    from ..widgets.timeline.event_panel import EventPanel
    from ..widgets.usage.pane import UsagePane
    from .desk import Desk
    from .feed.requests import Subject
    from .places.search import SearchScreen


# Review.


def _judge(desk: Desk, event: ReviewPane.Judged) -> None:
    desk.feed.carry_out(Judge(event.cases, event.verdict, event.note))


def _take_back(desk: Desk, event: ReviewPane.UndoWanted) -> None:
    desk.feed.carry_out(TakeBack(event.cases))


def _copy_note(desk: Desk, event: ReviewPane.CopyWanted) -> None:
    note = agent_note(event.cases, desk.now())
    desk.copy_to_clipboard(note)
    say(desk, copied(desk, "the note for the agent", f": {note}"))


def _edit_file_of_case(desk: Desk, event: ReviewPane.FileWanted) -> None:
    if path := event.case.action.path:
        desk.call_later(_edit_file, desk, path)


def _show_call(desk: Desk, event: ReviewPane.SourceWanted) -> None:
    desk.navigation.show_source(event.case.path, event.case.action.offset)


# Candidates.


def _settle(desk: Desk, event: CandidatePane.Settled) -> None:
    desk.feed.carry_out(Settle(event.items, event.status))


def _undo(desk: Desk, event: CandidatePane.UndoWanted) -> None:
    desk.feed.carry_out(Undo(event.items))


def _show_event(desk: Desk, event: CandidatePane.SourceWanted) -> None:
    if event.item.file is None or event.item.offset is None:
        say(desk, "Its transcript is gone: there is nothing to show")
    else:
        desk.navigation.show_source(event.item.file, event.item.offset)


def _say_copied_of_candidate(desk: Desk, event: CandidatePane.Copied) -> None:
    say(desk, copied(desk, f"the {event.what}"))


async def _edit_candidate(desk: Desk, event: CandidatePane.EditWanted) -> None:
    from .forms.remember import Original, Remembered, RememberForm

    candidate = event.item.candidate
    before = Remembered(candidate.summary, candidate.selection_reason)
    form = RememberForm(Original.of_candidate(event.item), before=before)
    if said := await desk.push_screen_wait(form):
        desk.feed.carry_out(Edit(candidate, said.summary, said.reason))


async def _export(desk: Desk, event: CandidatePane.ExportWanted) -> None:
    from .forms.export import ExportForm

    subject: Subject | None = desk.browse.reading.path if desk.screen is desk.browse else "all"
    if not event.control.approved or subject is None:
        say(desk, "Nothing approved yet. Press a to approve a candidate")
        return
    forbidden = partial(refusal, places=desk.places, roots=desk.roots.found)
    form = ExportForm(event.control.approved, export_directory(), forbidden=forbidden)
    if chosen := await desk.push_screen_wait(form):
        desk.feed.carry_out(ExportApproved(subject, chosen.form, chosen.path))


# Events, hits and usage.


def _say_copied(desk: Desk, event: EventPanel.Copied) -> None:
    rest = "" if event.whole else ", cut to what terminals take"
    shown = event.control.event
    name = f" {shown.event_id}" if shown and event.what == "event id" else ""
    say(desk, copied(desk, f"the {event.what}{name}", rest))


def _edit_file_of_event(desk: Desk, event: EventPanel.FileWanted) -> None:
    desk.call_later(_edit_file, desk, event.path, event.cwd)


def _edit_file(desk: Desk, named: str, cwd: str | None = None) -> None:
    path = absolute(named, cwd)
    if problem := edit(desk, Path(path)) if path else "which file this is, is not known":
        say(desk, f"{named}: {problem}", serious=True)


def _show_sessions(desk: Desk, event: UsagePane.SessionsWanted) -> None:
    desk.navigation.show_sessions(event.words)


def _show_hit(desk: Desk, event: SearchScreen.EventWanted) -> None:
    desk.navigation.show_source(event.path, event.offset)
    desk.browse.reading.seek(event.word, event.patterns)


def _in_worker(ask: Callable[[Desk, Any], Any]) -> Callable[[Desk, Any], None]:
    """Run an asynchronous handler in a worker, as it waits for a form."""

    def begin(desk: Desk, event: Any) -> None:
        desk.run_worker(ask(desk, event))

    return begin


HANDLERS: Mapping[str, Callable[[Desk, Any], None]] = {
    "on_review_pane_judged": _judge,
    "on_review_pane_undo_wanted": _take_back,
    "on_review_pane_copy_wanted": _copy_note,
    "on_review_pane_file_wanted": _edit_file_of_case,
    "on_review_pane_source_wanted": _show_call,
    "on_candidate_pane_settled": _settle,
    "on_candidate_pane_undo_wanted": _undo,
    "on_candidate_pane_edit_wanted": _in_worker(_edit_candidate),
    "on_candidate_pane_export_wanted": _in_worker(_export),
    "on_candidate_pane_source_wanted": _show_event,
    "on_candidate_pane_copied": _say_copied_of_candidate,
    "on_event_panel_copied": _say_copied,
    "on_event_panel_file_wanted": _edit_file_of_event,
    "on_usage_pane_sessions_wanted": _show_sessions,
    "on_search_screen_event_wanted": _show_hit,
}
"""The handlers by Textual's handler names."""
