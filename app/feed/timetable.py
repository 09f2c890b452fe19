"""Decides when the feed's thread does its timed work, and how long it waits for requests."""

from __future__ import annotations

import time
from collections.abc import Callable

TICK = 1.0
"""Seconds between two checks of the open transcript and of states that depend on time."""

POLL = 0.02
"""Seconds between two checks of the open transcript if nothing can be watched."""

TOLD_EVERY, TOLD_AFTER = 0.5, 3.0
"""Seconds between two lists of sessions while much changes: the minimum, and the usual maximum."""

SAVED_EVERY = 3.0
"""Seconds between two saves of the index."""

SCANNED_EVERY, SCANNED_AFTER = 2.0, 15.0
"""Minimum and usual maximum of seconds between two scans for changes that no watcher reported."""

SCANNED_REST = 20
"""Minimum pause after a scan, as a multiple of its duration: 50,000 files take seconds."""

JUMP = 10_000
"""Milliseconds between two ticks from which the clock was set or the machine was asleep."""

AGAIN = 0.5
"""Seconds after which a scan requested by a change is repeated."""


class Timetable:
    """Keep the due times, in monotonic seconds; `now` returns milliseconds since the Unix epoch."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.busy = True
        """Whether there is something to read without waiting."""
        self._dirty = True
        """Whether the list of sessions may differ from the posted one."""
        self._now = now
        self._ticked_at = now()
        self._next_tick = self._next_list = self._next_save = self._next_scan = 0.0
        self._scans_again = False

    def patience(self, quiet_until: float, is_watched: bool) -> float:
        """Return the seconds to wait for a request; at most 0 while there is something to read."""
        now = time.monotonic()
        quiet = quiet_until - now
        patience = quiet if self.busy else max(quiet, self._next_tick - now)
        return patience if is_watched else min(patience, POLL)

    def ticks(self, now: float) -> bool:
        """Whether a tick is due; a jump of the clock makes the scan and the list due too."""
        if now < self._next_tick:
            return False
        self._next_tick = now + TICK
        before, self._ticked_at = self._ticked_at, self._now()
        if abs(self._ticked_at - before) >= JUMP:  # changes may have gone unreported
            self._next_scan = self._next_list = 0.0
        self._dirty = True
        return True

    def took(self, seconds: float) -> None:
        """Discount the duration of the feed's own work, which is not a jump of the clock."""
        self._ticked_at += int(1000 * seconds)

    # The list of sessions.

    def change(self, busy: bool = False) -> None:
        """Note that the list may have changed; `busy` means that there may be more to read."""
        self._dirty = True
        self.busy = self.busy or busy

    def tells(self, now: float, quiet_until: float) -> bool:
        """Whether a list is due."""
        return self._dirty and now >= max(self._next_list, quiet_until)

    def told(self, seconds: float) -> None:
        """Note that a list was posted, and schedule the next by the seconds that it took."""
        self._dirty = False
        rest = 20 * seconds
        self._next_list = time.monotonic() + max(TOLD_EVERY, min(rest, TOLD_AFTER), rest / 5)

    def tell_later(self) -> None:
        """Schedule the next list after the minimum pause."""
        self._next_list = time.monotonic() + TOLD_EVERY

    def tell_at_once(self) -> None:
        """Make a list due now, because the user changed it."""
        self._dirty, self._next_list = True, 0.0

    @property
    def may_tell(self) -> bool:
        """Whether the pause after the last list is over."""
        return time.monotonic() >= self._next_list

    # Saving and scanning.

    def saves(self, now: float) -> bool:
        """Whether a save is due; schedules the next one."""
        if now < self._next_save:
            return False
        self._next_save = now + SAVED_EVERY
        return True

    def scans(self, now: float) -> bool:
        """Whether a scan is due."""
        return now >= self._next_scan

    def scan_at_once(self) -> None:
        """Scan now and once more, as the system reports no files in directories just created."""
        self._next_scan, self._scans_again = 0.0, True

    def scanned(self, start: float, is_watched: bool) -> None:
        """Note the end of a scan that began at `start`, and schedule the next."""
        end = time.monotonic()
        # Without watchers, only the scan finds new files.
        rest = 400 if is_watched else 100
        pause = min(SCANNED_AFTER, max(SCANNED_EVERY, rest * (end - start)))
        self._next_scan = end + max(pause, SCANNED_REST * (end - start))
        if self._scans_again:
            self._next_scan, self._scans_again = end + AGAIN, False
