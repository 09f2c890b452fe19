"""Durations, sizes and counts in few cells."""

from __future__ import annotations


def duration(milliseconds: int) -> str:
    """Return `12 ms`, `3.4 s`, `2 min` or `1.5 h`: at most seven cells."""
    milliseconds = max(0, milliseconds)
    if milliseconds < 1_000:
        return f"{milliseconds} ms"
    if milliseconds < 59_950:
        return f"{milliseconds / 1_000:.1f} s"
    if milliseconds < 3_570_000:
        return f"{round(milliseconds / 60_000)} min"
    if milliseconds < 100 * 3_600_000:
        return f"{milliseconds / 3_600_000:.1f} h"
    return f"{milliseconds // 86_400_000} d"


def size(amount: int) -> str:
    """Return `96 B`, `2.1 kB` or `30 MB`, in powers of 1000."""
    return _scaled(amount, ("B", "kB", "MB", "GB", "TB"))


def tokens(amount: int) -> str:
    """Return `96`, `2.1k`, `212k` or `3.4M`."""
    return _scaled(amount, ("", "k", "M", "G", "T")).replace(" ", "")


def count(amount: int, noun: str, plural: str = "") -> str:
    """Return `1 event` or `1,284 events`."""
    return f"{amount:,} {noun if amount == 1 else plural or noun + 's'}"


def _scaled(amount: int, units: tuple[str, ...]) -> str:
    value, step = float(max(0, amount)), 0
    while value >= 999.5 and step < len(units) - 1:
        value, step = value / 1_000, step + 1
    return f"{value:.{1 if step and value < 9.95 else 0}f} {units[step]}"
