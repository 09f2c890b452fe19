"""Durations and counts as short text."""

from __future__ import annotations


def duration(milliseconds: int) -> str:
    """Return a duration in its largest unit: `3 s`, `4 min`, `2 h`, `5 days`."""
    seconds = milliseconds // 1000
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min"
    if seconds < 48 * 3600:
        return f"{seconds // 3600} h"
    return f"{seconds // 86_400} days"


def precise(milliseconds: int) -> str:
    """A length of time in a unit of which it is at least two: `0.7 s`, `90 s`, `80 min`, `2 h`."""
    seconds = milliseconds / 1000
    if seconds < 120:
        return f"{seconds:.{1 if seconds < 10 else 0}f} s"
    return f"{seconds // 60:.0f} min" if seconds < 7_200 else duration(milliseconds)


def passed(milliseconds: int) -> str:
    """Return the time elapsed so far, in steps of 1 s, and of 5 s from ten seconds on.

    Coarse because each step means another redraw of an open session.
    """
    step = 5_000 if milliseconds >= 10_000 else 1_000
    return duration(milliseconds // step * step)


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 call`, `2 calls`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
