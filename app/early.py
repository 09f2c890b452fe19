"""The sessions, looked for before the screen is imported.

Beside the import, in a thread of its own, it would take five times as long: each question to the
file system gives the interpreter away, and the import gives it back only now and then.
"""

from __future__ import annotations

from contextlib import suppress

from ..storage.decisions import Decisions
from ..storage.library import Library
from ..storage.places import Places
from ..storage.roots import Roots

FIRST = 24
"""Sessions known by a glance before the first list is told: a screen full."""


class Early:
    """A library that has looked for transcripts, for one thread after another."""

    def __init__(self, roots: Roots, places: Places, review_days: int) -> None:
        self.decisions = Decisions(places.data)
        self.library = Library(roots.found, places.cache, review_days, self.decisions)
        with suppress(Exception):  # whoever goes on with it meets, and tells, the same
            self.library.rescan()
            for path in self.library.newest_first()[: FIRST + 1]:
                self.library.glance(path)
