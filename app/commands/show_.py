"""`sessions show`: print the events of one session, in file order."""

from __future__ import annotations

import argparse
import json
from collections import deque
from collections.abc import Iterator
from typing import Any

from ...storage.model.edits import Edit
from ...storage.model.event import KINDS
from ...storage.model.event_detail import EventDetail
from ...storage.model.timeline import Alive
from ...storage.text.printed_name import is_printed, unquoted
from ...storage.timeline.annotated import AnnotatedEvent
from ...storage.timeline.detail import detail_of
from ...storage.transcript.parts import Parts
from ...widgets.words.kinds import LABELS
from ...widgets.words.safe import exact_name, safe_text
from ..output.lines import columns, event_line, has_line
from ..output.part_lines import begins_of_last, told_of
from ..output.shapes import event_shape, print_json, to_json
from ..output.streams import say
from .scope import DONE, PARTIAL, UsageError, find_event, is_alive, library_of, read_parts, scope_of

KIND_OF = {label: kind for kind, label in LABELS.items()}
"""Kinds of events by their labels."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument("--last", type=int, metavar="N", help="only the last N")
    parser.add_argument(
        "--kind",
        type=lambda word: KIND_OF.get(word, word),
        choices=KINDS,
        metavar="KIND",
        help=", ".join(KINDS) + "; or the label in the timeline, such as you or thought",
    )
    parser.add_argument(
        "--event", metavar="ID", help="only the event with this id or number, in full"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines")


def run(options: argparse.Namespace) -> int:
    """Print the events."""
    if options.last is not None and options.last < 0:
        raise UsageError("--last takes a number of events, 0 or more.")
    with library_of(scope_of(options), [options.session]) as library:
        parts = read_parts(library, options.session)
        alive = is_alive(library, parts.newest.path)
        if (options.event or "").isdigit():
            _, event = find_event(library, options.event, options.session)
            options.event = event.event_id or options.event
        options.event = options.event and unquoted(options.event)
        wanted = list(_wanted(parts, alive, options)) if options.event is not None else None
        if wanted == []:
            raise UsageError(f"There is no event {options.event!r} in this session.")
        try:
            for part, told in wanted or _wanted(parts, alive, options):
                _print(parts, part, told, options)
        except OSError as error:
            say(f"{error.filename or parts.newest.path} cannot be read further: {error.strerror}.")
            return PARTIAL
        integrity = parts.integrity()
        if integrity.state != "ok":
            say(f"The transcript is {integrity.state}: {integrity.detail}.")
        return DONE


def _wanted(
    parts: Parts, alive: Alive, options: argparse.Namespace
) -> Iterator[tuple[int, AnnotatedEvent]]:
    """Yield the requested events, each with the index of its part."""
    every = bool(options.json or options.event is not None)
    begins = [0] * len(parts.transcripts)
    if options.last is not None and not options.kind:
        begins = begins_of_last(parts, options.last, every)
    events: Iterator[tuple[int, AnnotatedEvent]] = (
        (part, told)
        for part, first in enumerate(begins)
        for told in told_of(parts, part, alive).events(first)
        if (options.kind is None or told.event.kind == options.kind)
        and (options.event is None or is_printed(options.event, told.event.event_id or ""))
        and (
            every or has_line(parts.transcripts[part], parts.transcripts[part].index_of(told.event))
        )
    )
    if options.kind and options.last is not None:
        events = iter(deque(events, maxlen=options.last))
    return events


def _index(parts: Parts, part: int, told: AnnotatedEvent) -> int:
    """Return the 0-based index of an event in its part."""
    return parts.transcripts[part].index_of(told.event)


def _print(parts: Parts, part: int, told: AnnotatedEvent, options: argparse.Namespace) -> None:
    if options.json:
        print_json(event_shape(told))
        return
    print(event_line(told, columns()))
    if options.event is not None:
        for text in _whole(parts, part, told):
            print(safe_text(text))


def _whole(parts: Parts, part: int, told: AnnotatedEvent) -> Iterator[str]:
    """Yield the full text of an event; for a call, its arguments and result."""
    if told.event.kind != "call":
        yield told.event.text
        return
    detail = _call_detail(parts, part, told)
    event = told.event
    edit = detail.edit if detail else event.agent.tools.edit_of(event.tool, event.args)
    yield from [_pretty(told.event.args)] if edit is None else _edit(edit)
    late = parts.ties(part).end(_index(parts, part, told))
    result = late.text if late else detail.result if detail else None
    yield "no result" if result is None else "result"
    if result is not None:
        yield result


def _call_detail(parts: Parts, part: int, told: AnnotatedEvent) -> EventDetail | None:
    """Return a call with its result; None for an unterminated record, which has no result.

    `alive` does not matter here: the state of the call is already known.
    """
    transcript = parts.transcripts[part]
    index, positions = _index(parts, part, told), transcript.positions
    if index >= len(positions):
        return None
    call = positions.call_of(index)
    return detail_of(transcript, index if call is None else call, alive=False)


def _edit(edit: Edit) -> Iterator[str]:
    """Yield the file, then each change: removed lines with a minus, added lines with a plus."""
    yield exact_name(edit.path)
    for number, change in enumerate(edit.changes, 1):
        if len(edit.changes) > 1:
            yield f"change {number} of {len(edit.changes)}"
        if change.everywhere:
            yield "everywhere"
        yield from _signed("-", change.old or "")
        yield from _signed("+", change.new)


def _signed(sign: str, text: str) -> Iterator[str]:
    if text:
        yield from (f"{sign} {line}" for line in safe_text(text).split("\n"))


def _pretty(args: Any) -> str:
    if isinstance(args, str):
        return args
    try:
        return json.dumps(args, ensure_ascii=False, indent=2)
    except RecursionError:
        return to_json(args)
