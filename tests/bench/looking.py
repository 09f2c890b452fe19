"""Words looked for: in all sessions, and in the one that is open. Held to what grep takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .bench import WIDE, Bench
from .corpus import PLANTED, PLANTED_CHINESE, PLANTS, Store
from .measured import Measured, at_least, at_most
from .terminal import Terminal

MISSED = "cormorant"
"""A word that no store holds."""

WORDS = (
    ("a rare word", PLANTED, PLANTS),
    ("a common word", "buffer", 50),
    ("two Chinese characters in a sentence", PLANTED_CHINESE, PLANTS),
    ("a common Chinese word", "修复", 50),
    ("a word that is nowhere", MISSED, 0),
)
"""What it is, the word, and how many of the first 50 hits there are."""

PLACE, BACKSPACE = b"\x1bOS", b"\x7f"
"""F4: where one searches in all sessions."""

SETTLED = 0.1
"""Seconds after which what was typed is shown."""


def search(bench: Bench) -> Iterator[Measured]:
    """The first 50 hits in all sessions, in a process that has the library open."""
    made, cache = bench.many("product"), bench.fresh()
    bench.work("index", made.home, cache)
    bench.grep(MISSED, made.home)  # so that all find the files in memory
    for what, word, hits in WORDS:
        firsts, laters, greps, found = [], [], [], []
        for _ in range(bench.few):
            told = bench.work("search", made.home, cache, word, bench.runs)
            firsts.append(told["first"] * 1000)
            laters.append(told["later"] * 1000)
            found.append(told["found"])
            greps.append(bench.grep(word, made.home) * 1000)
        note = f"first time {max(firsts):.1f} ms; {found[0]:.0f} of {hits} hits"
        what = f"search in {made.plan.about}: {what}"
        yield at_most(what, laters, 50, "ms", greps, note)
    what = f"search in {made.plan.about}: a rare word, on screen"
    yield at_most(what, _typed(bench, made, cache), 50, "ms")


def _typed(bench: Bench, made: Store, cache: Path) -> list[float]:
    """Milliseconds from the last letter of a rare word to its hits on the screen."""
    times = []
    with bench.screen(made.home, cache, WIDE) as terminal:
        terminal.wait_for(made.sessions[-1].title)
        terminal.rest(1)
        terminal.send(PLACE)
        terminal.rest(4 * SETTLED)
        terminal.send(PLANTED[:-1].encode())
        for _ in range(bench.runs):
            terminal.rest(4 * SETTLED)
            terminal.forget()
            pressed = terminal.send(PLANTED[-1:].encode())
            times.append((terminal.wait_for(f"The {PLANTED}") - pressed) * 1000)
            terminal.rest(SETTLED)
            terminal.send(BACKSPACE)
    return times


def find(bench: Bench) -> Iterator[Measured]:
    """All records of the open session that hold a word: the scan by itself, and on the screen."""
    made, cache = bench.large(), bench.fresh()
    bench.work("index", made.home, cache)
    path = made.sessions[0].path
    bench.grep(MISSED, path)
    shown = _on_screen(bench, made, cache)
    for what, word in (("an ASCII word", PLANTED), ("a Chinese word", PLANTED_CHINESE)):
        took, greps = [], []
        for _ in range(bench.few):
            told = bench.work("find", made.home, cache, word, bench.few)
            took.append(_rate(made, told["later"]))
            greps.append(_rate(made, bench.grep(word, path)))
        what = f"find {what} in {made.plan.about}"
        note = f"{told['found']:.0f} of 1 records"
        yield at_least(what, took, 1, "GB/s", greps, note)
        yield at_least(f"{what}, on screen", shown[word], 1, "GB/s", greps)


def _on_screen(bench: Bench, made: Store, cache: Path) -> dict[str, list[float]]:
    """Gigabytes a second from the key to the word on which match of how many one is at."""
    session = made.sessions[0]
    rates: dict[str, list[float]] = {PLANTED: [], PLANTED_CHINESE: []}
    with bench.screen(made.home, cache, WIDE, "open", str(session.path)) as terminal:
        terminal.wait_for(session.end)
        terminal.wait_for(f"{session.records:,} events")
        terminal.rest(SETTLED)
        for word in (*rates,) * bench.few:
            rates[word].append(_rate(made, _found(terminal, word)))
            _found(terminal, MISSED, "No match for")  # so that the sentence is a new one
    return rates


def _found(terminal: Terminal, word: str, said: str = "1 of 1") -> float:
    terminal.send(b"G")  # away from the match, which is gone to once all was looked through
    terminal.rest(SETTLED)
    terminal.send(b"/")
    terminal.rest(SETTLED)
    terminal.send(word.encode())  # instead of what was looked for before
    terminal.rest(SETTLED)
    terminal.forget()
    pressed = terminal.send(b"\r")
    return terminal.wait_for(said) - pressed


def _rate(made: Store, seconds: float) -> float:
    return made.size / 1e9 / seconds
