"""Finding in the open session: the box for words, and what is said of where one jumps to."""

from __future__ import annotations

from textual.widgets import Input

from ..widgets.timeline import Timeline

ASKS = "words in this session; enter finds, escape leaves"


class FindBox(Input):
    """A box for words, there while it is asked."""

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


def records_found(count: int, is_shown: bool) -> str:
    """How many records hold the words; `is_shown`: whether the timeline shows any."""
    records = "1 record" if count == 1 else f"{count:,} records"
    if is_shown:
        return f"{records} found; n and N go from one to the next"
    return f"{records} found; at this depth none of them is shown; + shows more"


def not_there(event: Timeline.JumpFailed) -> str:
    """That there is no such row where one wanted to jump to."""
    where = "" if event.jump != "prompt" else " below" if event.step == 1 else " above"
    what = "uncertain action" if event.jump == "uncertain" else event.jump
    rest = "" if event.complete else " in what was read so far; the rest is being read"
    return f"No {what}{where}{rest}"
