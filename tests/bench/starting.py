"""How soon the first list is on screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from .corpus import Store
from .empty import WORD
from .measured import WIDE, Bench, Measured, median, ratio
from .terminal import Terminal


def first_list(bench: Bench) -> Iterator[Measured]:
    """500 sessions, without an index and with one."""
    made = bench.many("product")
    ready = bench.fresh()
    bench.work("index", made.home, ready)
    empty, bare, indexed = [], [], []
    for _ in range(bench.runs):  # in turns, so that a busy moment meets all alike
        empty.append(_until(lambda: bench.empty(WIDE), WORD))
        bare.append(_list(bench, made, bench.fresh()))
        indexed.append(_list(bench, made, ready))
    what = f"first list on screen, {made.plan.about}"
    yield ratio(f"{what}, no index", median(bare), median(empty), 3)
    yield ratio(f"{what}, indexed", median(indexed), median(empty), 2)


def _list(bench: Bench, made: Store, cache: Path) -> float:
    return _until(lambda: bench.screen(made.home, cache, WIDE), made.sessions[-1].title)


def _until(start: Callable[[], AbstractContextManager[Terminal]], text: str) -> float:
    with start() as terminal:
        return terminal.wait_for(text) - terminal.started
