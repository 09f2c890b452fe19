"""Finding words in the open session: the box for the words, its state, and the messages."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.widgets import Input

from ...storage.timeline.session_rows import SessionRows
from ...widgets.timeline.timeline import Step, Timeline
from ...widgets.words.matches import Patterns
from ...widgets.words.safe import one_line
from ..base import keys

FILTERS = "words, status: has:uncertain since:2h"

ASKS = "find in this session · enter: find · escape: cancel"

GO_ON = "n and N go on"
"""Shown until the user goes to another match."""

WORDS = 40
"""Maximum number of characters of the words that are shown."""


@dataclass(slots=True)
class Finding:
    """The words to find in the open session."""

    words: str = ""
    patterns: Patterns = ()
    """Patterns to highlight in the events."""
    is_at_match: bool = False
    """Whether the event that is or will be shown is itself the match to start from."""
    is_due: bool = False
    """Whether to find the words once that event is shown."""
    note: str = ""
    """A note on the last step, such as that it wrapped."""

    def moved(self) -> None:
        """Clear the note, as the cursor has moved."""
        if self.note != GO_ON:
            self.note = ""

    def stepped(self, step: Step, wrapped: bool) -> None:
        """Note that a step to the next or previous match has wrapped, if it has."""
        again = "wrapped to top" if step == 1 else "wrapped to bottom"
        self.note = again if wrapped else ""

    def state(self, rows: SessionRows | None, cursor: int) -> str:
        """Return text such as `3 of 12 · words` for a cursor on a match; "" without matches."""
        if rows is None or not self.words or not rows.matches:
            return ""
        count = len(rows.matches)
        index = rows.match_at(cursor) if cursor < len(rows) else -1
        at = bisect_left(rows.matches, index)
        is_here = at < count and rows.matches[at] == index
        place = f"{at + 1:,} of {count:,}" if is_here else f"{count:,} found"
        return " · ".join(filter(None, (place, one_line(self.words, WORDS), self.note)))


class FindBox(Input):
    """The box for the words, visible while they are typed."""

    BINDINGS: ClassVar[list[BindingType]] = keys.FIND

    def __init__(self, *, id: str) -> None:
        super().__init__(placeholder=ASKS, id=id)
        self.display = False

    def ask(self) -> None:
        """Show the box and focus it."""
        self.display = True
        self.screen.set_focus(self)

    def put_away(self) -> bool:
        """Hide the box; return whether it was visible."""
        asked = self.display
        self.display = False
        return asked


class FilterBox(Input):
    """The box for the list's filter, visible while it is typed or applies."""

    BINDINGS: ClassVar[list[BindingType]] = keys.FILTER

    def __init__(self, *, id: str) -> None:
        super().__init__(placeholder=FILTERS, id=id)
        self.display = False


def nearest(rows: SessionRows, cursor: int) -> int | None:
    """Return the row of the match to start from: under the cursor, or the last one before it."""
    here = cursor < len(rows) and rows.is_match(cursor)
    return cursor if here else rows.next_of("match", cursor, -1)


def none_shown(words: str, count: int) -> str:
    """Return the message that no record contains the words, or that none of those is shown."""
    if not count:
        return f"No match for “{words}”"
    records = "1 record" if count == 1 else f"{count:,} records"
    return f"{records} found, but hidden at this level; + shows more"


def not_there(event: Timeline.JumpFailed) -> str:
    """Return the message that there is no row to jump to."""
    where = "" if event.jump != "prompt" else " below" if event.step == 1 else " above"
    what = "uncertain action" if event.jump == "uncertain" else event.jump
    rest = "" if event.complete else " in what was read so far; the rest is being read"
    return f"No {what}{where}{rest}"
