"""`sessions recover`: show what can be restored after a crash, and what was interrupted."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

from ...storage.decisions.decisions import Decisions
from ...storage.insight.recover import recover_of, with_effects, with_running
from ...storage.library.library import Library
from ...storage.model.action import Action
from ...storage.model.recovery import MAX_ITEMS, Recovery
from ...storage.review.cases import judged, judged_action, key_of
from ...storage.transcript.parts import Parts
from ..output.action_lines import recovery_lines
from ..output.action_shapes import recovery_shape
from ..output.lines import columns
from ..output.shapes import to_json
from .scope import (
    DONE,
    TROUBLE,
    UsageError,
    desk_of,
    effects_found,
    is_alive,
    is_dead,
    read_parts,
    scope_of,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument(
        "--max-items",
        type=int,
        default=MAX_ITEMS,
        metavar="N",
        help=f"restore messages from the last N events (default {MAX_ITEMS}); "
        "an agent that always restores all ignores this",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print the recovery; exit code 1 if the transcript is corrupt or damaged."""
    if options.max_items < 1:
        raise UsageError("--max-items takes a number of events, 1 or more.")
    with desk_of(scope_of(options), [options.session]) as (library, decisions):
        parts = read_parts(library, options.session)
        recovery = recover_of(parts.newest, options.max_items, parts.older)
        alive = is_alive(library, parts.newest.path)
        recovery = with_running(recovery, parts.transcripts, alive)
        if is_dead(library, parts.newest.path):
            effects = effects_found(library, parts.newest)
            recovery = with_effects(recovery, parts.newest, effects.actions)
        recovery = _with_verdicts(recovery, parts, decisions, library)
    _print(recovery, options.json)
    return TROUBLE if recovery.integrity.state in ("corrupt", "damaged") else DONE


def _with_verdicts(
    recovery: Recovery,
    parts: Parts,
    decisions: Decisions,
    library: Library,
) -> Recovery:
    """Return the recovery with the user's verdicts on its uncertain actions and effects."""
    restored = recovery.restored
    if restored is None:
        return recovery
    newest, now = parts.newest, int(time.time() * 1000)
    others = library.namesakes(newest.path)

    def decided(action: Action) -> Action:
        transcript = parts.holding(action.session)
        key, path = key_of(transcript, action), transcript.path
        return judged(action, key, decisions, path=path, others=library.namesakes(path))

    uncertain = tuple(decided(action) for action in restored.uncertain)
    effects = tuple(
        judged_action(newest, effect, decisions, now, others=others) for effect in restored.effects
    )
    return replace(recovery, restored=replace(restored, uncertain=uncertain, effects=effects))


def _print(recovery: Recovery, as_json: bool) -> None:
    if as_json:
        print(to_json(recovery_shape(recovery)))
        return
    for line in recovery_lines(recovery, columns()):
        print(line)
