"""Which process has a session, where the registry names processes and not their sessions.

CodeBuddy's entries tell a pid, its start and its directory; the entry stays when the process was
killed and goes when it ended in order. A process may have several sessions, all of its own
directory, and writes to none before it has started. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...folds.facts import Facts
from .registry import Process, Registry


@dataclass(frozen=True, slots=True)
class Claim:
    """The processes that may have a session."""

    owner: Process | None = None
    """The likeliest, dead or alive; None where no entry is left that could be its own."""
    rival: Process | None = None
    """One that is alive and may have it just as well, where the owner is gone."""


def claim_of(registry: Registry, session: str, facts: Facts, now: int) -> Claim:
    """The process that names the session, or else those of its directory."""
    named = registry.process(session, now)
    if named is not None and named.life != "dead":
        return Claim(named)
    until = facts.newest_at or facts.updated_at
    directories = {path for path in (facts.cwd, facts.last_cwd) if path}
    if until is None:
        return Claim(named)
    found = [one for path in directories for one in registry.hosted(path, until, now)]
    return likeliest(([named] if named else []) + found, facts.prompted_at)


def likeliest(processes: Sequence[Process], prompted_at: int | None) -> Claim:
    """The owner among processes that may have a session: the last to start before its last prompt.

    Whoever works on a session was given a prompt first, after a resume too.
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
