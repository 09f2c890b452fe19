"""Finding words in one transcript: a scan of its bytes, which needs no index."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..model.event import Event
from ..text.folding import fold
from ..transcript.transcript import Transcript
from .prefilter import sift


def find(transcript: Transcript, words: str) -> Iterator[list[int]]:
    """Indexes of the records that hold the words, in file order, a block of the file at a time.

    Case is ignored, and whether letters are composed. Raises OSError where the file cannot be read.
    """
    words = fold(words).strip()
    if not words:
        return
    with transcript.reading() as read:
        for indexes in sift(transcript, words):
            yield [index for index in indexes if words in said(read(index))]


def said(event: Event) -> str:
    """All that a person can read of an event, in folded case."""
    args = event.args
    shown = args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)
    return fold("\n".join((event.text, event.tool or "", shown if args else "")))
