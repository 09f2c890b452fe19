"""The open screen as a person has it: what is drawn of list, head and timeline, and when."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.bench.terminal import OVERLAP, NotShown, Terminal, plain

from .frame import Frame
from .parts import TOKEN, token_of

SIZE = (60, 170)
"""Rows and columns: the list shows all sessions at once."""

ROW = re.compile(r"(?:[▸▾] )?(Task \d\d\.\d+)\b")
EVENTS = re.compile(r"([\d,]+)$")
UNCERTAIN = re.compile(r"⚠(\d+)")
HEAD = re.compile(r"^\S (\w+)")
PATIENCE = 60.0

ESCAPE, ENTER, END = b"\x1b", b"\r", b"\x1b[F"
PAGE_UP = b"\x1b[5~"


class Row(NamedTuple):
    """What the list says of a session."""

    line: int
    events: int | None
    uncertain: int


class Screen(Terminal):
    """The program in a terminal. `seen` tells when each token first came out of it."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        super().__init__(command, SIZE, environ)
        self.frame = Frame(*SIZE)
        self.seen: dict[str, float] = {}
        self._last = b""

    def __str__(self) -> str:
        """What stands on it."""
        return "\n".join(self.frame.lines())

    def hear(self, seconds: float) -> bytes:
        """The next piece of output, drawn and looked through for tokens."""
        piece = super().hear(seconds)
        if piece:
            now = time.monotonic()
            self.frame.feed(piece)
            self._last = (self._last + piece)[-len(piece) - OVERLAP :]
            for token in TOKEN.findall(plain(self._last).decode(errors="replace")):
                self.seen.setdefault(token, now)
            self.forget()
        return piece

    def until(self, what: str, patience: float = PATIENCE) -> None:
        """Wait until a text stands on the screen."""
        end = time.monotonic() + patience
        while self.frame.place_of(what) is None:
            if time.monotonic() > end:
                raise NotShown(f"{what!r} did not come to the screen:\n{self}")
            self.hear(0.05)

    @property
    def edge(self) -> int:
        """The column at which the list ends."""
        return max(line.find("▕") for line in self.frame.lines())

    def listed(self) -> dict[str, Row]:
        """The sessions that stand in the list, by title."""
        lines = self.frame.lines(1, self.edge)
        rows = {}
        for number, line in enumerate(lines[:-1]):
            if title := ROW.match(line):
                events = EVENTS.search(lines[number + 1])
                uncertain = UNCERTAIN.search(line)
                rows[title[1]] = Row(
                    number,
                    int(events[1].replace(",", "")) if events else None,
                    int(uncertain[1]) if uncertain else 0,
                )
        return rows

    def uncertain(self, title: str) -> int:
        """How many uncertain actions of a session the list tells of."""
        row = self.listed().get(title)
        return row.uncertain if row else 0

    def status(self, title: str) -> str:
        """What the head says of the open session; "" where that is another one."""
        lines = self.frame.lines(self.edge + 1)
        head = HEAD.match(lines[2].strip())
        return head[1] if head and lines[1].strip().startswith(title) else ""

    def open(self, title: str, patience: float = PATIENCE) -> str:
        """Click on a session of the list; the status that its head then tells."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if row := self.listed().get(title):
                click = f"5;{row.line + 1}"
                self.send(f"\x1b[<0;{click}M\x1b[<0;{click}m".encode())
            self.rest(0.5)
            if status := self.status(title):
                return status
        raise NotShown(f"{title} could not be opened from the list:\n{self}")

    def read(self, title: str) -> None:
        """Open a session and go to the end of its timeline, to follow it there."""
        end, token = time.monotonic() + PATIENCE, token_of(title)
        while time.monotonic() < end:
            self.open(title)
            for key in (ESCAPE, ESCAPE, ENTER, END):  # to the list, wherever the keys went, and in
                self.send(key)
                self.rest(0.2)  # escape and what comes at once after it would be one key
            if self._comes(token, PATIENCE / 10):
                return  # else another row had come below the mouse
        raise NotShown(f"{title} did not come to the timeline:\n{self}")

    def _comes(self, token: str, patience: float) -> bool:
        """Whether a token that begins like that comes to the timeline."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if any(shown.startswith(token) for shown in self.timeline()):
                return True
            self.hear(0.05)
        return False

    def timeline(self) -> list[str]:
        """The tokens that stand in the timeline, from top to bottom."""
        lines = self.frame.lines(self.edge + 1)
        rules = [number for number, line in enumerate(lines) if line.startswith("────")]
        rows = lines[rules[0] + 1 : rules[1]]
        return [token[0] for line in rows if (token := TOKEN.search(line))]
