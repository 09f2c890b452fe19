"""Find words in one transcript by scanning its bytes; needs no index."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..model.event import Event
from ..text.folding import fold
from ..transcript.transcript import Transcript
from .prefilter import sift


def find(transcript: Transcript, words: str) -> Iterator[list[int]]:
    """Yield the indexes of the records that contain the words, in file order, block by block.

    Ignores case and whether letters are composed. Raises OSError if the file cannot be read.
    """
    words = fold(words).strip()
    if not words:
        return
    with transcript.reading() as read:
        for indexes in sift(transcript, words):
            yield [index for index in indexes if words in said(read(index))]


def said(event: Event) -> str:
    """Return all the text of an event that is shown, in folded case."""
    args = event.args
    shown = args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)
    return fold("\n".join((event.text, event.tool or "", shown if args else "")))
