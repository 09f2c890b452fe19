"""What the disk shows about an interrupted call. Never writes or runs anything."""

from __future__ import annotations

from dataclasses import replace

from ..files.disk import Look, look_at
from ..model.action import Action
from ..model.edits import Edit
from ..model.evidence import TOLERANCE, Before, Evidence, Inspection
from ..text.paths import may_expand, named_path
from ..transcript.transcript import Transcript
from .effect_inspection import inspect_effect
from .excerpts import excerpts_of
from .judgement import Finding, judge
from .reasons import (
    COMMAND,
    EXPLAINS_ALL,
    LOST_CALLS,
    NO_PATH,
    OTHER_CALL,
    TOO_MANY_EDITS,
    UNREADABLE_EDIT,
    of_expansion,
    of_link,
    of_unknown_directory,
)
from .trail import Trail, trail_of

_EDITS = frozenset({"Edit", "MultiEdit", "Write"})


def inspect(transcript: Transcript, action: Action, now: int) -> Inspection | None:
    """Return the evidence on an uncertain action; None if there is nothing to judge.

    `now` is in milliseconds since 1970. Raises OSError if the transcript cannot be read; problems
    with the file in question are reported in the evidence.
    """
    tool, tools = action.call[0], action.agent.tools
    if action.state != "uncertain" or tool in tools.reads or tool in tools.questions:
        return None
    if action.found:
        return inspect_effect(transcript, action, now)
    edit = action.edit
    if action.path is None or edit is None:
        return _unjudged(action, now)
    with trail_of(transcript, action) as trail:
        look = look_at(action.path, trail.directory)
        judgement = _judgement(edit, look, trail)
    judgement = _with_lost_calls(transcript, judgement, look)
    is_text = look.data is not None and b"\0" not in look.data
    excerpts = excerpts_of(look.data or b"", judgement.places) if is_text else ()
    return Inspection(_evidence(action, judgement, look, now), excerpts)


def _unjudged(action: Action, now: int) -> Inspection:
    """Return the evidence on a call that no file can show, or whose file is not known."""
    path = _judged_path(action)
    look = look_at(path, None) if path else Look()
    return Inspection(_evidence(action, Finding("unknown", _reason(action, path)), look, now))


def _judged_path(action: Action) -> str | None:
    """Return the file that can show what a call did; None for a command, which names none."""
    return None if action.call[0] in action.agent.tools.shells else action.path


def _reason(action: Action, path: str | None) -> str:
    tool, args = action.call
    if tool in action.agent.tools.shells:
        return COMMAND
    if tool not in _EDITS:
        return OTHER_CALL
    if path is not None:
        return UNREADABLE_EDIT
    named = named_path(args)
    if named is None:
        return NO_PATH
    return of_expansion(named) if may_expand(named) else of_unknown_directory(named)


def _judgement(edit: Edit, look: Look, trail: Trail) -> Finding:
    if look.problem:
        return Finding("unknown", look.problem)
    known = _known(trail, look)
    if known.inert:
        return Finding("not-applied", known.inert)
    judgement = judge(edit, look.data, known)
    if judgement.suggests in ("applied", "not-applied"):
        # Other edits can only cast doubt on a settled result; most files need no such search.
        others = trail.others()
        if others is None:
            judgement = Finding("unknown", TOO_MANY_EDITS, judgement.places)
        elif others:
            judgement = judge(edit, look.data, replace(known, others=others))
    if not look.target:
        return judgement
    reason = of_link(look.target, judgement.reason)
    return Finding(judgement.suggests, reason, judgement.places)


def _with_lost_calls(transcript: Transcript, judgement: Finding, look: Look) -> Finding:
    """Return the finding, with a caveat if unrecorded calls may also have changed the file."""
    cut = transcript.facts.responses.cut
    if cut is None or judgement.reason in EXPLAINS_ALL or not look.exists:
        return judgement
    if cut.at and look.modified_at is not None and look.modified_at < cut.at - TOLERANCE:
        return judgement
    return replace(judgement, reason=f"{judgement.reason} {LOST_CALLS}")


def _known(trail: Trail, look: Look) -> Before:
    """Return what is known besides the file's contents."""
    before = trail.transcript.agent.before
    if before:
        return before(trail, look)
    return Before(trail.action.at, look.modified_at, trail.existed_if_gone(look))


def _evidence(action: Action, judgement: Finding, look: Look, now: int) -> Evidence:
    return Evidence(
        suggests=judgement.suggests,
        reason=judgement.reason,
        path=_judged_path(action),
        exists=look.exists,
        size=look.size,
        sha256=look.sha256,
        modified_at=look.modified_at,
        checked_at=now,
    )
