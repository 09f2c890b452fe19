"""`sessions tail`: follow a session, printing each record once its line is complete."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from ...storage.files.watcher import Watcher
from ...storage.model.store import SUFFIX
from ...storage.model.timeline import Alive
from ...storage.stores.layouts import session_at
from ...storage.timeline.annotated import AnnotatedEvent
from ...storage.timeline.tail import Tail
from ...storage.transcript.neighbours import continues_of
from ...storage.transcript.parts import Parts
from ...storage.transcript.transcript import Transcript
from ..output.lines import columns, event_line, first_of, has_line
from ..output.part_lines import begins_of_last, lines_between, told_of
from ..output.shapes import event_shape, to_json
from ..output.streams import check_reader, say
from .scope import DONE, UsageError, is_alive, library_of, read_parts, scope_of

SWEEP = 1.0
"""Seconds after which the file is checked even without a change notification."""

POLL = 0.02
"""Seconds between checks if changes cannot be watched."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument(
        "--last",
        type=int,
        default=10,
        metavar="N",
        help="start with the last N events (default 10)",
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines")


def run(options: argparse.Namespace) -> int:
    """Print records as they arrive, until interrupted.

    Raises OutputError once the reader, or the terminal, is gone.
    """
    if options.last < 0:
        raise UsageError("--last takes a number of events, 0 or more.")
    with library_of(scope_of(options), [options.session]) as library:
        parts = read_parts(library, options.session)
        alive = is_alive(library, parts.newest.path)
        following = Tail(parts.newest, alive)
        _print_last(parts, following, alive, options)
        if not alive and sys.stderr.isatty():
            say("Waiting for new records; ctrl+c ends.")
        _follow(parts.newest, following, options.json)
    return DONE


def _follow(transcript: Transcript, following: Tail, as_json: bool) -> None:
    """Print new events, switching to the next transcript when the session continues there."""
    trouble, sequels = Trouble(), Sequels(transcript.path.parent)
    for _ in _hints(transcript.path.parent):
        more = True
        while more:
            after = sequels.of(transcript)
            try:
                _print(transcript, following.new(), as_json)
                trouble.hear("")
            except OSError as error:
                path = transcript.path
                trouble.hear(f"{path} cannot be read: {error.strerror}; waiting for it.")
            if following.notice:
                say(following.notice)
                following.notice = ""
            if more := after is not None:
                transcript, following = after, Tail(after, alive=True)


class Sequels:
    """Finds the transcript that continues a session among new ones in a directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._seen: set[Path] = set()
        """Transcripts that continue nothing, or a session other than the one followed."""

    def of(self, transcript: Transcript) -> Transcript | None:
        """Return the unread transcript that continues this one; None if there is none."""
        for path in sorted(set(self._directory.glob(f"*{SUFFIX}")) - self._seen):
            session = continues_of(path)
            if session == transcript.session and path != transcript.path:
                self._seen.clear()
                return Transcript(path, session_at(path))
            with suppress(OSError):  # it may have been deleted
                if path.stat().st_size:  # otherwise its first record is still to come
                    self._seen.add(path)
        return None


def _print_last(parts: Parts, following: Tail, alive: Alive, options: argparse.Namespace) -> None:
    """Print the last records, including those of older parts if the newest has too few."""
    newest, every = parts.newest, options.json
    count = options.last if every else _records(newest, options.last)
    total = len(newest.positions)
    rest = options.last - lines_between(newest, max(0, total - count), total, every)
    for part, first in enumerate(begins_of_last(Parts(parts.older), rest, every)):
        told = told_of(parts, part, alive).events(first)
        _print(parts.transcripts[part], told, options.json)
    _print(newest, following.last(count), options.json)


class Trouble:
    """Reports a problem once, and only if it persists: a replaced file is missing for a moment."""

    def __init__(self) -> None:
        self._last = self._said = ""

    def hear(self, problem: str) -> None:
        """Report the current problem, "" if there is none."""
        if problem and problem == self._last and problem != self._said:
            say(problem)
            self._said = problem
        elif not problem:
            self._said = ""
        self._last = problem


def _hints(directory: Path) -> Iterator[None]:
    """Yield whenever the file should be checked again.

    Raises OutputError once nobody reads the output, which a quiet session would not reveal.
    """
    changes: SimpleQueue[set[str]] = SimpleQueue()
    watcher = Watcher(changes.put, [directory], recursive=False)
    watcher.start()
    try:
        while True:
            with suppress(Empty):
                changes.get(timeout=SWEEP if watcher.alive else POLL)
            check_reader()
            yield
    finally:
        watcher.stop()


def _records(transcript: Transcript, lines: int) -> int:
    """Return how many of the last records make up `lines` lines."""
    total = len(transcript.positions)
    return total - first_of(transcript, lines, total)


def _print(transcript: Transcript, events: Iterator[AnnotatedEvent], as_json: bool) -> None:
    for told in events:
        if as_json:
            print(to_json(event_shape(told)), flush=True)
        elif has_line(transcript, transcript.index_of(told.event)):
            print(event_line(told, columns()), flush=True)
