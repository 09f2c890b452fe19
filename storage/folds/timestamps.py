"""Timestamps ahead of this machine's clock are replaced by the file's modification time.

The clock of a container or of another machine may be wrong by years. If a record claims to have
been written in the future, the only reliable time is that of the last change of its file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .facts import Facts, OpenCall

AHEAD = "its timestamps are ahead of this clock, so the file's time is used"
"""Continues a sentence that mentions such a time."""

TOLERANCE = 60_000
"""Milliseconds by which clocks may differ without being considered wrong."""


def is_ahead(at: int | None, now: int) -> bool:
    """Return whether a time is in the future."""
    return at is not None and at > now + TOLERANCE


def corrected(at: int | None, now: int, modified: int | None) -> int | None:
    """Return the time to use; `modified` is the modification time of the file."""
    if modified is None or modified > now + TOLERANCE or not is_ahead(at, now):
        return at
    return modified


def corrected_facts(facts: Facts, now: int, modified: int | None) -> Facts:
    """Return facts without times in the future; the same object if there are none."""
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
    """Return the file's time, or a later one of a record that is not in the future."""
    times = (facts.started_at, facts.updated_at)
    return max([modified, *(at for at in times if at is not None and not is_ahead(at, now))])


def _calls(
    calls: Mapping[str, list[OpenCall]], now: int, modified: int
) -> Mapping[str, list[OpenCall]]:
    return {
        key: [call._replace(at=corrected(call.at, now, modified)) for call in of_key]
        for key, of_key in calls.items()
    }
