"""Tells within milliseconds that something changed under a directory.

Its words are hints: whoever hears them looks at the file. What the system loses (overflowing
queues, files in directories that are seconds old, network file systems) is found by the sweeps
of whoever listens; where no watch can be kept, `alive` is False and the listener polls.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Event, Thread

STEP_MS = 5
"""How long the watcher gathers changes: the larger part of its latency."""
DEBOUNCE_MS = 20
FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0
"""Seconds between a failure and the next attempt to watch: at first, and after many in a row."""


class Watcher(Thread):
    """Watches directories, with all below them when `recursive`, until stopped.

    `changed` is called from this thread with the paths that changed, and with the directories
    themselves once they are watched: what happened before, nobody saw.
    """

    def __init__(
        self, changed: Callable[[set[str]], None], directories: Iterable[Path], recursive: bool
    ) -> None:
        super().__init__(name="watcher", daemon=True)
        self.alive = False
        self.problem = ""
        """Why nothing is watched, in a sentence; "" while all is well."""
        self._changed = changed
        self._directories = [str(path) for path in directories]
        self._recursive = recursive
        self._stop_event = Event()

    def run(self) -> None:
        """Watch; after a failure wait and try again."""
        wait = FIRST_WAIT
        while not self._stop_event.is_set():
            try:
                self._watch()
            except Exception as error:  # the watch is made in Rust and raises what it likes
                # Where it did work, one name that cannot be spelled may have ended it.
                wait = FIRST_WAIT if self.alive else min(wait * 2, LONGEST_WAIT)
                self.alive, self.problem = False, f"files are polled, not watched: {error}"
                self._stop_event.wait(wait)

    def stop(self) -> None:
        """End within a step; does not wait."""
        self._stop_event.set()

    def _watch(self) -> None:
        from watchfiles import watch  # costs 30 ms, which the first screen need not wait for

        directories = self._there()
        watching = watch(
            *self._directories,
            watch_filter=None,  # the usual filter drops folders that projects are named after
            step=STEP_MS,
            debounce=DEBOUNCE_MS,
            rust_timeout=1_000,
            yield_on_timeout=True,
            stop_event=self._stop_event,
            recursive=self._recursive,
            ignore_permission_denied=True,
            raise_interrupt=False,
        )
        is_new = True
        for changes in watching:
            self.alive, self.problem = True, ""
            if is_new:
                is_new = False
                self._changed(set(self._directories))
            if changes:
                self._changed({path for _, path in changes})
            elif self._there() != directories:
                return  # the system went on watching what is no longer there

    def _there(self) -> list[tuple[int, int]]:
        """The directories that bear the names now; raises OSError where one is missing."""
        return [(stat.st_dev, stat.st_ino) for stat in map(os.stat, self._directories)]
