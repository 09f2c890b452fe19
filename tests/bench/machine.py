"""The machine that measures are taken on, and what other programs take of it meanwhile."""

from __future__ import annotations

import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path

from .processes import seconds_used

BUSY = 0.2
"""Share of the machine from which on other programs have a say in what is measured."""

STATES = (1, 2, 3, 6, 7, 8)
"""Of /proc/stat: user, nice, system, interrupts of both kinds, stolen. Not idle, nor waiting."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where measures are taken."""

    system: str
    python: str
    cores: int


def machine() -> Machine:
    """This one."""
    return Machine(platform.platform(), platform.python_version(), os.cpu_count() or 1)


class Others:
    """The other programs, from now on."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._used = _used_by_others()

    @property
    def share(self) -> float:
        """What they took of the whole machine; 0 where the system does not tell."""
        seconds = (time.perf_counter() - self._start) * (os.cpu_count() or 1)
        return max(0.0, _used_by_others() - self._used) / seconds


def _used_by_others() -> float:
    """Seconds of processor time, of all cores together."""
    try:
        total = Path("/proc/stat").read_text().splitlines()[0].split()
    except OSError:
        return 0.0
    ticks = sum(int(total[state]) for state in STATES)
    return ticks / os.sysconf("SC_CLK_TCK") - seconds_used()
