"""A soak: agents at work beside the open screen, and what came of it."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from tests.bench.processes import tree

from .comparing import Comparison, Stretch
from .crew import Crew
from .ground import Ground
from .parts import Part, cast
from .plan import Outcome, Plan, Sample
from .screen import PATIENCE, Screen

SAMPLED_EVERY = 1.0
STROLL_EVERY = 12.0
SETTLE = 5.0
"""Seconds after the last record by which all is told: more than between two lists or scans."""

PASSING = 8.0
"""Seconds that what is told in passing stands on the screen."""

LATE = 2.0
"""Seconds after which what was written is on the screen for certain."""


class Soak:
    """One run over a store that is made for it."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan = plan
        self._ground = Ground(folder, cast(plan.writers))
        self._ground.store.mkdir()
        self._rng = random.Random(plan.seed)
        self._outcome = Outcome(plan)
        self._away: list[Stretch] = []
        """When another session than the followed one was open, or none yet."""

    def run(self) -> Outcome:
        """Take part in all of it; some minutes."""
        with closing(Crew(self._plan, self._ground)) as crew:
            _wait_for(self._ground.followed.exists)
            command = self._ground.command("open", str(self._ground.followed))
            with closing(Screen(command, self._ground.environ())) as screen:
                screen.until(self._ground.parts[0].title(1))
                self._away.append((0.0, time.monotonic()))
                self._live(screen, crew)
                self._end(screen, crew)
                self._rest(screen)
                self._compare(screen, crew)
        return self._outcome

    # While they write.

    def _live(self, screen: Screen, crew: Crew) -> None:
        start = time.monotonic()
        mortal = [part for part in crew.parts if part.ending == "killed"]
        next_sample, next_stroll = start, start + STROLL_EVERY / 2
        while (now := time.monotonic()) < start + self._plan.seconds:
            screen.hear(0.1)
            if now >= next_sample:
                next_sample = now + SAMPLED_EVERY
                self._outcome.samples.append(_sample(screen.pid))
            if now >= next_stroll:
                next_stroll = now + STROLL_EVERY
                self._stroll(screen, crew.parts[0])
            if mortal and now >= start + self._plan.seconds / 3:
                self._kill(screen, crew, mortal.pop())

    def _stroll(self, screen: Screen, followed: Part) -> None:
        """Look at another session for a moment, and come back."""
        title = followed.title(1)
        others = sorted(screen.listed().keys() - {title})
        if not others:
            return
        left = time.monotonic()
        screen.open(self._rng.choice(others))
        screen.read(title)
        self._away.append((left - LATE, time.monotonic()))

    def _kill(self, screen: Screen, crew: Crew, part: Part) -> None:
        """Have an agent die within a call, and see how long the list takes to tell."""
        crew.end(part)
        _wait_for(lambda: crew.has_rested(part), screen)
        screen.rest(LATE)
        title = part.title(1)
        before = screen.uncertain(title)
        died = time.monotonic()
        crew.kill(part)
        _wait_for(lambda: screen.uncertain(title) > before, screen)
        self._outcome.death = time.monotonic() - died

    # When they have ended.

    def _end(self, screen: Screen, crew: Crew) -> None:
        living = [part for part in crew.parts if part.ending != "killed"]
        for part in living:
            crew.end(part)
        _wait_for(lambda: all(map(crew.has_rested, living)), screen, 120)
        screen.rest(SETTLE)
        self._outcome.samples.append(_sample(screen.pid))
        self._outcome.records = sum(
            "token" in said for part in crew.parts for said in crew.log(part)
        )

    def _rest(self, screen: Screen) -> None:
        screen.rest(PASSING)
        before = screen.usage().seconds
        screen.rest(self._plan.idle)
        used = screen.usage().seconds - before
        self._outcome.idle = 100 * used / self._plan.idle

    def _compare(self, screen: Screen, crew: Crew) -> None:
        outcome, comparison = self._outcome, Comparison(self._ground, crew, screen)
        transcripts = self._ground.transcripts()
        outcome.size = sum(path.stat().st_size for path in transcripts)
        outcome.sub_agents = sum("agent-" in path.name for path in transcripts)
        outcome.sessions = len(transcripts) - outcome.sub_agents
        comparison.command()
        comparison.rows()
        outcome.waits = comparison.waits(self._away)
        comparison.timeline()
        outcome.faults = comparison.faults
        outcome.peak = screen.usage().peak


def _sample(pid: int) -> Sample:
    resident = descriptors = 0
    for one in tree(pid):
        with suppress(OSError):
            pages = int(Path(f"/proc/{one}/statm").read_text().split()[1])
            resident += pages * os.sysconf("SC_PAGE_SIZE")
            descriptors += sum(1 for _ in Path(f"/proc/{one}/fd").iterdir())
    return Sample(time.monotonic(), resident / 1e6, descriptors)


def _wait_for(
    happened: Callable[[], bool], screen: Screen | None = None, patience: float = PATIENCE
) -> None:
    end = time.monotonic() + patience
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError("an agent did not do what it was told")
        if screen:
            screen.rest(0.05)
        else:
            time.sleep(0.02)
