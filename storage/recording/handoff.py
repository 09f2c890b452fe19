"""The user's decisions, for an agent to use: approved memory candidates, and verdicts.

A candidate refers to its event and contains none of its text. Decisions on a record that has
changed are not handed over.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..files.working_directory import working_directory
from ..model.action import Action
from ..model.candidate import SOURCE_TYPE, Candidate
from ..private.places import find_places
from ..stores.roots import find_roots
from .errors import RecordingError, readable
from .resume import ResumeState
from .shards import read_whole, session_of

if TYPE_CHECKING:
    from ..decisions.decisions import Decisions


@dataclass(frozen=True, slots=True)
class MemoryCandidate:
    """A reference to one event, and why it is worth remembering."""

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
        """Return the source in the form that memory layers expect."""
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
    """Yield the approved candidates whose records are unchanged, oldest first.

    `roots` are session directories or transcripts, `data_dir` the directory of the decisions; both
    default to what `sessions` itself uses. `left_out` is called with the reason for each approved
    candidate that is skipped. Writes nothing, not even an index. Raises RecordingError if
    `data_dir` does not exist or not all decisions can be read.
    """
    # Imported late: an agent that only records needs no database.
    from ..candidates.export import checked
    from ..library.library import Library

    named = [Path(root) for root in roots] or None
    found = find_roots(named, os.environ, working_directory(), Path.home()).found
    with (
        _decisions(data_dir) as decisions,
        closing(Library(found, None, decisions=decisions)) as library,
    ):
        library.rescan()
        approved, refusals = checked(library, decisions.candidates())
    for refusal in refusals:
        left_out(refusal)
    yield from map(_handed_on, approved)


def reviewed(state: ResumeState, *, data_dir: Path | None = None) -> tuple[Action, ...]:
    """Return the uncertain actions of a session with the user's verdicts and the evidence on disk.

    `verdict`, `note` and `decided_at` are None for undecided actions, `evidence` if no file can
    show the outcome. `data_dir` and errors are as for `approved_candidates`; also raises NotKept if
    a transcript cannot be read.
    """
    from ..review.cases import judged, key_of
    from ..review.inspection import inspect

    if not state.uncertain:
        return ()
    now, found = int(time.time() * 1000), list[Action]()
    parts, read = {session_of(path): path for path in state.files}, cache(read_whole)
    with _decisions(data_dir) as decisions:
        for action in state.uncertain:
            path = parts[action.session]
            with readable(path):
                transcript = read(path)
                action = judged(action, key_of(transcript, action), decisions, path=path)
                inspection = inspect(transcript, action, now)
            found.append(replace(action, evidence=inspection.evidence if inspection else None))
    return tuple(found)


@contextmanager
def _decisions(data_dir: Path | None) -> Iterator[Decisions]:
    from ..decisions.decisions import Decisions

    if data_dir is not None and not data_dir.is_dir():
        raise RecordingError(f"There are no decisions: {data_dir} is not there.")
    with closing(Decisions(find_places(os.environ, data=data_dir).data)) as decisions:
        yield decisions
        if not decisions.is_whole:
            raise RecordingError(f"Not all decisions can be read: {decisions.notice}")


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
