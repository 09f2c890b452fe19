"""Clocks that jump: set back, or an hour further on after the machine slept."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sessions_tui.app.demo.registry import register
from sessions_tui.app.demo.steps import Answer, Prompt, edit, run
from sessions_tui.app.feed import timetable
from tests.app.sitting import NOW, Agent, Home

from .hearing import listening

HOUR = 3_600_000


class Clock:
    """Tells what it is set to, in milliseconds since 1970."""

    def __init__(self) -> None:
        self.now = int(time.time() * 1000)

    def __call__(self) -> int:
        """The time."""
        return self.now

    def agent(self, home: Home, name: str, minutes: float) -> Agent:
        """An agent that began so many minutes ago."""
        return home.agent(name, (NOW - self.now) / 60_000 + minutes)


def later(clock: Callable[[], float]) -> float:
    """The time an hour after that of a monotonic clock."""
    return clock() + HOUR / 1000


@pytest.fixture
def no_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timetable, "SCANNED_EVERY", 1e6)
    monkeypatch.setattr(timetable, "SCANNED_AFTER", 1e6)


def test_a_clock_set_back(home: Home) -> None:
    clock = Clock()
    dead = clock.agent(home, "dead", 20).does(Prompt("ask"))
    dead.writes(dead.lines(run("make"))[:1])
    done = clock.agent(home, "done", 20).does(Prompt("ask"), Answer("answer"))
    with listening(home.roots(), home.places, done.path, clock) as heard:
        heard.until(lambda: {"dead", "done"} <= heard.sessions.keys())
        assert heard.sessions["dead"].status == "crashed"
        clock.now -= 2 * HOUR
        heard.until(lambda: heard.sessions["dead"].status != "crashed")
        # Its times are still to come now: that it works would be a guess.
        heard.until(lambda: heard.sessions["dead"].status == "unknown")
        assert "by a clock ahead of this one" in heard.sessions["dead"].why
        assert heard.sessions["done"].status == "done"
        again = clock.agent(home, "done", 0.5)
        again.writes(again.lines(run("make"))[:1])
        heard.until(lambda: heard.records() == 4 and heard.sessions["done"].status == "working")
        clock.now += 10 * 60_000
        heard.until(lambda: heard.sessions["done"].status == "unknown")
        clock.now += 3 * HOUR
        heard.until(lambda: heard.sessions["dead"].status == "crashed")
        heard.until(lambda: heard.sessions["done"].status == "crashed")


@pytest.mark.usefixtures("no_sweeps")
@pytest.mark.parametrize("counts_sleep", [False, True], ids=["stands still", "goes on"])
def test_an_hour_asleep(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counts_sleep: bool
) -> None:
    """Of monotonic clocks some go on while a machine sleeps and some do not."""
    clock = Clock()
    registry = home.root / "sessions"
    registry.mkdir()

    def beat() -> None:
        register(registry, os.getpid(), "s", "/src/shop", clock.now + 60_000, clock.now)

    agent = clock.agent(home, "s", 0.5).does(Prompt("ask"))
    agent.writes(agent.lines(edit("a.py", "red", "tan"))[:1])
    alone = clock.agent(home, "alone", 0.5).does(Prompt("ask"))
    alone.writes(alone.lines(run("make"))[:1])
    silent = clock.agent(home, "silent", 60).does(Prompt("ask"), Answer("answer"))
    unheard = tmp_path / "unheard"
    unheard.hardlink_to(silent.path)
    beat()
    with listening(home.roots(), home.places, agent.path, clock) as heard:
        heard.until(
            lambda: {"s", "alone", "silent"} <= heard.sessions.keys() and heard.is_watched()
        )
        assert heard.sessions["s"].status == "working"
        assert heard.sessions["alone"].status == "working"
        silent.path = unheard  # nothing tells of what is written by another name
        for events in (4, 5, 6):
            silent.does(Answer("while it slept"))
            clock.now += HOUR
            if counts_sleep:
                monkeypatch.setattr(time, "monotonic", partial(later, time.monotonic))
            heard.until(lambda events=events: heard.sessions["silent"].events == events)  # type: ignore[misc]
        heard.until(lambda: heard.sessions["alone"].status == "crashed")
        heard.until(lambda: heard.sessions["s"].status == "unknown")
        assert "last heartbeat was 3 h ago" in heard.sessions["s"].why
        beat()
        heard.until(lambda: heard.sessions["s"].status == "working")
        assert not heard.sessions["s"].needs_you
        awake = clock.agent(home, "s", 0.5)
        awake.does(Answer("done"))
        heard.until(lambda: heard.sessions["s"].events == 4 and heard.records() == 4)
