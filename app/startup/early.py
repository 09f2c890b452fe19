"""Finds the sessions before the UI is imported.

In parallel with the import this would take five times as long: each file system call releases the
interpreter lock, and the import gives it back only rarely. So the import waits, but not for a slow
disk or ten thousand files.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Thread

from ...storage.decisions.decisions import Decisions
from ...storage.library.library import Library
from ...storage.library.update import first_and_rest
from ...storage.private.places import Places
from ...storage.stores.roots import Roots

FIRST = 24
"""Sessions glanced at before the first list is shown: one screen full."""

PATIENCE = 0.15
"""Seconds after which the UI is imported in any case."""


class Early(Thread):
    """A thread that opens a library and scans for transcripts, then hands the library over."""

    def __init__(self, roots: Roots, places: Places, review_days: int) -> None:
        super().__init__(name="early", daemon=True)
        self.roots, self.places, self.review_days = roots, places, review_days
        self._decisions = Decisions(places.data)
        self._library = Library(roots.found, places.cache, review_days, self._decisions)
        self.start()
        self.join(PATIENCE)

    def run(self) -> None:
        """Find the transcripts, and glance at the newest."""
        with suppress(Exception):  # the next user of the library runs into it again, and reports it
            self._library.rescan()
            for path in first_and_rest(self._library)[0][: FIRST + 1]:
                self._library.glance(path)

    def take(self) -> tuple[Library, Decisions]:
        """Return the library and its decisions, once the scan is done."""
        self.join()
        return self._library, self._decisions
