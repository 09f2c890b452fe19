"""What a session's agent is doing, whether the user is needed, and how that is known.

No record says that an agent is working, waiting or dead: it follows from the last meaningful record
and from which processes are alive. If that cannot be determined, the status is `unknown`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from ..files.machine import Sighting
from ..folds.facts import Facts, LastEvent, OpenCall
from ..folds.responses import LostFile, effect_id
from ..model.durations import count, passed
from ..model.integrity import Integrity
from ..model.process import AppSession, Process, Run
from ..model.recovery import CUT_OFF
from ..model.session import Status
from ..model.timeline import Alive, CallState, open_state
from ..model.tools import TOOLS, Tools
from .midway import midway, silence_of

LATELY = 6 * 3600_000
"""Milliseconds of inactivity after which no process is looked for."""

DEBOUNCE = 500
"""Milliseconds within which calls may still follow the text of the same response."""

LONG = 30_000
"""Milliseconds after which a running call may be waiting for approval."""

DAY = 24 * 3600_000


class SeenEffect(NamedTuple):
    """A file that a search of the disk found, which a session may have changed without a record."""

    id: str
    offset: int
    """Of the record that a verdict refers to: the last one of the cut-off response."""
    size: int
    at: int | None
    """When the response was cut off; None if someone else probably changed the file later."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What is known of a session from outside its records. Times are milliseconds since 1970."""

    now: int
    integrity: Integrity = field(default_factory=Integrity)
    modified_at: int | None = None
    """Of the file; used only if records have no times, because copying changes it."""
    grew_at: int | None = None
    """When the file was last seen growing."""
    process: Process | None = None
    """The process that owns the session according to the registry, dead or alive."""
    rival: Process | None = None
    """If `process` is gone, a live one that may own the session as well."""
    is_over: bool = False
    """Whether it is a sub-agent whose call has its result."""
    sighting: Sighting | None = None
    """What this machine's processes show, if there is no registry and they were scanned."""
    inherited_before: int = 0
    """For a fork, the offset before which its calls belong to its source."""
    run: Run | None = None
    """What the agent's log says about a long call."""
    registers: bool = False
    """Whether the registry has an entry for every process that did not end normally."""
    has_registry: bool = False
    """Whether a session without an entry in the registry has no process."""
    had_process: bool = False
    """Whether the registry used to have a process for the session and no longer does."""
    app: AppSession | None = None
    """What the agent's own app knows of it."""
    tools: Tools = TOOLS
    answers_end: bool = True
    """Whether any complete answer ends a turn; false if the agent marks final ones."""
    decided: Collection[str] = frozenset()
    """Event ids of the calls, and ids of the effects without a record, that have a verdict."""
    session: str = ""
    """The session's id, which is part of the ids of effects without a record."""
    review_days: int = 7
    seen: tuple[SeenEffect, ...] = ()
    """What the last search of the disk found, if there was one."""


@dataclass(frozen=True, slots=True)
class State:
    """The status of a session and what follows from it."""

    status: Status
    needs_you: bool
    why: str
    """One sentence: how status and need were determined."""
    uncertain: int = 0
    """Undecided calls without a result whose agent is dead, and files that a cut-off response may
    have changed, according to a snapshot or a search."""
    doing: str = ""
    call_since: int | None = None
    """When the oldest running call began."""
    unknown: int = 0
    """Number of calls that may or may not be running."""
    alive: Alive = False
    """Whether the agent is alive to deliver the results of open calls; None if unknown."""


def derive(facts: Facts, evidence: Signs) -> State:
    """Return the state of a session. Pure; changes as time passes."""
    status, how = _status(facts, evidence)
    if status == "corrupt":
        return State(status, False, _sentence(how))
    alive = _alive(facts, evidence, status)
    states = _states(facts, evidence, alive)
    uncertain = [
        call
        for call, state in states
        if state == "uncertain" and call.event_id not in evidence.decided
    ]
    lost, seen = _lost(facts, evidence, status), _seen(facts, evidence, status)
    # Which tool changed a lost file is not known.
    changes = [(call.tool, call.at) for call in uncertain] + [("", file.at) for file in lost]
    changes += [("", one.at) for one in seen if one.at is not None]
    presses = any(_is_pressing(tool, at, facts, evidence) for tool, at in changes)
    if status == "crashed" and facts.responses.cut:
        how += f"; {CUT_OFF}"
    if uncertain:
        how += f"; {count(len(uncertain), 'call')} without a result"
    if lost or seen:
        files = count(len(lost) + len(seen), "file")
        how += f"; {files} possibly changed by a call without a record"
    if changes and not presses:
        days = count(evidence.review_days, "day")
        how += f", none of them a change in the last {days}"
    return State(
        status,
        needs_you=status == "asking" or presses,
        why=_sentence(how),
        uncertain=len(uncertain) + len(lost) + len(seen),
        doing=_doing(facts, evidence) if status == "working" else "",
        call_since=_call_since(facts) if status == "working" else None,
        unknown=sum(state == "unknown" for _, state in states),
        alive=alive,
    )


def may_be_at_work(facts: Facts, evidence: Signs) -> bool:
    """Return whether to look for a process: the turn may be unfinished, and it is recent."""
    last = facts.last
    if last is None or evidence.integrity.state == "unreadable" or _is_stop(last):
        return False
    at_end = not facts.responses.cut and _is_end(last, evidence)
    return not at_end and silence_of(facts, last, evidence) <= LATELY


