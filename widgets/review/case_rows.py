"""From cases to the rows of their list, and what they come to when all are settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ...storage.model.case import Case
from ...storage.model.timeline import Verdict
from ..words.cases import MAYBE_CRASHED

TO_DECIDE, OLDER, DECIDED = "TO DECIDE", "LOW PRIORITY", "DECIDED"
ON_DISK = "CHANGED ON DISK, NO CALL RECORDED"
"""Files that only a look at the disk finds: the list of sessions does not count them."""


_COUNTED: tuple[tuple[Verdict, str], ...] = (
    ("verified", "applied"),
    ("not-applied", "not applied"),
    ("partial", "partly applied"),
    ("dismissed", "dismissed"),
)


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a group."""

    title: str
    count: int


Entry = Heading | Case


def entries(cases: Sequence[Case]) -> list[Entry]:
    """The list from top to bottom: what is to be decided first; in each group the given order."""
    titles = (TO_DECIDE, MAYBE_CRASHED, ON_DISK, OLDER, DECIDED)
    groups: dict[str, list[Case]] = {title: [] for title in titles}
    for case in cases:
        groups[_group(case)].append(case)
    result: list[Entry] = []
    for title, members in groups.items():
        if members:
            result += [Heading(title, len(members)), *members]
    return result


def identity(case: Case) -> Hashable:
    """What stays the same of a case: where its record is, and of an effect its file."""
    return case.path, case.action.place


def settled(cases: Sequence[Case]) -> str:
    """`All settled: 2 applied, 1 not applied.`; "" while there is something to decide."""
    if not cases or any(case.is_open for case in cases):
        return ""
    verdicts = Counter(case.action.verdict for case in cases if not case.ended)
    parts = [f"{verdicts[one]:,} {word}" for one, word in _COUNTED if verdicts[one]]
    if ended := sum(bool(case.ended) for case in cases):
        parts.append(f"{ended:,} ended after all")
    return f"All settled: {', '.join(parts)}."


def _group(case: Case) -> str:
    if not case.is_open:
        return DECIDED
    if case.action.state == "unknown":
        return MAYBE_CRASHED
    if case.is_older:
        return OLDER
    return ON_DISK if case.action.found == "directory" else TO_DECIDE
