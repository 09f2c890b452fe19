"""Finding words in one transcript: a scan of its bytes, which needs no index.

Candidates are found in the bytes, escaped or not, and then looked at as events, so that a word
is never hidden by an escape and never found in a key or an id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from .event import Event
from .framing import opened, pread
from .transcript import Transcript

BLOCK = 1 << 20


def find(transcript: Transcript, words: str) -> Iterator[list[int]]:
    """Indexes of the records that hold the words, in file order, a block of the file at a time.

    Case is ignored. Raises OSError where the file cannot be read.
    """
    words = words.casefold().strip()
    if not words:
        return
    pattern = _pattern(words)
    with opened(transcript.path) as fd, transcript.reading() as read:
        at, last = transcript.origin, -1
        overlap = 12 * len(words) + 16
        while at < transcript.foothold.offset:
            block = pread(fd, BLOCK + overlap, at)
            found: list[int] = []
            for match in pattern.finditer(block):
                index = transcript.positions.index_at(at + match.start())
                if index > last and index < len(transcript.positions):
                    last = index
                    if words in said(read(index)):
                        found.append(index)
            yield found
            at += BLOCK


def said(event: Event) -> str:
    """All that a person can read of an event, in folded case."""
    args = event.args
    shown = args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)
    return "\n".join((event.text, event.tool or "", shown if args else "")).casefold()


def _pattern(words: str) -> re.Pattern[bytes]:
    """What the first of the words may look like in the bytes of a record."""
    word = max(words.split(), key=len)
    return re.compile(b"".join(_character(character) for character in word), re.IGNORECASE)


def _character(character: str) -> bytes:
    """A character as it is, in either case, or as JSON may escape it."""
    forms: set[bytes] = set()
    for form in {character, character.upper(), character.lower()}:
        forms.add(re.escape(form.encode("utf-8", "surrogatepass")))
        escaped = json.dumps(form)[1:-1]
        forms.add(re.escape(escaped.encode()))
        forms.add(re.escape("".join(f"\\u{unit:04x}" for unit in _units(form)).encode()))
    return b"(?:" + b"|".join(sorted(forms)) + b")"


def _units(text: str) -> list[int]:
    data = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
