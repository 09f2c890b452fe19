"""How a text may be written in the bytes of JSON records, ignoring case. Pure.

Searches for one stretch of the text that every spelling contains without gaps. Usually it is there
literally, in either case; but any character may be escaped, some others fold to the same one (`ſ`
and `ß` to `s`, the Kelvin sign to `k`), and a letter with a mark may be written as two characters.
Such spellings are rare and cheap to rule out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product
from math import prod

from ..text.folding import fold, marks_of
from .byte_search import Seek, seek_bytes, seek_letters, seek_pattern

VARIANTS = 4
"""Maximum number of variants of a stretch that are searched for one by one."""

LONGEST = 24
"""Maximum characters of a stretch: more are no more selective."""

CASED = (
    range(0x2E00),
    range(0xA600, 0xAC00),
    range(0xFB00, 0xFB50),
    range(0xFF00, 0xFF60),
    range(0x10400, 0x11000),
    range(0x11800, 0x11900),
    range(0x16E00, 0x16F00),
    range(0x1E900, 0x1EA00),
)
"""Where Unicode has letters that fold: scanning all characters takes a third of a second."""

ESCAPED = re.compile(rb"\\u(?:00[2-7dD]|01|1[eE]9|21|[fF][bB]0)")
"""How escapes of printable ASCII, and of whatever folds to it, begin: hardly ever written."""

_STRETCH = re.compile(r"[!#-+\--.0-9;-Z^-z|~]+|[^\x00-\x7f\s\ud800-\udfff\ufffd]+")
"""Excludes what JSON escapes or puts between values, and replacements for invalid bytes."""

_CASELESS = re.compile("[\u3000-\u9fff\uac00-\ud7a3]*")
"""Han, Kana, Hangul: no other characters fold to them."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What to search for in blocks of bytes. Without a stretch any record may contain the text."""

    stretch: str = ""
    plain: tuple[bytes, ...] = ()
    """In lower case; a record that contains one of them may contain the text."""
    odd: tuple[bytes, ...] = ()
    """Likewise: the first bytes of other characters that fold to the same."""
    escaped: re.Pattern[bytes] | None = None
    """Likewise: escapes of its characters."""
    row: re.Pattern[bytes] | None = None
    """What must surround an escape, if that is known."""
    apart: re.Pattern[bytes] | None = None
    """As `escaped`: escapes of the combining marks of its decomposed letters."""

    @property
    def is_ascii(self) -> bool:
        """Whether no escape hides it where `ESCAPED` does not match."""
        return self.stretch.isascii()

    @property
    def reach(self) -> int:
        """Maximum bytes of the stretch, escaped twice."""
        return 16 * len(self.stretch) + 16

    def seeks(self, block: bytes, escapes: bool = True) -> Iterator[Seek]:
        """Yield functions that find matches in a block, one for each kind of spelling.

        `escapes`: whether characters may be escaped in the block.
        """
        find = seek_letters if self.is_ascii else seek_bytes
        yield from (find(block, plain) for plain in self.plain)
        yield from (seek_bytes(block, odd) for odd in self.odd)
        if self.escaped and escapes:
            yield seek_pattern(block, self.escaped, self.row, self.reach)
        if self.apart and escapes:
            yield seek_pattern(block, self.apart, None, self.reach)


@lru_cache(maxsize=64)
def spelling_of(text: str) -> Spelling:
    """Return how a text in folded case may be written."""
    found = [found[:LONGEST] for found in _STRETCH.findall(text)]
    if not found:
        return Spelling()
    part = max(found, key=lambda part: len(part) if part.isascii() else 2.5 * len(part))
    return _ascii(part) if part.isascii() else _other(part)


def _ascii(window: str) -> Spelling:
    odd = _oddities(window)
    return Spelling(
        window, (window.encode(),), _starts(odd), _escapes({*window, *window.upper(), *odd})
    )


def _other(part: str) -> Spelling:
    """Return the spelling of non-ASCII characters: each case of them is encoded differently."""
    window = max(_within(part), key=len)
    ways = [sorted({character, *_same(character)}) for character in window]
    odd = [other for other in _oddities(window) if len(fold(other)) > 1]
    marks = sorted(set().union(*map(marks_of, window)))
    plain = tuple("".join(way).encode() for way in product(*ways))
    escaped = _escapes({*odd, *(other for way in ways for other in way)})
    row = None if odd else _row(ways)
    apart = _escapes({*marks}) if marks else None
    return Spelling(window, plain, _starts([*odd, *marks]), escaped, row, apart)


def _within(part: str) -> Iterator[str]:
    """Yield the stretches of a part that have few enough variants."""
    for start in range(len(part)):
        for end in range(start + 1, len(part) + 1):
            window = part[start:end]
            if end == start + 1 or prod(1 + len(_same(one)) for one in window) <= VARIANTS:
                yield window


def _starts(characters: list[str]) -> tuple[bytes, ...]:
    """Return the bytes that find some characters; for ligatures, their common prefix."""
    groups: dict[bytes, list[bytes]] = {}
    for character in characters:
        data = character.encode()
        groups.setdefault(data[:2], []).append(data)
    return tuple(start if len(group) > 1 else group[0] for start, group in groups.items())


def _escapes(characters: set[str]) -> re.Pattern[bytes]:
    """Return a pattern for any of the characters as a JSON escape, of a pair its first half."""
    forms = {f"{_units(character)[0]:04x}" for character in characters}
    start = "00" if all(form.startswith("00") for form in forms) else ""
    rest = "|".join(sorted(_hexadecimal(form.removeprefix(start)) for form in forms))
    return re.compile(rf"\\u{start}(?:{rest})".encode())


def _hexadecimal(digits: str) -> str:
    """Return a pattern for hexadecimal digits in either case."""
    return re.sub("[a-f]", lambda digit: f"[{digit[0]}{digit[0].upper()}]", digits)


def _row(ways: list[list[str]]) -> re.Pattern[bytes]:
    """Return a pattern for the characters in order, each literal or escaped once or twice."""
    return re.compile(b"".join(b"(?:" + b"|".join(map(_either, way)) + b")" for way in ways))


def _either(character: str) -> bytes:
    escaped = "".join(rf"\\+u{_hexadecimal(f'{unit:04x}')}" for unit in _units(character))
    return re.escape(character.encode()) + b"|" + escaped.encode()


def _units(text: str) -> list[int]:
    data = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


def _same(character: str) -> list[str]:
    """Return the other characters that fold to exactly this one."""
    if _CASELESS.fullmatch(character):
        return []
    return [other for other in _folding().get(character, ()) if fold(other) == character]


def _oddities(window: str) -> list[str]:
    """Return the non-ASCII characters whose folded form may be part of a stretch, or overlap it."""
    if _CASELESS.fullmatch(window):
        return []
    others = {other for character in window for other in _folding().get(character, ())}
    return sorted(other for other in others if not other.isascii() and _fits(fold(other), window))


def _fits(form: str, window: str) -> bool:
    """Return whether a form may occur in a stretch, or across one of its ends."""
    for start in range(1 - len(form), len(window)):
        over = window[max(0, start) : start + len(form)]
        if form[max(0, -start) :][: len(over)] == over:
            return True
    return False


@lru_cache(maxsize=1)
def _folding() -> dict[str, list[str]]:
    """Map each character to the others whose folded form is or contains it."""
    found: dict[str, list[str]] = {}
    for other in map(chr, chain(*CASED)):
        form = fold(other)
        if form != other:
            for character in set(form):
                found.setdefault(character, []).append(other)
    return found
