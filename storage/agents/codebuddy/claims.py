"""Which process owns a session, where the registry names processes but not their sessions.

CodeBuddy's entries contain a pid, its start time and its directory; an entry remains if the process
was killed and is removed if it exited normally. A process may have several sessions, all in its own
directory, and writes to none before it has started. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...model.process import Process
from .registry import Registry


class Claim(NamedTuple):
    """The processes that may own a session."""

    owner: Process | None = None
    """The most likely one, dead or alive; None if no remaining entry matches."""
    rival: Process | None = None
    """If the owner is gone, a live process that may own the session just as well."""


def claim_of(
    registry: Registry,
    session: str,
    directories: Iterable[str],
    prompted_at: int | None,
    until: int | None,
    now: int,
) -> Claim:
    """Return the process that names the session, else the likeliest one of its directories.

    `until` is the time of its newest record, in milliseconds since 1970 like all times.
    """
    named = registry.process(session, now)
    if named is not None and named.life != "dead":
        return Claim(named)
    if until is None:
        return Claim(named)
    found = [one for path in {*directories} for one in registry.hosted(path, until, now)]
    return likeliest(([named] if named else []) + found, prompted_at)


def likeliest(processes: Sequence[Process], prompted_at: int | None) -> Claim:
    """Return the claim on a session: the last process to start before the session's last prompt.

    Whoever works on a session was given a prompt first, even after a resume.
    """
    prompted = [one for one in processes if _start(one) <= (prompted_at or _start(one))]
    candidates = prompted or list(processes)
    owner = max(candidates, key=_start, default=None)
    if owner is None or owner.life != "dead":
        return Claim(owner)
    rivals = [one for one in candidates if one.life in ("alive", "silent")]
    return Claim(owner, max(rivals, key=_start, default=None))


def _start(process: Process) -> int:
    return process.started_at or 0
