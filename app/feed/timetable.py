"""What the feed's thread does when: how long it waits, and what is due."""

from __future__ import annotations

import time
from collections.abc import Callable

TICK = 1.0
"""Seconds between looks at the open transcript and at states that age."""

POLL = 0.02
"""Seconds between looks at the open transcript where nothing can be watched."""

TOLD_EVERY, TOLD_AFTER = 0.5, 3.0
"""Seconds between two lists of sessions while much changes, at least and at most."""

SAVED_EVERY = 3.0
"""Seconds between two savings of what was read."""

SCANNED_EVERY, SCANNED_AFTER = 2.0, 15.0
"""Seconds between two looks for transcripts that came, went or changed unnoticed."""

SCANNED_REST = 20
"""How many times as long as a look took it rests at least: among 50,000 files one takes seconds."""

JUMP = 10_000
"""Milliseconds between two ticks after which a clock was set, or the machine slept."""

AGAIN = 0.5
"""Seconds after which a change that was not understood is looked at once more."""


class Timetable:
    """When to do what, in monotonic seconds; does none of it. `now`: milliseconds since 1970."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.busy = True
        """Whether there is something to read at once."""
        self._dirty = True
        """Whether the list of sessions may differ from the one that was told."""
        self._now = now
        self._ticked_at = now()
        self._next_tick = self._next_list = self._next_save = self._next_scan = 0.0
        self._scans_again = False

    def patience(self, quiet_until: float, is_watched: bool) -> float:
        """Seconds to wait for a request: none while there is something to read."""
        now = time.monotonic()
        quiet = quiet_until - now
        patience = quiet if self.busy else max(quiet, self._next_tick - now)
        return patience if is_watched else min(patience, POLL)

    def ticks(self, now: float) -> bool:
        """Whether the open transcript is to be looked at; a jump of the clock makes all due."""
        if now < self._next_tick:
            return False
        self._next_tick = now + TICK
        before, self._ticked_at = self._ticked_at, self._now()
        if abs(self._ticked_at - before) >= JUMP:  # nobody told what happened meanwhile
            self._next_scan = self._next_list = 0.0
        self._dirty = True
        return True

    def took(self, seconds: float) -> None:
        """What is done for so long between two ticks is no jump of the clock."""
        self._ticked_at += int(1000 * seconds)

    # The list of sessions.

    def change(self, busy: bool = False) -> None:
        """The list of sessions may have changed; `busy`: and there may be more to read."""
        self._dirty = True
        self.busy = self.busy or busy

    def tells(self, now: float, quiet_until: float) -> bool:
        """Whether a list is to be told."""
        return self._dirty and now >= max(self._next_list, quiet_until)

    def told(self, seconds: float) -> None:
        """A list was told, which took so long."""
        self._dirty = False
        rest = 20 * seconds
        self._next_list = time.monotonic() + max(TOLD_EVERY, min(rest, TOLD_AFTER), rest / 5)

    def tell_later(self) -> None:
        """Tell the next list after the shortest pause."""
        self._next_list = time.monotonic() + TOLD_EVERY

    def tell_at_once(self) -> None:
        """The user changed the list."""
        self._dirty, self._next_list = True, 0.0

    @property
    def may_tell(self) -> bool:
        """Whether the pause after the last list is over."""
        return time.monotonic() >= self._next_list

    # Saving and scanning.

    def saves(self, now: float) -> bool:
        """Whether what was read is to be saved."""
        if now < self._next_save:
            return False
        self._next_save = now + SAVED_EVERY
        return True

    def scans(self, now: float) -> bool:
        """Whether to look for transcripts that came, changed or went."""
        return now >= self._next_scan

    def scan_at_once(self) -> None:
        """Look at once, and again: the system says nothing of files in directories just made."""
        self._next_scan, self._scans_again = 0.0, True

    def scanned(self, start: float, is_watched: bool) -> None:
        """Such a look, begun at `start`, is over."""
        end = time.monotonic()
        # Where nothing is watched, this is all that finds what is new.
        rest = 400 if is_watched else 100
        pause = min(SCANNED_AFTER, max(SCANNED_EVERY, rest * (end - start)))
        self._next_scan = end + max(pause, SCANNED_REST * (end - start))
        if self._scans_again:
            self._next_scan, self._scans_again = end + AGAIN, False
