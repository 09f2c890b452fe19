"""Lengths of time and counts in a few words."""

from __future__ import annotations


def duration(milliseconds: int) -> str:
    """A length of time in its largest unit: `3 s`, `4 min`, `2 h`, `5 days`."""
    seconds = milliseconds // 1000
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min"
    if seconds < 48 * 3600:
        return f"{seconds // 3600} h"
    return f"{seconds // 86_400} days"


def passed(milliseconds: int) -> str:
    """How long something lasts by now: from ten seconds on in steps of five.

    Each step is drawn, for as long as somebody has the session open.
    """
    step = 5_000 if milliseconds >= 10_000 else 1_000
    return duration(milliseconds // step * step)


def count(number: int, noun: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
