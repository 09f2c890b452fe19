"""A session that is open: how soon it shows and follows, and what it takes to do so."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.agents.codebuddy.writer import ProductWriter
from tests.agents.steps import Step

from .bench import NARROW, WIDE, Bench
from .corpus import Made, Store, session_of
from .empty import WORD
from .measured import Measured, at_most, by_rounds, difference, median, nearly_all
from .terminal import Terminal

SETTLED = 0.5
"""Seconds after which a screen that was just shown is at rest."""

LIMITS = ((median, "median", 30.0), (nearly_all, "95 %", 50.0))
"""Of the milliseconds from a record to its text on screen."""

ENTER = b"\r"


def append(bench: Bench) -> Iterator[Measured]:
    """From writing a record to its text on screen: a small session, a large one, one being read."""
    for made in (bench.small(), bench.large()):
        with opened(bench, made) as terminal, _appended(made.sessions[0]) as path:
            read_whole(terminal, made)
            yield from _followed(bench, terminal, path, f"record appended to {made.plan.about}")
    made = bench.large()
    with opened(bench, made) as terminal, _appended(made.sessions[0]) as path:
        what = f"record appended to {made.plan.about} while it is read"
        yield from _followed(bench, terminal, path, what)


def open_at_end(bench: Bench) -> Iterator[Measured]:
    """From the key in the list to the last row of a session that was never read."""
    times: dict[str, list[float]] = {"small": [], "large": []}
    stores = (bench.small(), bench.large())
    for _ in range(bench.runs):
        for made in stores:
            times[made.plan.name].append(_opening(bench, made))
    small, large = ([seconds * 1000 for seconds in times[made.plan.name]] for made in stores)
    what = f"open {stores[1].plan.about} at its end"
    yield difference(what, large, small, 50, "ms", f"against {stores[0].plan.about}")


def memory(bench: Bench) -> Iterator[Measured]:
    """The most that is resident until a large session was read whole."""
    made = bench.large()
    with bench.empty(WIDE) as terminal:
        terminal.wait_for(WORD)
        empty = terminal.usage().peak
    with opened(bench, made) as terminal:
        read_whole(terminal, made)
        peak = terminal.usage().peak
    yield at_most(f"peak memory, {made.plan.about} open and read", peak, 120, "MB", empty)


def idle(bench: Bench) -> Iterator[Measured]:
    """What the program takes while nothing happens."""
    made, cache = bench.many("product"), bench.fresh()
    bench.work("index", made.home, cache)
    seconds = 5 if bench.short else 20
    with bench.screen(made.home, cache, WIDE) as terminal:
        terminal.wait_for(made.sessions[-1].title)
        terminal.rest(4)
        before = terminal.usage().seconds
        terminal.rest(seconds)
        share = 100 * (terminal.usage().seconds - before) / seconds
    yield at_most(f"idle, {made.plan.sessions} sessions watched", share, 1.5, "%")


@contextmanager
def opened(bench: Bench, made: Store) -> Iterator[Terminal]:
    """The program with the store's one session open at its end."""
    session = made.sessions[0]
    with bench.screen(made.home, bench.fresh(), WIDE, "open", str(session.path)) as terminal:
        terminal.wait_for(session.end)
        yield terminal


def read_whole(terminal: Terminal, made: Store) -> None:
    """Wait until the session's head counts all records: that it can when all are read."""
    terminal.wait_for(f"{made.sessions[0].records:,} events")
    terminal.rest(SETTLED)


@contextmanager
def _appended(session: Made) -> Iterator[Path]:
    """A session that is appended to, and afterwards is as it was."""
    try:
        yield session.path
    finally:
        os.truncate(session.path, session.size)


def _followed(bench: Bench, terminal: Terminal, path: Path, what: str) -> Iterator[Measured]:
    rng = random.Random(path.name)
    writer = ProductWriter(rng, session_of(path), "/home/dev/project-00", 0)
    waits = []
    for number in range(18 if bench.short else 100):
        token = f"token-{number:06d}"
        writer.now = int(time.time() * 1000)
        line = writer.lines(Step("answer", f"{token} {'and so on ' * rng.randrange(40)}"))
        with path.open("ab", buffering=0) as file:
            start = time.perf_counter()
            file.write(line)
        waits.append((terminal.wait_for(token, 10) - start) * 1000)
        terminal.rest(rng.uniform(0.03, 0.13))  # so that records come at any time of a tick
        terminal.forget()
    for measure, name, limit in LIMITS:
        yield at_most(f"{what}, {name}", by_rounds(measure, waits), limit, "ms")


def _opening(bench: Bench, made: Store) -> float:
    """Seconds from the key in the list to the last row, with no index there was before."""
    session = made.sessions[0]
    with bench.screen(made.home, bench.fresh(), NARROW) as terminal:
        terminal.wait_for(session.title)
        terminal.rest(SETTLED)
        terminal.forget()
        pressed = terminal.send(ENTER)
        return terminal.wait_for(session.end) - pressed