def _status(facts: Facts, evidence: Signs) -> tuple[Status, str]:
    integrity, last = evidence.integrity, facts.last
    if integrity.state == "corrupt":
        return "corrupt", f"the transcript is corrupt: {integrity.detail}"
    if integrity.state == "unreadable":
        return "unknown", f"the transcript cannot be read: {integrity.detail}"
    if facts.damaged and not facts.records:
        return "unknown", "no record is readable"
    if last is None or _was_only_opened(facts, last):
        return "empty", "no prompt yet"
    if evidence.is_over and not _is_stop(last):
        return "done", "the call that it was started for has its result"
    if question := next(
        (call for call in facts.current_calls() if call.tool in evidence.tools.questions), None
    ):
        return "asking", f"waiting for your answer to {question.tool}"
    if _is_stop(last):
        return "interrupted", "stopped by you"
    if not facts.responses.cut and _is_end(last, evidence):
        return _finished(last, evidence)
    return midway(facts, last, evidence)


def _finished(last: LastEvent, evidence: Signs) -> tuple[Status, str]:
    how = "the turn ended with an error" if last.outcome == "failed" else "the turn finished"
    process = evidence.process
    if process and process.is_attached:
        return "waiting", f"{how}, process {process.pid} is alive"
    return "done", how


def _was_only_opened(facts: Facts, last: LastEvent) -> bool:
    """Return whether all messages came from the agent's own program."""
    answered = facts.first_prompt or facts.model or facts.open_calls
    return last.kind == "injected" and not answered


def _is_stop(last: LastEvent) -> bool:
    return last.kind in ("answer", "terminal") and last.outcome == "interrupted"


def _is_end(last: LastEvent, evidence: Signs) -> bool:
    if last.kind == "terminal" or (last.kind == "answer" and last.outcome):
        return True
    if last.kind != "answer" or not evidence.answers_end:
        return False
    if evidence.process and evidence.process.life == "dead":
        return True  # no call can follow
    return last.at is None or not 0 <= evidence.now - last.at <= DEBOUNCE


def _alive(facts: Facts, evidence: Signs, status: Status) -> Alive:
    """Return whether the agent is alive to deliver results; a question is ignored for this."""
    if status == "asking" and facts.last:
        status = midway(facts, facts.last, evidence)[0]
    return None if status == "unknown" else status == "working"


def _states(facts: Facts, evidence: Signs, alive: Alive) -> list[tuple[OpenCall, CallState]]:
    """Return the calls without a result, each with its state."""
    current = {call.number for call in facts.current_calls()}
    questions = evidence.tools.questions
    return [
        (call, open_state(call.stage, call.tool in questions, call.number in current, alive))
        for call in facts.calls_from(evidence.inherited_before)
    ]


def _lost(facts: Facts, evidence: Signs, status: Status) -> list[LostFile]:
    """Return the undecided files of a dead session that a snapshot names, but no call."""
    if status != "crashed":
        return []
    lost = facts.responses.lost_files
    decided, session = evidence.decided, evidence.session
    return [file for file in lost if effect_id(session, file.path) not in decided]


def _seen(facts: Facts, evidence: Signs, status: Status) -> list[SeenEffect]:
    """Return the undecided results of a search for a dead session, without the lost files."""
    if status != "crashed" or not facts.responses.cut:
        return []
    known = {effect_id(evidence.session, file.path) for file in facts.responses.lost_files}
    return [one for one in evidence.seen if one.id not in known and one.id not in evidence.decided]


def _is_pressing(tool: str, at: int | None, facts: Facts, evidence: Signs) -> bool:
    at = at or facts.updated_at or evidence.modified_at or 0
    return is_pressing(evidence.tools, tool, evidence.now - at, evidence.review_days)


def is_pressing(tools: Tools, tool: str, age: int, review_days: int) -> bool:
    """Return whether an uncertain call needs the user: it is recent and may have had an effect.

    `age` is in milliseconds.
    """
    harmless = tool in tools.reads or tool in tools.questions
    return not harmless and age <= review_days * DAY


def _doing(facts: Facts, evidence: Signs) -> str:
    """Return the running tool and its label, with its age if it has been running for long."""
    calls = facts.current_calls()
    if not calls:
        return "thinking"
    first = calls[0]
    doing = f"{first.tool} {first.label}".strip()
    if len(calls) > 1:
        doing += f" and {len(calls) - 1} more"
    age = max(0, evidence.now - first.at) if first.at else 0
    if age >= LONG:
        doing += f", {_at_what(evidence.run, calls)} for {passed(age)}"
    return doing


def _at_what(run: Run | None, calls: list[OpenCall]) -> str:
    """Return whether a tool is running or waiting, if the agent's log shows it."""
    if run is not None and run.tool in {"", *(call.tool for call in calls)}:
        if run.activity == "waiting":
            return "waiting for your approval"
        if run.activity == "running":
            return "running"
    return "running or waiting for approval"


def has_long_call(facts: Facts, now: int) -> bool:
    """Return whether a call has been open for so long that it may be waiting for approval."""
    since = _call_since(facts)
    return since is not None and now - since >= LONG


def _call_since(facts: Facts) -> int | None:
    return min((call.at for call in facts.current_calls() if call.at), default=None)


def _sentence(how: str) -> str:
    return how[:1].upper() + how[1:].rstrip(".") + "."
