"""`sessions index`: update the search index."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from ...storage.index.index import FILE
from ...storage.library.library import Library
from ...storage.library.update import UpdateProgress
from ...widgets.words.amounts import count, duration
from ..output.shapes import to_json
from ..output.streams import say
from .scope import PARTIAL, library_of, look_around, report_unreadable, scope_of

TOLD_EVERY = 0.5
"""Seconds between progress messages."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--rebuild", action="store_true", help="discard the index and read everything again"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Update the index; exit code 6 if something could not be read or stored."""
    scope, start = scope_of(options), time.monotonic()
    if options.rebuild and (problem := forget(scope.places.cache)):
        say(problem)
        return PARTIAL
    with library_of(scope) as library:
        teller = Teller()
        library.read_all(teller.tell)
        teller.end()
        told = _told(library, time.monotonic() - start)
        print(to_json(told) if options.json else _line(told))
        look_around(scope, library)
        code = report_unreadable(scope, library)
        return code if library.transcripts.is_kept else PARTIAL


def forget(cache: Path) -> str:
    """Delete the index, which can be rebuilt; return why that failed, "" if it did not."""
    try:
        for suffix in ("", "-wal", "-shm"):
            (cache / f"{FILE}{suffix}").unlink(missing_ok=True)
    except OSError as error:
        return f"{error.filename} cannot be deleted, and no index was made: {error.strerror}."
    return ""


class Teller:
    """Shows progress on the last line of the terminal."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._next = self._start + TOLD_EVERY
        self._width = 0

    def tell(self, progress: UpdateProgress) -> None:
        """Show the progress, at most once per `TOLD_EVERY`."""
        now = time.monotonic()
        if now < self._next or not sys.stderr.isatty():
            return
        self._next = now + TOLD_EVERY
        self._print(_sentence(progress, now - self._start))

    def end(self) -> None:
        """Clear the line."""
        if self._width:
            self._print("")
            print("\r", end="", file=sys.stderr, flush=True)

    def _print(self, text: str) -> None:
        print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = max(self._width, len(text))


def _sentence(progress: UpdateProgress, seconds: float) -> str:
    """Return text such as `12 of 482 files, 61 of 400 MB, about 4 s left`."""
    done = progress.files - progress.files_left
    said = f"{done:,} of {count(progress.files, 'file')}, "
    said += f"{progress.bytes_read / 1e6:,.0f} of {progress.bytes / 1e6:,.0f} MB"
    if progress.bytes_read and progress.bytes > progress.bytes_read:
        left = seconds * (progress.bytes - progress.bytes_read) / progress.bytes_read
        said += f", about {duration(round(left) * 1000)} left"
    return said


def _told(library: Library, seconds: float) -> dict[str, Any]:
    paths = {file.path for file in library.files()}
    known = [library.overview(path) for path in paths]
    return {
        "files": len(paths),
        "parsed": len(library.overviews.parsed),
        "unchanged": len(paths - library.overviews.parsed - library.unreadable.keys()),
        "records": sum(one.events or 0 for one in known if one),
        "bytes_read": library.overviews.bytes_read,
        "removed": library.overviews.removed,
        "unreadable": [
            {"path": str(problem.path), "reason": problem.reason}
            for problem in library.unreadable.values()
        ],
        "seconds": round(seconds, 3),
    }


def _line(told: dict[str, Any]) -> str:
    read = f"{told['parsed']:,} read ({told['bytes_read'] / 1e6:,.1f} MB)"
    gone = f", {told['removed']:,} removed" if told["removed"] else ""
    files = f"{count(told['files'], 'transcript')} with {count(told['records'], 'event')}"
    return f"{files}: {read}, {told['unchanged']:,} unchanged{gone}, in {told['seconds']:.1f} s."
