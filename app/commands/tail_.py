"""`sessions tail`: follow a session, each record once its line is complete."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from ...storage.following import Following
from ...storage.telling import Told
from ...storage.transcript import Transcript
from ...storage.watcher import Watcher
from ..lines import columns, event_line, first_of, has_line
from ..scope import DONE, UsageError, find_session, is_alive, library_of, say, scope_of
from ..shapes import event_shape, to_json

SWEEP = 1.0
"""Seconds after which the file is looked at though nothing was said of it."""

POLL = 0.02
"""Seconds between looks where nothing can be watched."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument("--last", type=int, default=10, metavar="N", help="first the last N (10)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(options: argparse.Namespace) -> int:
    """Print records as they come, until interrupted."""
    if options.last < 0:
        raise UsageError("--last takes a number of events, 0 or more.")
    with library_of(scope_of(options), [options.session]) as library:
        path = find_session(library, options.session)
        library.read(path)
        if path in library.unreadable:
            raise UsageError(f"{path} cannot be read: {library.unreadable[path].reason}.")
        transcript, alive = library.transcript(path), is_alive(library, path)
        following = Following(transcript, alive)
        count = options.last if options.json else _records(transcript, options.last)
        _print(transcript, following.last(count), options.json)
        if not alive and sys.stderr.isatty():
            say("Waiting for new records; ctrl+c ends.")
        trouble = Trouble()
        for _ in _hints(path.parent):
            try:
                _print(transcript, following.new(), options.json)
                trouble.hear("")
            except BrokenPipeError:
                raise
            except OSError as error:
                trouble.hear(f"{path} cannot be read: {error.strerror}; waiting for it.")
            if following.notice:
                say(following.notice)
                following.notice = ""
    return DONE


class Trouble:
    """Says once what is wrong, and only where it lasts: a replaced file is gone for a moment."""

    def __init__(self) -> None:
        self._last = self._said = ""

    def hear(self, problem: str) -> None:
        """What is wrong now, "" if nothing is."""
        if problem and problem == self._last and problem != self._said:
            say(problem)
            self._said = problem
        elif not problem:
            self._said = ""
        self._last = problem


def _hints(directory: Path) -> Iterator[None]:
    """Whenever it is worth to look at the file again."""
    changes: SimpleQueue[set[str]] = SimpleQueue()
    watcher = Watcher(changes.put, [directory], recursive=False)
    watcher.start()
    try:
        while True:
            with suppress(Empty):
                changes.get(timeout=SWEEP if watcher.alive else POLL)
            yield
    finally:
        watcher.stop()


def _records(transcript: Transcript, lines: int) -> int:
    """How many of the last records make so many lines."""
    total = len(transcript.positions)
    return total - first_of(transcript, lines, total)


def _print(transcript: Transcript, events: Iterator[Told], as_json: bool) -> None:
    for told in events:
        if as_json:
            branch = "active" if told.active else "abandoned"
            print(to_json(event_shape(told.event, told.action, told.state, branch)), flush=True)
        elif has_line(transcript, (told.event.place.number or 0) - 1):
            print(event_line(told, columns()), flush=True)
