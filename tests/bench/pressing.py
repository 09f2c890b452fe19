"""A key in a timeline: how soon all is drawn that comes of it, whatever goes on behind."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import NamedTuple

from .bench import Bench
from .corpus import Store
from .living import SETTLED, opened, read_whole
from .measured import Measured, at_most, by_rounds, median, nearly_all
from .terminal import PATIENCE, NotShown, Terminal

BURST, REST = 0.012, 0.08
"""Silences, in seconds: one ends what a key draws at once, the other all that comes of it."""

LIMIT = 16
"""Milliseconds: a frame."""

UP, DOWN, PAGE_UP, PAGE_DOWN = b"k", b"j", b"\x1b[5~", b"\x1b[6~"
AT_END = (UP, UP, UP, PAGE_UP, PAGE_UP, b"K", UP, b"J", PAGE_DOWN, DOWN)
"""Steps, pages and jumps at the end of a session."""
BACK_AND_FORTH = (*AT_END, b"G")
AT_BEGINNING = (b"g", DOWN, DOWN, PAGE_DOWN, b"J", b"J", DOWN, PAGE_DOWN, b"K", b"G")


def key(bench: Bench) -> Iterator[Measured]:
    """From a key in the timeline to the last of what it draws."""
    stores = (bench.few_records(), bench.most_records())
    few, most = (_keys(bench, made) for made in stores)
    times = f"median {median(most.at_once):.1f} ms, all at rest after {median(most.in_all):.1f} ms"
    longest, held = (by_rounds(nearly_all, one.at_once) for one in (most, few))
    what = f"key in a timeline of {stores[1].plan.about}, 95 %"
    yield at_most(what, longest, LIMIT, "ms", held, times)


def key_while_indexing(bench: Bench) -> Iterator[Measured]:
    """Keys at the end of a session that was never read, while all of it is read behind them.

    Held to the same keys when that is done.
    """
    made = bench.large()
    busy: list[float] = []
    calm: list[float] = []
    for _ in range(bench.few):
        with opened(bench, made) as terminal:
            whole = f"{made.sessions[0].records:,} events"
            terminal.rest(SETTLED)
            busy += _pressed(terminal, _until(terminal, whole, cycle(BACK_AND_FORTH))).at_once
            terminal.rest(SETTLED)
            calm += _pressed(terminal, BACK_AND_FORTH * (1 if bench.short else 2)).at_once
    note = f"median {median(busy):.1f} ms of {len(busy)} keys, longest {max(busy):.0f} ms"
    what = f"key while {made.plan.about} is indexed behind it, 95 %"
    longest, held = (by_rounds(nearly_all, one) for one in (busy, calm))
    yield at_most(what, longest, LIMIT, "ms", held, note)


class _Times(NamedTuple):
    """Milliseconds from keys to what they drew."""

    at_once: list[float]
    in_all: list[float]
    """With the event's details, which are read apart."""


def _keys(bench: Bench, made: Store) -> _Times:
    with opened(bench, made) as terminal:
        read_whole(terminal, made)
        return _pressed(terminal, (*AT_END, *AT_BEGINNING) * (2 if bench.short else 10))


def _pressed(terminal: Terminal, keys: Iterable[bytes]) -> _Times:
    """Press keys, each when all is drawn that comes of the one before."""
    times = _Times([], [])
    for pressed in keys:
        start = terminal.send(pressed)
        if first := terminal.drawn(BURST, 1.0):
            times.at_once.append((first - start) * 1000)
            times.in_all.append(((terminal.drawn(REST) or first) - start) * 1000)
    return times


def _until(terminal: Terminal, text: str, keys: Iterable[bytes]) -> Iterator[bytes]:
    """Some keys until a text comes to the screen."""
    end = time.perf_counter() + PATIENCE
    for pressed in keys:
        if terminal.has_shown(text):
            return
        if time.perf_counter() > end:
            raise NotShown(f"{text!r} did not come to the screen in {PATIENCE:.0f} s")
        yield pressed
