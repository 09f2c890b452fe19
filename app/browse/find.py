"""Finding in the open session: the box for words, what is looked for, and what is said of it."""

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
"""Said until one does."""

WORDS = 40
"""Characters of what is looked for that are shown."""


@dataclass(slots=True)
class Finding:
    """What is looked for in the open session."""

    words: str = ""
    patterns: Patterns = ()
    """What is marked in the events."""
    is_at_match: bool = False
    """Whether the event that is shown, or gone to, is the match to go on from."""
    is_due: bool = False
    """Whether the words are still to be found, once that event is shown."""
    note: str = ""
    """What is said of the last step."""

    def moved(self) -> None:
        """The cursor went elsewhere."""
        if self.note != GO_ON:
            self.note = ""

    def stepped(self, step: Step, wrapped: bool) -> None:
        """One went to the next match, or to the one before."""
        again = "wrapped to top" if step == 1 else "wrapped to bottom"
        self.note = again if wrapped else ""

    def state(self, rows: SessionRows | None, cursor: int) -> str:
        """`3 of 12 · words`, where the cursor stands on a match; "" while nothing is found."""
        if rows is None or not self.words or not rows.matches:
            return ""
        count = len(rows.matches)
        index = rows.match_at(cursor) if cursor < len(rows) else -1
        at = bisect_left(rows.matches, index)
        is_here = at < count and rows.matches[at] == index
        place = f"{at + 1:,} of {count:,}" if is_here else f"{count:,} found"
        return " · ".join(filter(None, (place, one_line(self.words, WORDS), self.note)))


class FindBox(Input):
    """A box for words, there while it is asked."""

    BINDINGS: ClassVar[list[BindingType]] = keys.FIND

    def __init__(self, *, id: str) -> None:
        super().__init__(placeholder=ASKS, id=id)
        self.display = False

    def ask(self) -> None:
        """Ask for words."""
        self.display = True
        self.screen.set_focus(self)

    def put_away(self) -> bool:
        """Ask no more; whether it was asked."""
        asked = self.display
        self.display = False
        return asked


class FilterBox(Input):
    """A box for the filter of the list, there while it is asked or filters."""

    BINDINGS: ClassVar[list[BindingType]] = keys.FILTER

    def __init__(self, *, id: str) -> None:
        super().__init__(placeholder=FILTERS, id=id)
        self.display = False


def nearest(rows: SessionRows, cursor: int) -> int | None:
    """The row of the match to begin with: under the cursor, or the last one before it."""
    here = cursor < len(rows) and rows.is_match(cursor)
    return cursor if here else rows.next_of("match", cursor, -1)


def none_shown(words: str, count: int) -> str:
    """That no record holds the words, or that none of those which do is shown."""
    if not count:
        return f"No match for “{words}”"
    records = "1 record" if count == 1 else f"{count:,} records"
    return f"{records} found, but hidden at this level; + shows more"


def not_there(event: Timeline.JumpFailed) -> str:
    """That there is no such row where one wanted to jump to."""
    where = "" if event.jump != "prompt" else " below" if event.step == 1 else " above"
    what = "uncertain action" if event.jump == "uncertain" else event.jump
    rest = "" if event.complete else " in what was read so far; the rest is being read"
    return f"No {what}{where}{rest}"
