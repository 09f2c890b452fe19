"""The contribution of a transcript's records to cross-session data since it was last stored.

Tokens and calls per quarter of an hour, edited files, and what either side said. The tokens of a
response count once; those of records copied from another session are marked, so that they can be
left out if that session is known as well.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from unicodedata import category

from ..model.event import CODE, Event, Usage
from ..text.folding import fold, well_formed
from ..text.paths import absolute, named_path

QUARTER = 900_000
"""Milliseconds in a quarter of an hour: in every current time zone, days start on one."""

SAID = frozenset({"prompt", "answer", "summary", "checkpoint"})


SEARCHED = 8 * 1024 * 1024
"""Maximum length of a prompt or answer in the index, in characters."""

_PIECE = 1024 * 1024
"""Characters that are case-folded at a time."""


class Entry(NamedTuple):
    """A prompt, an answer or a summary."""

    record: int
    """0-based index of its record."""
    at: int
    """Milliseconds since 1970; 0 if it has no time."""
    code: int
    """Code of its kind."""
    text: bytes | bytearray
    """Case-folded UTF-8, as it is searched."""


class Tally:
    """Counts and texts of one transcript that are not stored yet."""

    def __init__(self) -> None:
        self.is_wanted = True
        """False if another program stores this transcript."""
        self.clear()

    def clear(self) -> None:
        """Start over after everything was stored."""
        self.usage: dict[tuple[int, str, str], Usage] = {}
        """By quarter since 1970, model, and the session the record was copied from or ""."""
        self.responses: dict[tuple[int, str, str], int] = {}
        self.calls: dict[tuple[int, str, str], int] = {}
        """By quarter, tool, and the session the record was copied from or ""."""
        self.edits: dict[str, tuple[int, int]] = {}
        """Number of edits and time of the last, by path."""
        self.entries: list[Entry] = []

    def stop(self) -> None:
        """Stop counting."""
        self.is_wanted = False
        self.clear()

    def add(
        self, event: Event, index: int, text: str, directory: str | None, source: str = ""
    ) -> None:
        """Process an event; `text` is that of a prompt, answer or summary, else "".

        `source`: the session that the record was copied from, "" if it is the session's own. If a
        call has both a request and a start, pass only the first.
        """
        if event.kind == "call":
            self._add_call(event, directory, source)
        elif text:
            self.entries.append(Entry(index, event.at or 0, CODE[event.kind], _folded(text)))

    def use(self, event: Event, used: Usage, model: str | None, source: str = "") -> None:
        """Count the tokens of a response; `source` as in `add`."""
        key = ((event.at or 0) // QUARTER, well_formed(model or ""), source)
        before = self.usage.get(key)
        self.usage[key] = used if before is None else before + used
        self.responses[key] = self.responses.get(key, 0) + 1

    def spend(self, quarter: int, model: str, used: Usage, responses: int) -> None:
        """Count tokens of responses reported in a trace; negative numbers take them back."""
        key = (quarter, model, "")
        before = self.usage.get(key)
        self.usage[key] = used if before is None else before + used
        self.responses[key] = self.responses.get(key, 0) + responses

    def _add_call(self, event: Event, directory: str | None, source: str) -> None:
        tool, at = well_formed(event.tool or ""), event.at or 0
        key = (at // QUARTER, tool, source)
        self.calls[key] = self.calls.get(key, 0) + 1
        if tool not in event.agent.tools.edits or (named := named_path(event.args)) is None:
            return
        path = well_formed(_whole(named, event.cwd or directory))
        count, last = self.edits.get(path, (0, 0))
        self.edits[path] = (count + 1, max(last, at))


def _folded(text: str) -> bytearray:
    """Return a text as it is searched; in pieces, as folding needs 12 bytes per character."""
    folded, at, last = bytearray(), 0, min(len(text), SEARCHED)
    while at < last:
        end = at + _PIECE
        while end < last and _joins(text[end]):
            end += 1  # keep letters and their combining marks together
        piece = fold(well_formed(text[at : min(end, last)]))
        folded += piece.replace("\0", " ").encode()
        at = end
    return folded


def _joins(character: str) -> bool:
    """Return whether a character may combine with the letter before it."""
    return category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


@lru_cache(maxsize=4096)  # agents edit the same files over and over
def _whole(named: str, directory: str | None) -> str:
    return absolute(named, directory) or named
