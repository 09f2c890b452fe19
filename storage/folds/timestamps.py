"""Records whose timestamps are ahead of this machine's clock: the file's own time stands for them.

The clock of a container or of another machine may be wrong by years. Where a record is said to be
written later than now, all that is known is when its file was last changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .facts import Facts, OpenCall

AHEAD = "its timestamps are ahead of this clock, so the file's time is used"
"""How a sentence goes on that tells of it."""

TOLERANCE = 60_000
"""Milliseconds by which two clocks may differ and mean the same."""


def is_ahead(at: int | None, now: int) -> bool:
    """Whether a time is still to come."""
    return at is not None and at > now + TOLERANCE


def corrected(at: int | None, now: int, modified: int | None) -> int | None:
    """A time as it is counted with; `modified` is when the file was changed."""
    if modified is None or modified > now + TOLERANCE or not is_ahead(at, now):
        return at
    return modified


def corrected_facts(facts: Facts, now: int, modified: int | None) -> Facts:
    """The facts of a transcript with no time that is still to come; the same if there is none."""
    if modified is None or modified > now + TOLERANCE or not is_ahead(facts.newest_at, now):
        return facts
    last = facts.last
    return replace(
        facts,
        started_at=corrected(facts.started_at, now, modified),
        updated_at=corrected(facts.updated_at, now, modified),
        newest_at=_newest(facts, now, modified),
        last=last and last._replace(at=corrected(last.at, now, modified)),
        open_calls=_calls(facts.open_calls, now, modified),
    )


def _newest(facts: Facts, now: int, modified: int) -> int:
    """The file's time, unless a record is later that is not ahead: which one, nobody knows."""
    times = (facts.started_at, facts.updated_at)
    return max([modified, *(at for at in times if at is not None and not is_ahead(at, now))])


def _calls(
    calls: Mapping[str, list[OpenCall]], now: int, modified: int
) -> Mapping[str, list[OpenCall]]:
    return {
        key: [call._replace(at=corrected(call.at, now, modified)) for call in of_key]
        for key, of_key in calls.items()
    }
