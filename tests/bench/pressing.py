"""A key in a timeline: how soon all is drawn that comes of it, whatever goes on behind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle
from typing import NamedTuple

from .bench import Bench
from .corpus import Store
from .living import SETTLED, opened, read_whole
from .measured import Measured, at_most, median, nearly_all
from .terminal import Terminal

BURST, REST = 0.012, 0.15
"""Silences, in seconds: one ends what a key draws at once, the other all that comes of it."""

LIMIT = 16
"""Milliseconds: a frame."""

UP, DOWN, PAGE_UP, PAGE_DOWN = b"k", b"j", b"\x1b[5~", b"\x1b[6~"
AT_END = (UP, UP, UP, PAGE_UP, PAGE_UP, b"K", UP, b"J", PAGE_DOWN, DOWN)
"""Steps, pages and jumps at the end of a session."""
AT_BEGINNING = (b"g", DOWN, DOWN, PAGE_DOWN, b"J", b"J", DOWN, PAGE_DOWN, b"K", b"G")


def key(bench: Bench) -> Iterator[Measured]:
    """From a key in the timeline to the last of what it draws."""
    few, most = (_keys(bench, made) for made in (bench.few_records(), bench.most_records()))
    times = f"median {median(most.at_once):.1f} ms, all at rest after {median(most.in_all):.1f} ms"
    what = f"key in a timeline of {bench.most_records().plan.about}, 95 %"
    yield at_most(what, nearly_all(most.at_once), LIMIT, "ms", nearly_all(few.at_once), times)


def key_while_indexing(bench: Bench) -> Iterator[Measured]:
    """Keys at the end of a session that was never read, while all of it is read behind them.

    Held to the same keys when that is done.
    """
    made = bench.large()
    busy: list[float] = []
    calm: list[float] = []
    for _ in range(bench.few):
        with opened(bench, made) as terminal:
            busy += _pressed_until(terminal, f"{made.sessions[0].records:,} events")
            terminal.rest(SETTLED)
            calm += [took for _, took in zip(range(40), _pressed(terminal), strict=False)]
    note = f"median {median(busy):.1f} ms of {len(busy)} keys, longest {max(busy):.0f} ms"
    what = f"key while {made.plan.about} is indexed behind it, 95 %"
    yield at_most(what, nearly_all(busy), LIMIT, "ms", nearly_all(calm), note)


class _Times(NamedTuple):
    """Milliseconds from keys to what they drew."""

    at_once: list[float]
    in_all: list[float]
    """With the event's details, which are read apart."""


def _keys(bench: Bench, made: Store) -> _Times:
    times = _Times([], [])
    with opened(bench, made) as terminal:
        read_whole(terminal, made)
        for pressed in (*AT_END, *AT_BEGINNING) * (3 if bench.short else 10):
            start = terminal.send(pressed)
            if first := terminal.drawn(BURST, 1.0):
                times.at_once.append((first - start) * 1000)
                times.in_all.append(((terminal.drawn(REST) or first) - start) * 1000)
            terminal.forget()
    return times


def _pressed_until(terminal: Terminal, text: str) -> list[float]:
    """Milliseconds of each key until a text comes to the screen."""
    times: list[float] = []
    for took in _pressed(terminal):
        if terminal.has_shown(text):  # with this key, or in the rest before it
            return times
        times.append(took)
    return times


def _pressed(terminal: Terminal) -> Iterator[float]:
    """Milliseconds of one key after the other, at any time of what is done behind them."""
    rng = random.Random(len(AT_END))
    for pressed in cycle((*AT_END, b"G")):
        terminal.rest(rng.uniform(0.02, 0.06))
        start = terminal.send(pressed)
        if last := terminal.drawn(BURST, 1.0):
            yield (last - start) * 1000
