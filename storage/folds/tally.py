"""What a transcript's records add to what is asked across sessions, since it was last stored.

Tokens and calls by the quarter of an hour, files edited, and what was said by either side.
A response's tokens count once; those of records that were copied from another session are marked,
so that they need not be counted where that session is known too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from unicodedata import category

from ..model.event import CODE, Event, Usage
from ..text.folding import fold, well_formed
from ..text.paths import absolute, named_path

QUARTER = 900_000
"""Milliseconds of a quarter of an hour: days begin at such in every time zone of today."""

EDITS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
"""Tools that change the file that they name."""

SAID = frozenset({"prompt", "answer", "summary", "checkpoint"})


SEARCHED = 8 * 1024 * 1024
"""Characters of a prompt or an answer that the index holds."""

_PIECE = 1024 * 1024
"""Characters that are folded at a time."""


class Entry(NamedTuple):
    """A prompt, an answer or a summary."""

    record: int
    """Its record's index, 0-based."""
    at: int
    """Milliseconds since 1970; 0 where it has no time."""
    code: int
    """Of its kind."""
    text: bytes | bytearray
    """In folded case and UTF-8, as it is searched."""


class Tally:
    """Counts of one transcript, and what was said in it, until they are stored."""

    def __init__(self) -> None:
        self.is_wanted = True
        """False where another program stores this transcript."""
        self.clear()

    def clear(self) -> None:
        """Begin anew: what was counted is stored."""
        self.usage: dict[tuple[int, str, str], Usage] = {}
        """By quarter since 1970, model and the session that the record was copied from, or ""."""
        self.responses: dict[tuple[int, str, str], int] = {}
        self.calls: dict[tuple[int, str, str], int] = {}
        """By quarter, tool and the session that the record was copied from, or ""."""
        self.edits: dict[str, tuple[int, int]] = {}
        """By path: how many, and when the last one was."""
        self.entries: list[Entry] = []

    def stop(self) -> None:
        """Count no more."""
        self.is_wanted = False
        self.clear()

    def add(
        self, event: Event, index: int, text: str, directory: str | None, source: str = ""
    ) -> None:
        """Take in an event; `text` is what it says where it is a prompt or an answer.

        `source` is the session that its record was copied from, "" where it is its own.
        Of a call's request and its start only the first is to be given.
        """
        if event.kind == "call":
            self._add_call(event, directory, source)
        elif text:
            self.entries.append(Entry(index, event.at or 0, CODE[event.kind], _folded(text)))

    def use(self, event: Event, used: Usage, model: str | None, source: str = "") -> None:
        """Count the tokens of a response; `source` as for `add`."""
        key = ((event.at or 0) // QUARTER, well_formed(model or ""), source)
        before = self.usage.get(key)
        self.usage[key] = used if before is None else before + used
        self.responses[key] = self.responses.get(key, 0) + 1

    def spend(self, quarter: int, model: str, used: Usage, responses: int) -> None:
        """Count the tokens of some responses that a trace tells; negative ones are taken back."""
        key = (quarter, model, "")
        before = self.usage.get(key)
        self.usage[key] = used if before is None else before + used
        self.responses[key] = self.responses.get(key, 0) + responses

    def _add_call(self, event: Event, directory: str | None, source: str) -> None:
        tool, at = well_formed(event.tool or ""), event.at or 0
        key = (at // QUARTER, tool, source)
        self.calls[key] = self.calls.get(key, 0) + 1
        if tool not in EDITS or (named := named_path(event.args)) is None:
            return
        path = well_formed(_whole(named, event.dialect.cwd(event.record) or directory))
        count, last = self.edits.get(path, (0, 0))
        self.edits[path] = (count + 1, max(last, at))


def _folded(text: str) -> bytearray:
    """A text as it is searched, made in pieces: folding takes twelve bytes for each character."""
    folded, at, last = bytearray(), 0, min(len(text), SEARCHED)
    while at < last:
        end = at + _PIECE
        while end < last and _joins(text[end]):
            end += 1  # no letter is taken apart from its marks
        piece = fold(well_formed(text[at : min(end, last)]))
        folded += piece.replace("\0", " ").encode()
        at = end
    return folded


def _joins(character: str) -> bool:
    """Whether a character may be a part of the letter before it."""
    return category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


@lru_cache(maxsize=4096)  # an agent edits the same files over and over
def _whole(named: str, directory: str | None) -> str:
    return absolute(named, directory) or named
