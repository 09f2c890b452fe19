"""`sessions show`: the events of one session, in file order."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterator

from ...storage.event import KINDS
from ...storage.telling import Telling, Told
from ...storage.transcript import Transcript
from ..lines import columns, event_line
from ..scope import (
    DONE,
    PARTIAL,
    UsageError,
    is_alive,
    library_of,
    read_session,
    say,
    scope_of,
)
from ..shapes import event_shape, to_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument("--last", type=int, metavar="N", help="only the last N")
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--event", metavar="ID", help="only the event with this id, whole")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(options: argparse.Namespace) -> int:
    """Print the events."""
    if options.last is not None and options.last < 0:
        raise UsageError("--last takes a number of events, 0 or more.")
    with library_of(scope_of(options), [options.session]) as library:
        transcript = read_session(library, options.session)
        telling = Telling(transcript, is_alive(library, transcript.path))
        wanted = list(_wanted(transcript, telling, options)) if options.event else None
        if wanted == []:
            raise UsageError(f"There is no event {options.event!r} in this session.")
        try:
            for told in wanted or _wanted(transcript, telling, options):
                _print(told, options)
        except BrokenPipeError:
            raise
        except OSError as error:
            say(f"{transcript.path} cannot be read further: {error.strerror}.")
            return PARTIAL
        integrity = transcript.integrity()
        if integrity.state != "ok":
            say(f"The transcript is {integrity.state}: {integrity.detail}.")
        return DONE


def _wanted(
    transcript: Transcript, telling: Telling, options: argparse.Namespace
) -> Iterator[Told]:
    total = len(transcript.positions) + len(transcript.tail())
    first = max(0, total - options.last) if options.last is not None and not options.kind else 0
    events: Iterator[Told] = (
        told
        for told in telling.events(first)
        if (options.kind is None or told.event.kind == options.kind)
        and (options.event is None or told.event.event_id == options.event)
    )
    if options.kind and options.last is not None:
        events = iter(deque(events, maxlen=options.last))
    return events


def _print(told: Told, options: argparse.Namespace) -> None:
    if options.json:
        branch = "active" if told.active else "abandoned"
        print(to_json(event_shape(told.event, told.action, told.state, branch)))
    elif options.event:
        print(event_line(told, columns()))
        print(whole_text(told))
    else:
        print(event_line(told, columns()))


def whole_text(told: Told) -> str:
    """The event's text over as many lines as it has."""
    from ...widgets.safe import safe_text

    return safe_text(told.event.text)
