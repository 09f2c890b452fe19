"""Search in what is not indexed (thinking, calls and outputs) by scanning the transcript."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..model.event import Kind
from ..transcript.outputs import matching_outputs
from ..transcript.positions import MERGED_CALL
from ..transcript.transcript import Transcript
from .prefilter import BLOCK, sift
from .query import Query, folded
from .quotation import Hit, searched_text


@dataclass(slots=True)
class ScanProgress:
    """How much was searched."""

    sessions: int = 0
    bytes: int = 0
    """Bytes of scanned transcripts."""


def scan(
    transcript: Transcript, query: Query, kinds: frozenset[Kind], progress: ScanProgress
) -> Iterator[list[Hit]]:
    """Yield the hits of some kinds in a transcript, in file order, block by block.

    Raises OSError if the file cannot be read.
    """
    needle, positions = (query.needles or [""])[0], transcript.positions
    outside: set[int] = set()
    if "result" in kinds:
        for results in matching_outputs(transcript, lambda text: query.matches(folded(text))):
            indexes = [transcript.index_of(event) for event in results]
            outside.update(indexes)
            yield [
                Hit(transcript.path, index, event.at, event.kind)
                for index, event in zip(indexes, results, strict=True)
            ]
    with transcript.reading() as read:
        for indexes in sift(transcript, needle):
            found: list[Hit] = []
            for index in indexes:
                if (
                    index in outside
                    or positions.kind(index) not in kinds
                    or positions.kinds[index] == MERGED_CALL
                ):
                    continue  # the start of a call repeats its request
                event = read(index)
                if event.kind in kinds and query.matches(folded(searched_text(event))):
                    found.append(Hit(transcript.path, index, event.at, event.kind))
            progress.bytes += BLOCK
            yield found
