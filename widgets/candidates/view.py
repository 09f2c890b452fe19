"""One memory candidate whole: its words, its event, and what that event says now."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from ...storage.model.candidate import Candidate, Source, Sourced
from ..base.list_and_view import View
from ..base.page_text import PageText
from ..base.passages import Passage
from ..words.ages import clock, local
from ..words.candidate_markdown import CANDIDATE_SIGNS
from ..words.safe import one_line

INDENT = "  "

_TROUBLES: dict[Source, str] = {
    "changed": "The record has changed since; it will not be exported.",
    "gone": "The transcript is gone: the reference and your words are kept.",
    "corrupt": "The transcript can no longer be trusted; this will not be exported.",
}

POSITIONS = "Event ids in this format are line numbers; the content hash is verified before export."

_STATUS_STYLES = {
    "proposed": "bold $text-accent",
    "approved": "bold $text-success",
    "rejected": "bold $foreground-muted",
}


class CandidateView(View):
    """Shows a `Sourced`, or nothing."""

    DEFAULT_CSS = """
    CandidateView {
        background: $background;
        & > Static { height: 2; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & > PageText { height: 1fr; padding: 0 0 0 1; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._item: Sourced | None = None
        self._facts = Static()
        self._text = PageText()

    def compose(self) -> ComposeResult:
        """Status and event, then the words."""
        yield self._facts
        yield self._text

    @property
    def item(self) -> Sourced | None:
        """What is shown."""
        return self._item

    def show(self, item: Sourced | None) -> None:
        """Show a candidate from its beginning; the one that is shown already stays scrolled."""
        if item == self._item:
            return
        self._item = item
        # Both have a height of their own: nothing around them moves.
        self._facts.update(Content() if item is None else facts(item), layout=False)
        self._text.show([] if item is None else passages(item))

    def take_keys(self) -> None:
        """Give the keys to the text."""
        self.screen.set_focus(self._text)


def facts(item: Sourced) -> Content:
    """Two lines: what it is and since when; which event it refers to."""
    candidate = item.candidate
    status = candidate.status
    times = [f"proposed {_minute(candidate.created_at)}"]
    if status != "proposed" and candidate.decided_at is not None:
        times.insert(0, _minute(candidate.decided_at))
    else:
        times = [_minute(candidate.created_at)]
    reference = (
        one_line(candidate.source_id, 300),
        one_line(item.title or candidate.session_id, 200),
    )
    return Content.assemble(
        (f"{CANDIDATE_SIGNS[status]} {status}", _STATUS_STYLES[status]),
        ("  " + " · ".join(times), "$foreground"),
        "\n",
        (" · ".join(reference), "$foreground-muted"),
    )


def passages(item: Sourced) -> Iterator[Passage]:
    """Summary, reason and what the event says, each below its name."""
    candidate = item.candidate
    if trouble := _TROUBLES.get(item.source):
        yield Passage(trouble, "error")
    yield Passage("summary", "label")
    yield Passage(candidate.summary, bullet=INDENT)
    yield Passage("reason", "label")
    yield Passage(candidate.selection_reason, bullet=INDENT)
    yield Passage("the event", "label")
    yield Passage(_event(candidate), bullet=INDENT)
    if item.source != "gone":
        yield Passage("what the event says", "label")
        yield Passage(item.text or "(nothing to read)", "plain" if item.text else "muted", INDENT)
    if item.is_numbered:
        yield Passage(POSITIONS, "muted")


def _event(candidate: Candidate) -> str:
    when = f"{local(candidate.captured_at):%Y-%m-%d} {clock(candidate.captured_at)}"
    written = one_line(candidate.event_type, 60)
    return f"{written} of {when}, record {candidate.sequence:,} of {candidate.session_id}"


def _minute(at: int) -> str:
    return f"{local(at):%Y-%m-%d} {clock(at, seconds=False)}"
