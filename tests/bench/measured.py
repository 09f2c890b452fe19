"""A measure with its yardstick and its promise.

Everything that is repeated comes as all that was taken; what is held to the promise is the median.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Taken = float | Sequence[float]
"""What was measured once, or several times."""

ROUNDS = 3
"""Parts of what is measured very often: a busy moment spoils one of them."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came out; `yardstick` was taken in the same run, `against` says how it is held to it."""

    what: str
    value: float
    unit: str
    promise: str = ""
    """In words; "" where nothing is promised, and the measure is there to be known."""
    kept: bool = True
    yardstick: float | None = None
    against: float | None = None
    """The ratio to the yardstick, or the difference from it where the promise is worded so."""
    note: str = ""
    taken: tuple[float, ...] = ()
    """All that was measured where it was repeated, in that order."""
    others: float = 0.0
    """The share of the machine that other programs had meanwhile."""


def ratio(what: str, value: Taken, yardstick: Taken, limit: float, note: str = "") -> Measured:
    """Seconds that may be at most so many times the yardstick."""
    times = median(value) / median(yardstick)
    promise = f"≤ {limit:g} ×"
    return _measured(what, value, "s", promise, times <= limit, yardstick, times, note)


def difference(
    what: str, value: Taken, yardstick: Taken, limit: float, unit: str, note: str = ""
) -> Measured:
    """A value that may be at most so much more than the yardstick."""
    more = median(value) - median(yardstick)
    promise = f"≤ {limit:g} {unit} more"
    return _measured(what, value, unit, promise, more <= limit, yardstick, more, note)


def at_most(
    what: str,
    value: Taken,
    limit: float,
    unit: str,
    yardstick: Taken | None = None,
    note: str = "",
) -> Measured:
    """A value with a limit of its own; a yardstick is shown beside it."""
    kept, promise = median(value) <= limit, f"≤ {limit:g} {unit}"
    return _measured(what, value, unit, promise, kept, yardstick, _times(value, yardstick), note)


def at_least(
    what: str, value: Taken, limit: float, unit: str, yardstick: Taken, note: str = ""
) -> Measured:
    """A value that may be no less than its limit; a yardstick is shown beside it."""
    kept, promise = median(value) >= limit, f"≥ {limit:g} {unit}"
    return _measured(what, value, unit, promise, kept, yardstick, _times(value, yardstick), note)


def known(
    what: str, value: Taken, unit: str, yardstick: Taken | None = None, note: str = ""
) -> Measured:
    """A value that nothing was promised of."""
    return _measured(what, value, unit, "", True, yardstick, _times(value, yardstick), note)


def median(values: Taken) -> float:
    """The value in the middle."""
    return values if isinstance(values, int | float) else statistics.median(values)


def nearly_all(values: Sequence[float]) -> float:
    """The 95th percentile: the smallest value that 95 % do not pass."""
    ordered = sorted(values)
    return ordered[-(-len(ordered) * 95 // 100) - 1]


def by_rounds(measure: Callable[[Sequence[float]], float], values: Sequence[float]) -> list[float]:
    """A measure of the values of each round, in the order in which they were taken."""
    size = -(-len(values) // ROUNDS)
    return [measure(values[at : at + size]) for at in range(0, len(values), size)]


def _times(value: Taken, yardstick: Taken | None) -> float | None:
    under = median(yardstick) if yardstick is not None else 0.0
    return median(value) / under if under else None


def _measured(
    what: str,
    value: Taken,
    unit: str,
    promise: str,
    kept: bool,
    yardstick: Taken | None,
    against: float | None,
    note: str,
) -> Measured:
    taken = () if isinstance(value, int | float) else tuple(value)
    held = None if yardstick is None else median(yardstick)
    return Measured(what, median(value), unit, promise, kept, held, against, note, taken)
