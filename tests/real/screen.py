"""What the screen shows of one session: its status, and how many actions it calls uncertain."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import closing, suppress

from tests.bench.bench import program
from tests.bench.terminal import NotShown, Terminal
from tests.soak.frame import Frame

from .comparison import Shown
from .program import Program

SIZE = (50, 150)
HEAD = re.compile(r"^\S (\w+)\b")
ROW = re.compile(r"⚠(\d+)\s*$")
TAB = re.compile(r"Review(?: ⚠?(\d+))?(?:  |$)")
PATIENCE = 60.0
WAIT = 20.0
QUIET = 0.6


class Screen(Terminal):
    """The program in a terminal, with one session open."""

    def __init__(self, asked: Program, session: str, title: str) -> None:
        super().__init__([program(), "open", session, *asked.words()], SIZE, asked.environ())
        self._frame, self._title = Frame(*SIZE), title

    def __str__(self) -> str:
        return "\n".join(self._frame.lines())

    def hear(self, seconds: float) -> bytes:
        """The next piece of output, drawn."""
        piece = super().hear(seconds)
        if piece:
            self._frame.feed(piece)
            self.forget()
        return piece

    def shown(self) -> Shown | None:
        """What it shows of the session now; None while it does not."""
        return read(self._frame.lines(), self._title)

    def until(self, test: Callable[[Shown], bool], patience: float = PATIENCE) -> Shown:
        """What it shows once that satisfies a test."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if (shown := self.shown()) and test(shown):
                return shown
            self.hear(0.05)
        raise NotShown(f"{self._title!r} did not come to be shown as expected:\n{self}")

    def settled(self, patience: float = 10.0) -> Shown:
        """What it shows once that has not changed for a moment, or after some seconds."""
        shown = self.until(lambda shown: True)
        since = start = time.monotonic()
        while time.monotonic() < min(since + QUIET, start + patience):
            self.hear(0.1)
            if (now := self.shown()) and now != shown:
                shown, since = now, time.monotonic()
        return shown


def read(lines: list[str], title: str) -> Shown | None:
    """What a frame shows of the session whose title begins like that."""
    edge = max((line.find("▕") for line in lines), default=-1)
    if edge < 0:
        return None
    left, right = [line[:edge] for line in lines], [line[edge + 1 :].strip() for line in lines]
    if not right[1].startswith(title) or not (head := HEAD.match(right[2])):
        return None
    row = next((line for line in left if line.lstrip("▌ ▸▾•").startswith(title)), None)
    tabs = next((tab for line in right if "Memory" in line and (tab := TAB.search(line))), None)
    if row is None or tabs is None:
        return None
    marked = ROW.search(row)
    return Shown(head[1], int(marked[1]) if marked else 0, int(tabs[1] or 0))


def look(asked: Program, session: str, title: str, wanted: Shown) -> Shown | None:
    """Open the screen on a session; what it shows in the end, None if it never shows the session.

    Waits for what is wanted: the screen may have to search the disk first.
    """
    with closing(Screen(asked, session, title)) as screen:
        with suppress(NotShown):
            screen.until(lambda shown: shown == wanted, WAIT)
        with suppress(NotShown):
            return screen.settled()
    return None
