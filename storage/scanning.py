"""Search in thoughts and outputs, which the index does not hold: a scan of the transcript."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .event import Kind
from .query import Query, folded
from .quoting import Hit
from .sifting import BLOCK, sift
from .transcript import Transcript


@dataclass(slots=True)
class Progress:
    """How much was looked at."""

    sessions: int = 0
    bytes: int = 0
    """Of transcripts that were scanned."""


def scan(
    transcript: Transcript, query: Query, kinds: frozenset[Kind], progress: Progress
) -> Iterator[list[Hit]]:
    """The hits of some kinds in a transcript, in file order, a block of the file at a time.

    Raises OSError where the file cannot be read.
    """
    needle = (query.needles or [""])[0]
    with transcript.reading() as read:
        for indexes in sift(transcript, needle):
            found: list[Hit] = []
            for index in indexes:
                if transcript.positions.kind(index) not in kinds:
                    continue
                event = read(index)
                if event.kind in kinds and query.matches(folded(event.text)):
                    found.append(Hit(transcript.path, index, event.at, event.kind))
            progress.bytes += BLOCK
            yield found
