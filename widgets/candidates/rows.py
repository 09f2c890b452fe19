"""From memory candidates to the rows of their list: the open ones first, the newest first in each.

All of it is pure; what a candidate says is foreign text and is made safe where it is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, get_args

from rich.cells import cell_len

from ...storage.model.candidate import Candidate, CandidateStatus, Source, Sourced
from ..words.ages import age, clock, day_short, local, same_day
from ..words.safe import fit, one_line

if TYPE_CHECKING:
    from ..base.rows import Rows

STATUSES: tuple[CandidateStatus, ...] = get_args(CandidateStatus)
"""In the order of the list."""


WARNINGS: dict[Source, str] = {
    "there": "",
    "changed": "changed",
    "gone": "source gone",
    "corrupt": "corrupt",
}
"""What the right edge says of a source."""

LEAST_OF_TITLE = 10
"""Cells below which nobody could tell a session by the beginning of its title."""

_SHORT_TYPES = {"file-history-snapshot": "snapshot"}


@dataclass(frozen=True, slots=True)
class CandidateHeading:
    """The heading of the candidates of one status."""

    status: CandidateStatus
    count: int


CandidateRow = CandidateHeading | Sourced


def candidate_rows(items: Iterable[Sourced]) -> list[CandidateRow]:
    """The list from top to bottom; a status without candidates has no heading."""
    groups: dict[CandidateStatus, list[Sourced]] = {status: [] for status in STATUSES}
    for item in sorted(items, key=_newest_first):
        groups[item.candidate.status].append(item)
    result: list[CandidateRow] = []
    for status, members in groups.items():
        if members:
            result += [CandidateHeading(status, len(members)), *members]
    return result


def touched_at(candidate: Candidate) -> int:
    """When it became what it is: proposed, approved or rejected."""
    return candidate.created_at if candidate.decided_at is None else candidate.decided_at


def about(item: Sourced, now: int, room: int, *, several: bool) -> str:
    """The event's time and type, and among several sessions its own, in exactly so many cells."""
    candidate = item.candidate
    written = one_line(candidate.event_type, 40)
    line = f"{moment(candidate.captured_at, now)} · {_SHORT_TYPES.get(written, written)}"
    if several and room - cell_len(line) >= LEAST_OF_TITLE:
        line += f" · {one_line(item.title or candidate.session_id, 80)}"
    return fit(line, room)


def age_of(candidate: Candidate, now: int) -> str:
    """How long it has been what it is."""
    return age(touched_at(candidate), now)


def moment(at: int, now: int) -> str:
    """The time of an event, with the day unless it is today, and the year unless it is this one."""
    time = clock(at, seconds=False)
    if same_day(at, now):
        return time
    if local(at).year == local(now).year:
        return f"{day_short(at)} {time}"
    return f"{local(at):%Y-%m-%d} {time}"


def place_after(rows: Rows[CandidateRow], cursor: int, settled: Collection[str]) -> int:
    """Where the cursor goes once some are settled: to the next one that is still to be.

    That is the nearest of the same status below, else above; where there is none, it stays.
    """
    here = rows[cursor]
    if not isinstance(here, Sourced) or here.candidate.candidate not in settled:
        return cursor
    for place in chain(range(cursor + 1, len(rows)), range(cursor - 1, -1, -1)):
        row = rows[place]
        if not isinstance(row, Sourced) or row.candidate.status != here.candidate.status:
            continue
        if row.candidate.candidate not in settled:
            return place
    return cursor


def _newest_first(item: Sourced) -> tuple[int, int, str]:
    """Those that were decided on together keep the order in which they were proposed."""
    candidate = item.candidate
    return -touched_at(candidate), -candidate.created_at, candidate.candidate
