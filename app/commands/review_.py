"""`sessions review`: give a verdict on an uncertain action, or undo it."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from ...storage.decisions.decisions import Decisions
from ...storage.folds.responses import EFFECT, effect_id
from ...storage.library.library import Library
from ...storage.model.action import Action
from ...storage.model.case import VERDICTS, contradicts
from ...storage.review.actions import action_with
from ...storage.review.cases import judged, key_of
from ...storage.review.effects import effect_with
from ...storage.review.inspection import inspect
from ...storage.text.printed_name import other_forms, real_path, unquoted
from ...storage.text.safe_text import exact_name
from ...storage.transcript.transcript import Transcript
from ..output.action_lines import action_lines
from ..output.action_shapes import action_shape
from ..output.lines import columns
from ..output.shapes import to_json
from ..output.streams import printable, say
from .scope import (
    DONE,
    Refusal,
    UsageError,
    desk_of,
    find_event,
    find_file,
    is_alive,
    is_dead,
    parts_of,
    scope_of,
)

ALIASES = {"applied": "verified"}
"""Names of verdicts on screen, mapped to their names in JSON."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("action", metavar="ACTION", help="event id, as listed by `actions`")
    parser.add_argument(
        "verdict",
        metavar="VERDICT",
        nargs="?",
        choices=(*ALIASES, *VERDICTS),
        help="applied (or verified), not-applied, partial or dismissed",
    )
    parser.add_argument("--note", metavar="TEXT", help="what you found; saved with the verdict")
    parser.add_argument(
        "--undo",
        action="store_true",
        help="undo the last verdict",
    )
    parser.add_argument(
        "--session", metavar="SESSION", help="which session, if the id is ambiguous"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Apply the verdict and print the action; exit code 1 if it cannot be judged."""
    options.verdict = ALIASES.get(options.verdict, options.verdict)
    if (options.verdict is None) != options.undo:
        raise UsageError("Give either a verdict or --undo.")
    named = [options.session] if options.session else []
    with desk_of(scope_of(options), named) as (library, decisions):
        if (id := unquoted(options.action)).startswith(EFFECT):
            transcript, action = _effect(library, id, options.session)
        else:
            transcript, action = _call(library, options)
        if not (integrity := transcript.integrity()).is_trusted:
            say(f"The transcript is {integrity.state}: {integrity.detail}.")
        others = library.namesakes(transcript.path)
        action = _decided(transcript, action, decisions, options, others)
    if options.json:
        print(to_json(action_shape(action)))
    else:
        print("\n".join(action_lines(action, columns())))
    return DONE


def _call(library: Library, options: argparse.Namespace) -> tuple[Transcript, Action]:
    """Return the named call and its transcript."""
    transcript, event = find_event(library, options.action, options.session)
    parts = parts_of(library, transcript.path)
    ties = parts.ties(parts.paths.index(transcript.path))
    action = action_with(transcript, event, is_alive(library, transcript.path), ties)
    if action is None:
        raise UsageError(f"{event.event_id} is no action: it is a {event.kind}.")
    return transcript, action


def _effect(library: Library, id: str, session: str | None) -> tuple[Transcript, Action]:
    """Return the named unrecorded effect and the transcript of its session."""
    named = [find_file(library, session)] if session else [file.path for file in library.files()]
    files = [file for path in named if (file := library.file(path))]
    ids = [(file.path, _real_id(id, file.session)) for file in files]
    found = [
        (one, effect)
        for path, real in ids
        if real and (one := _dead(library, path)) and (effect := effect_with(one, real))
    ]
    if not found:
        raise UsageError(f"There is no effect {printable(id, 200)!r}.")
    if len(found) > 1:
        told = ", ".join(exact_name(str(one.path)) for one, _ in found[:20])
        raise UsageError(f"{printable(id, 200)!r} is in {told}; --session PATH names one.")
    return found[0]


def _real_id(id: str, session: str) -> str:
    """Return the real id of an effect that was printed as `id`; "" if it is of another session."""
    for name in (session, *other_forms(session)):
        start = effect_id(name, "")
        if id.startswith(start):
            path = id.removeprefix(start)
            there = os.fspath(real_path(Path(path)))
            return effect_id(session, there if Path(there) != Path(path) else path)
    return ""


def _dead(library: Library, path: Path) -> Transcript | None:
    """Return the fully read transcript of a session that crashed; None for any other."""
    library.read(path)
    if path in library.unreadable or not is_dead(library, path):
        return None
    return library.transcript(path)


def _decided(
    transcript: Transcript,
    action: Action,
    decisions: Decisions,
    options: argparse.Namespace,
    others: Collection[Path],
) -> Action:
    """Store the decision; return the action with evidence and verdict."""
    now, key = int(time.time() * 1000), key_of(transcript, action)
    if key is None:
        raise Refusal("The action has no event id, so nothing can be kept of it.")
    inspection = inspect(transcript, action, now) if action.state == "uncertain" else None
    evidence = inspection.evidence if inspection else None
    path = transcript.path
    if options.undo and decisions.judgement(key, path=path, others=others) is None:
        say("No verdict to undo.")
    elif options.undo:
        decisions.take_back(key, path, now, others=others)
    elif refusal := _refusal(action):
        raise Refusal(refusal)
    else:
        verdict, note = options.verdict, options.note
        decisions.judge(key, path, verdict, note, evidence, now, others=others)
        if contradicts(options.verdict, evidence.suggests if evidence else None):
            say(f"The evidence says otherwise: {evidence.reason if evidence else ''}")
    action = judged(action, key, decisions, path=path, others=others)
    return replace(action, evidence=evidence)


def _refusal(action: Action) -> str:
    """Return why there is nothing to judge; "" if there is."""
    match action.state:
        case "completed" | "failed":
            return f"The {action.tool} {action.state}: it needs no verdict."
        case "running":
            return f"The {action.tool} is running: its session is at work."
        case "pending":
            return f"The {action.tool} never started: it needs no verdict."
    return ""
