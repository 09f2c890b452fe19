"""Notifies within milliseconds that something changed under a directory.

Notifications are hints; the listener inspects the files itself. Changes missed by the system
(overflowing queues, files in directories just created, network file systems) are found by the
listener's own sweeps. If watching is impossible, `alive` is False and the listener polls.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Event, Thread

STEP_MS = 5
"""Milliseconds over which the watcher collects changes; most of its latency."""
DEBOUNCE_MS = 20
FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0
"""Seconds between a failure and the next attempt to watch: after the first, and at most."""


class Watcher(Thread):
    """Watches directories, recursively if `recursive`, until stopped.

    `changed` is called on this thread with the changed paths, and with the directories themselves
    once they are being watched, because earlier changes went unnoticed.
    """

    def __init__(
        self, changed: Callable[[set[str]], None], directories: Iterable[Path], recursive: bool
    ) -> None:
        super().__init__(name="watcher", daemon=True)
        self.alive = False
        self.problem = ""
        """Why nothing is being watched, in a sentence; "" if all is well."""
        self._changed = changed
        self._directories = [str(path) for path in directories]
        self._recursive = recursive
        self._stop_event = Event()

    def run(self) -> None:
        """Watch until stopped; after a failure, wait and retry."""
        wait = FIRST_WAIT
        while not self._stop_event.is_set():
            try:
                self._watch()
            except Exception as error:  # watchfiles is written in Rust and may raise anything
                # If it worked before, a single name that cannot be decoded may have ended it.
                wait = FIRST_WAIT if self.alive else min(wait * 2, LONGEST_WAIT)
                self.alive, self.problem = False, f"files are polled, not watched: {error}"
                self._stop_event.wait(wait)

    def stop(self) -> None:
        """End the thread within a step, without waiting for it."""
        self._stop_event.set()

    def _watch(self) -> None:
        from watchfiles import watch  # takes 30 ms, which would delay the first screen

        directories = self._there()
        watching = watch(
            *self._directories,
            watch_filter=None,  # the default filter drops folders that projects are named after
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
                return  # the system still watches a directory that is gone

    def _there(self) -> list[tuple[int, int]]:
        """Return the identities of the directories; raises OSError if one is missing."""
        return [(stat.st_dev, stat.st_ino) for stat in map(os.stat, self._directories)]
