"""What processes use, as Linux tells it; elsewhere nothing is known."""

from __future__ import annotations

import os
import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


class Usage(NamedTuple):
    """Of a process and its children. Zero where the system does not tell."""

    peak: float
    """Megabytes that were resident at most, each process counted whole."""
    seconds: float
    """Of processor time since the start."""


def usage_of(pid: int) -> Usage:
    """What a process and all below it use."""
    peak = seconds = 0.0
    for one in tree(pid):
        try:
            peak += peak_of(one)
            seconds += _seconds_of(one)
        except OSError:
            continue  # it has just ended
    return Usage(peak, seconds)


def peak_of(pid: int | str = "self") -> float:
    """Megabytes that were resident at most. Not by getrusage: that remembers the parent's."""
    try:
        found = PEAK.search(Path(f"/proc/{pid}/status").read_text())
    except FileNotFoundError:
        return 0.0
    return int(found[1]) * 1024 / 1e6 if found else 0.0


def peak_of_ended() -> float:
    """Megabytes of the largest of this process's children that have ended; 0 without any.

    At least what this process held when it started them, which is no more than its own peak.
    """
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6


def seconds_used() -> float:
    """Processor time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def tree(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from tree(int(child))


def _seconds_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
