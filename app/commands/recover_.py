"""`sessions recover`: what a restart would restore of a session, and what was interrupted."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from ...storage.decisions import Decisions
from ...storage.recovering import recover_of
from ...storage.recovery import MAX_ITEMS, Recovery
from ...storage.reviewing import judged, key_of
from ...storage.transcript import Transcript
from ..action_lines import recovery_lines
from ..action_shapes import recovery_shape
from ..lines import columns
from ..scope import DONE, TROUBLE, UsageError, desk_of, read_session, scope_of
from ..shapes import to_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument(
        "--max-items",
        type=int,
        default=MAX_ITEMS,
        metavar="N",
        help=f"messages of the last N events ({MAX_ITEMS}); MyCodeAgent restores all of its own",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print the recovery; 1 where the evidence is corrupt or damaged."""
    if options.max_items < 1:
        raise UsageError("--max-items takes a number of events, 1 or more.")
    with desk_of(scope_of(options), [options.session]) as (library, decisions):
        transcript = read_session(library, options.session)
        recovery = recover_of(transcript, options.max_items)
        others = library.namesakes(transcript.path)
        recovery = _with_verdicts(recovery, transcript, decisions, others)
    _print(recovery, options.json)
    return TROUBLE if recovery.integrity.state in ("corrupt", "damaged") else DONE


def _with_verdicts(
    recovery: Recovery,
    transcript: Transcript,
    decisions: Decisions,
    others: Collection[Path],
) -> Recovery:
    """The recovery, its uncertain actions with what the person decided on them."""
    restored = recovery.restored
    if restored is None or not restored.uncertain:
        return recovery
    uncertain = tuple(
        judged(
            action,
            key_of(transcript, action),
            decisions,
            path=transcript.path,
            others=others,
        )
        for action in restored.uncertain
    )
    return replace(recovery, restored=replace(restored, uncertain=uncertain))


def _print(recovery: Recovery, as_json: bool) -> None:
    if as_json:
        print(to_json(recovery_shape(recovery)))
        return
    for line in recovery_lines(recovery, columns()):
        print(line)
