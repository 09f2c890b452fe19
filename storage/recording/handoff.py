"""Approved memory candidates, as a memory layer takes them over.

A person approved each of them; it names its event and holds nothing of what the event says. One
whose record is not what it was is not handed on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..candidate import SOURCE_TYPE, Candidate
from ..places import find_places
from ..roots import find_roots
from .errors import RecordingError


@dataclass(frozen=True, slots=True)
class MemoryCandidate:
    """A reference to one event, with why it is worth remembering."""

    source_id: str
    """The event id."""
    session_id: str
    sequence: int
    event_type: str
    captured_at: str
    """When the event was recorded: ISO 8601 in UTC."""
    summary: str
    selection_reason: str
    source_type: str = SOURCE_TYPE

    def source_metadata(self) -> dict[str, str]:
        """Where it comes from, in the shape that memory layers take."""
        return {
            "source_id": self.source_id,
            "source_type": self.source_type,
            "title": f"{self.session_id} event {self.sequence}",
            "captured_at": self.captured_at,
        }


def approved_candidates(
    roots: Sequence[str | os.PathLike[str]] = (),
    *,
    data_dir: Path | None = None,
    left_out: Callable[[str], object] = str,
) -> Iterator[MemoryCandidate]:
    """The approved candidates whose records stand, oldest first.

    `roots` are stores or transcripts, `data_dir` is where decisions lie; without, both are what
    `sessions` itself uses. `left_out` is told why an approved one is not handed on. Nothing is
    written, no index either. Raises RecordingError where `data_dir` is not there or not all
    decisions can be read.
    """
    # Imported late: an agent that only records has no use for a database.
    from ..decisions import Decisions
    from ..exporting import checked
    from ..library import Library

    if data_dir is not None and not data_dir.is_dir():
        raise RecordingError(f"There are no decisions: {data_dir} is not there.")
    places = find_places(os.environ, data=data_dir)
    named = [Path(root) for root in roots] or None
    found = find_roots(named, os.environ, Path.cwd(), Path.home()).found
    with (
        closing(Decisions(places.data)) as decisions,
        closing(Library(found, None, decisions=decisions)) as library,
    ):
        library.rescan()
        approved, refusals = checked(library, decisions.candidates())
        if not decisions.is_whole:
            raise RecordingError(f"Not all decisions can be read: {decisions.notice}")
    for refusal in refusals:
        left_out(refusal)
    yield from map(_handed_on, approved)


def _handed_on(candidate: Candidate) -> MemoryCandidate:
    captured = datetime.fromtimestamp(candidate.captured_at / 1000, UTC)
    return MemoryCandidate(
        source_id=candidate.source_id,
        session_id=candidate.session_id,
        sequence=candidate.sequence,
        event_type=candidate.event_type,
        captured_at=captured.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        summary=candidate.summary,
        selection_reason=candidate.selection_reason,
    )
