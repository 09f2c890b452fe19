"""Decides whether a session whose turn did not finish crashed or is still working. Pure.

The evidence, in order: a process that is known to own it, dead or alive; whether such a process
would be known; and finally how long the session has been inactive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..files.machine import Sighting
from ..folds.facts import Facts, LastEvent
from ..model.durations import passed
from ..model.process import HEARTBEAT, Process
from ..model.session import Status

if TYPE_CHECKING:
    from .status import Signs

GRACE = 60_000
"""Milliseconds of inactivity in which an unfinished session counts as working."""

SETTLED = 5_000
"""Milliseconds of inactivity after which a session without a process is not just starting."""

QUIET = 2_000
"""Milliseconds of inactivity after which a session without a registry entry has ended."""

LATE = 5_000
"""Milliseconds after the end of a process in which its last records may still appear."""

PATIENCE = 15 * 60_000
"""Milliseconds of inactivity after which a session is considered dead."""

ENDED = frozenset({"completed", "terminated"})
"""Status of ended sessions in the desktop app."""


def midway(facts: Facts, last: LastEvent, evidence: Signs) -> tuple[Status, str]:
    """Return the status of a session whose turn did not finish, and the reason."""
    process, silence = evidence.process, silence_of(facts, last, evidence)
    seen = f"last record {passed(silence)} ago"
    if silence < -GRACE:  # a clock was set back: nothing tells how long ago that was
        silence, seen = GRACE + 1, "last record stamped by a clock ahead of this one"
    silence = max(0, silence)
    if process and process.is_attached:
        return "working", f"process {process.pid} is alive, {seen}"
    if process and process.life == "dead" and not _was_outlived(process, evidence, silence):
        if rival := evidence.rival:
            return "unknown", (
                f"process {process.pid} is gone, but process {rival.pid} is alive in the same "
                f"directory and may have the session, {seen}"
            )
        return "crashed", f"the turn did not finish and process {process.pid} is gone, {seen}"
    is_growing = evidence.grew_at is not None
    if evidence.sighting and (found := _sighted(evidence.sighting, silence, seen, is_growing)):
        return found
    if process is None and evidence.registers and silence > QUIET:
        if facts.responses.cut:  # whatever ended it
            return (
                "crashed",
                f"the turn did not finish and no process of the session is left, {seen}",
            )
        return (
            "done",
            f"the program ended without an answer: no process of the session is left, {seen}",
        )
    if silence > SETTLED and (how := _nobody(facts, last, evidence, silence)):
        return "crashed", f"the turn did not finish and {how}, {seen}"
    if silence <= GRACE:
        return "working", f"the turn has not finished yet, {seen}"
    return _silent(evidence, silence, seen)


def _sighted(
    sighting: Sighting, silence: int, seen: str, is_growing: bool
) -> tuple[Status, str] | None:
    """Return the status according to this machine's processes; None if they do not show it.

    Without a process even a record of the last second is no sign of life, as its writer may have
    been killed since. Growth of the transcript while it was watched is one.
    """
    worker, gone = sighting.worker, sighting.gone
    if worker and worker.is_agent:
        return (
            "working",
            f"process {worker.pid} ({worker.name}) is running in its directory, {seen}",
        )
    if worker and GRACE < silence <= PATIENCE:
        return "unknown", (
            f"process {worker.pid} ({worker.name}) in its directory may be working, {seen}"
        )
    if worker:
        return None
    if gone and silence > QUIET and (gone.is_agent or sighting.is_whole):
        return "crashed", f"the turn did not finish and process {gone.pid} ({gone.name}) is gone"
    if not sighting.is_whole:
        return None
    nobody = f"no process on this machine runs in its directory, {seen}"
    if silence > GRACE:
        return "crashed", f"the turn did not finish and {nobody}"
    return None if is_growing else ("unknown", nobody)


def _was_outlived(process: Process, evidence: Signs, silence: int) -> bool:
    """Return whether records were written after a process had ended, so by another one."""
    if process.is_hosted:  # its heartbeat tells nothing
        grew_at, gone_at = evidence.grew_at, process.gone_at
        return grew_at is not None and gone_at is not None and grew_at > gone_at + LATE
    return silence <= GRACE and evidence.now - silence > process.heartbeat_at + HEARTBEAT


def _nobody(facts: Facts, last: LastEvent, evidence: Signs, silence: int) -> str:
    """Return how it is known that nobody works on the session; "" if it is not known.

    An agent may work without registering, so a registry that never named one is not believed at
    once.
    """
    process, app = evidence.process, evidence.app
    if process and process.life != "dead":
        return ""
    if app and app.status in ENDED:
        latest = max(last.at or 0, facts.updated_at or 0) or evidence.modified_at or 0
        if (app.last_activity_at or 0) > latest:
            return f"{app.app} reports it as {app.status}"
    never = silence > GRACE and not app
    if evidence.has_registry and (evidence.had_process or never):
        return "no process has the session open"
    return ""


def _silent(evidence: Signs, silence: int, seen: str) -> tuple[Status, str]:
    """Return the status of an unfinished session without growth and without visible process."""
    process, app, now = evidence.process, evidence.app, evidence.now
    beat = max(0, now - process.heartbeat_at) if process else 0
    if process and process.life == "silent":
        return "unknown", (
            f"process {process.pid} exists, but its last heartbeat was {passed(beat)} ago"
        )
    if process and process.life == "elsewhere" and beat <= HEARTBEAT:
        host = process.host or "another machine"
        return "unknown", f"process {process.pid} is on {host} and cannot be checked, {seen}"
    if app and app.status == "working" and app.last_activity_at:
        idle = max(0, now - app.last_activity_at)
        if idle <= PATIENCE:
            return "working", f"{app.app} reports it as working, active {passed(idle)} ago"
    if silence > PATIENCE:
        return "crashed", f"the turn did not finish; no activity for {passed(silence)}"
    return "unknown", f"the turn did not finish; can't tell whether the agent is running, {seen}"


def silence_of(facts: Facts, last: LastEvent, evidence: Signs) -> int:
    """Return the milliseconds since the last sign of life; negative if all are in the future."""
    at, now = last.at or facts.updated_at, evidence.now
    if at is None or at > now:
        at = evidence.modified_at if evidence.modified_at is not None else min(at or 0, now)
    times = [time for time in (at, evidence.grew_at) if time is not None]
    return now - max([time for time in times if time <= now] or times)
