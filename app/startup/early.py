"""The sessions, looked for before the screen is imported.

Beside the import it would take five times as long: each question to the file system gives the
interpreter away, and the import gives it back only now and then. So the import waits, but not for
a slow disk or ten thousand files.
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
"""Sessions known by a glance before the first list is told: a screen full."""

PATIENCE = 0.15
"""Seconds after which the screen is imported all the same."""


class Early(Thread):
    """A library that looks for transcripts, for one thread after another."""

    def __init__(self, roots: Roots, places: Places, review_days: int) -> None:
        super().__init__(name="early", daemon=True)
        self.roots, self.places, self.review_days = roots, places, review_days
        self._decisions = Decisions(places.data)
        self._library = Library(roots.found, places.cache, review_days, self._decisions)
        self.start()
        self.join(PATIENCE)

    def run(self) -> None:
        """Find the transcripts, and know the newest."""
        with suppress(Exception):  # whoever goes on with it meets, and tells, the same
            self._library.rescan()
            for path in first_and_rest(self._library)[0][: FIRST + 1]:
                self._library.glance(path)

    def take(self) -> tuple[Library, Decisions]:
        """The library and its decisions, once it has looked."""
        self.join()
        return self._library, self._decisions
