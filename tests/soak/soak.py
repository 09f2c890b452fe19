"""A soak: agents at work beside the open screen, and what came of it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.bench import ROOT, program
from tests.bench.processes import tree

from .parts import Part, cast
from .screen import END, PAGE_UP, PATIENCE, Screen
from .truth import Truth, truth_of

SAMPLED_EVERY = 1.0
STROLL_EVERY = 12.0
SETTLE = 5.0
"""Seconds after the last record by which all is told: more than between two lists or scans."""

LATE = 2.0
"""Seconds within which a record must come to the screen, and a death into the list."""

PAGES = 2_000


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how many, how fast: records a second, of all writers together."""

    seconds: float = 300
    writers: int = 8
    rate: float = 50
    seed: int = 1
    idle: float = 10
    """Seconds of rest in which nobody writes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the program and its children use at a moment."""

    at: float
    resident: float
    """Megabytes."""
    descriptors: int


@dataclass(slots=True)
class Outcome:
    """What was seen; `faults` are sentences, each of something that was told wrong."""

    plan: Plan
    records: int = 0
    size: int = 0
    sessions: int = 0
    sub_agents: int = 0
    waits: list[float] = field(default_factory=list)
    """Milliseconds from each record of the followed session to the screen."""
    death: float = 0
    """Seconds from the death of an agent until the list showed its open call."""
    samples: list[Sample] = field(default_factory=list)
    peak: float = 0
    idle: float = 0
    """Per cent of a core while nobody writes."""
    faults: list[str] = field(default_factory=list)


class Writers:
    """The agents, as processes of their own."""

    def __init__(self, plan: Plan, store: Path) -> None:
        self.parts = cast(plan.writers)
        self._store = store
        self._logs = [store / f"log-{part.number:02d}" for part in self.parts]
        rate = plan.rate / plan.writers
        self._processes = [
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "tests.soak.writing", str(store), str(part.number)),
                    *(str(plan.writers), str(plan.seed), str(rate), str(log)),
                ],
                stdin=subprocess.PIPE,
                cwd=ROOT,
            )
            for part, log in zip(self.parts, self._logs, strict=True)
        ]

    def end(self, part: Part) -> None:
        """Tell an agent to come to its end."""
        stdin = self._processes[part.number].stdin
        assert stdin is not None
        stdin.write(b"end")
        stdin.flush()

    def kill(self, part: Part) -> None:
        """Have an agent die on the spot."""
        self._processes[part.number].kill()
        self._processes[part.number].wait()

    def close(self) -> None:
        """Have all of them leave."""
        for process in self._processes:
            with suppress(OSError):
                process.communicate(timeout=10)
            process.kill()

    def has_rested(self, part: Part) -> bool:
        """Whether an agent has come to its end."""
        return any("rested" in said for said in self.log(part))

    def log(self, part: Part) -> list[dict[str, Any]]:
        """What an agent says it wrote."""
        try:
            text = self._logs[part.number].read_bytes()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in text.split(b"\n")[:-1]]

    def process_of(self, path: Path) -> str:
        """`alive` or `dead` where the registry tells of the transcript's agent, else ""."""
        for part in self.parts:
            folder = part.transcript(self._store, 1).parent
            if part.is_registered and path.is_relative_to(folder):
                return "dead" if part.ending == "killed" else "alive"
        return ""


class Soak:
    """One run over a store that is made for it."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan, self._folder = plan, folder
        self._store = folder / "store"
        self._store.mkdir()
        self._rng = random.Random(plan.seed)
        self._outcome = Outcome(plan)
        self._away: list[tuple[float, float]] = []
        """Times at which another session than the followed one was open."""

    def run(self) -> Outcome:
        """Take part in all of it; some minutes."""
        with self._written() as writers:
            followed = writers.parts[0]
            path = followed.transcript(self._store, 1)
            _wait_for(path.exists)
            roots = {self._store / part.home for part in writers.parts}
            with self._shown(sorted(roots), path) as screen:
                screen.until(followed.title(1))
                self._live(screen, writers)
                self._end(screen, writers)
                self._rest(screen)
                self._compare(screen, writers, sorted(roots))
                self._outcome.peak = screen.usage().peak
        return self._outcome

    @contextmanager
    def _written(self) -> Iterator[Writers]:
        writers = Writers(self._plan, self._store)
        try:
            yield writers
        finally:
            writers.close()

    @contextmanager
    def _shown(self, roots: list[Path], path: Path) -> Iterator[Screen]:
        screen = Screen([program(), *self._places(roots), "open", str(path)], self._environ())
        try:
            yield screen
        finally:
            screen.close()

    def _places(self, roots: list[Path]) -> list[str]:
        named = [word for root in roots for word in ("--root", str(root))]
        kept = {"--cache-dir": "cache", "--data-dir": "data"}
        return named + [word for k, v in kept.items() for word in (k, str(self._folder / v))]

    def _environ(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        told = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_CTYPE": "C.UTF-8"}
        return kept | told | {"HOME": str(self._folder)}

    # While they write.

    def _live(self, screen: Screen, writers: Writers) -> None:
        start = time.monotonic()
        mortal = [part for part in writers.parts if part.ending == "killed"]
        next_sample, next_stroll = start, start + STROLL_EVERY / 2
        while (now := time.monotonic()) < start + self._plan.seconds:
            screen.hear(0.1)
            if now >= next_sample:
                next_sample = now + SAMPLED_EVERY
                self._outcome.samples.append(_sample(screen.pid))
            if now >= next_stroll:
                next_stroll = now + STROLL_EVERY
                self._stroll(screen, writers.parts[0])
            if mortal and now >= start + self._plan.seconds / 3:
                self._kill(screen, writers, mortal.pop())

    def _stroll(self, screen: Screen, followed: Part) -> None:
        """Look at another session for a moment, and come back."""
        title = followed.title(1)
        others = sorted(screen.listed().keys() - {title})
        if not others:
            return
        left = time.monotonic()
        screen.open(self._rng.choice(others))
        screen.open(title)
        screen.send(b"\r")
        screen.send(END)
        screen.rest(0.5)
        self._away.append((left, time.monotonic()))

    def _kill(self, screen: Screen, writers: Writers, part: Part) -> None:
        """Have an agent die within a call, and see how long the list takes to tell."""
        writers.end(part)
        _wait_for(lambda: writers.has_rested(part), screen)
        screen.rest(LATE)
        title = part.title(1)
        before = screen.listed()[title].uncertain
        died = time.monotonic()
        writers.kill(part)
        _wait_for(lambda: screen.listed()[title].uncertain > before, screen)
        self._outcome.death = time.monotonic() - died

    # When they have ended.

    def _end(self, screen: Screen, writers: Writers) -> None:
        living = [part for part in writers.parts if part.ending != "killed"]
        for part in living:
            writers.end(part)
        _wait_for(lambda: all(map(writers.has_rested, living)), screen, 120)
        screen.rest(SETTLE)
        self._outcome.samples.append(_sample(screen.pid))
        self._outcome.records = sum(
            "token" in said for part in writers.parts for said in writers.log(part)
        )

    def _rest(self, screen: Screen) -> None:
        before = screen.usage().seconds
        screen.rest(self._plan.idle)
        used = screen.usage().seconds - before
        self._outcome.idle = 100 * used / self._plan.idle

    # Is it true?

    def _compare(self, screen: Screen, writers: Writers, roots: list[Path]) -> None:
        truths = {
            path: truth_of(path, writers.process_of(path))
            for path in sorted(self._store.rglob("*.jsonl"))
        }
        self._outcome.size = sum(path.stat().st_size for path in truths)
        self._outcome.sub_agents = sum("agent-" in path.name for path in truths)
        self._outcome.sessions = len(truths) - self._outcome.sub_agents
        followed = writers.parts[0]
        path = followed.transcript(self._store, 1)
        self._compare_commands(truths, roots)
        self._compare_rows(screen, writers, truths)
        self._compare_waits(screen, writers.log(followed), truths[path])
        self._compare_timeline(screen, followed.title(1), truths[path])

    def _compare_commands(self, truths: dict[Path, Truth], roots: list[Path]) -> None:
        """What `sessions list` says, which shares the index with the screen."""
        words = ["list", "--json", "--children", "--all", *self._places(roots)]
        done = subprocess.run(
            [program(), *words], env=self._environ(), capture_output=True, check=True
        )
        told = {Path(one["path"]): one for one in json.loads(done.stdout)["sessions"]}
        for path in told.keys() ^ truths.keys():
            self._fault(f"sessions list and the files do not agree that {path.name} is there")
        for path in told.keys() & truths.keys():
            one = told[path]
            self._hold("sessions list", truths[path], one["events"], one["uncertain"])
            self._hold_status("sessions list", truths[path], one["status"])

    def _compare_rows(self, screen: Screen, writers: Writers, truths: dict[Path, Truth]) -> None:
        """What the list on screen says, and the head of each session when it is opened."""
        rows = screen.listed()
        for part in writers.parts:
            for number in range(1, 100):
                path = part.transcript(self._store, number)
                if path not in truths:
                    break
                title = part.title(number)
                if title not in rows:
                    self._fault(f"{title} is not in the list on screen")
                    continue
                self._hold("the list", truths[path], rows[title].events, rows[title].uncertain)
                truth = truth_of(path, writers.process_of(path))
                self._hold_status("the head", truth, screen.open(title))

    def _compare_waits(self, screen: Screen, log: list[dict[str, Any]], truth: Truth) -> None:
        """When each record of the followed session came to the screen, and whether it did."""
        shown = set(truth.tokens)
        for said in log:
            if said.get("token") not in shown or self._was_away(said["at"]):
                continue
            if (seen := screen.seen.get(said["token"])) is None:
                self._fault(f"{said['token']} never came to the screen")
            else:
                self._outcome.waits.append(1000 * (seen - said["at"]))

    def _was_away(self, at: float) -> bool:
        return any(left - LATE <= at <= back for left, back in self._away)

    def _compare_timeline(self, screen: Screen, title: str, truth: Truth) -> None:
        """Page through the followed session from its end: each record once, none left out."""
        screen.open(title)
        screen.send(b"\r" + END)
        screen.rest(1.0)
        expected, above = list(truth.tokens), len(truth.tokens)
        page = screen.timeline()
        if page[-1:] != expected[-1:]:
            self._fault(f"the timeline ends with {page[-1:]}, the file with {expected[-1:]}")
        for _ in range(PAGES):
            place = _place(page, expected)
            if place is None or place + len(page) < above:
                self._fault(f"these rows do not stand in the file like that: {' '.join(page)}")
                return
            above = min(above, place)
            if above == 0:
                return
            screen.send(PAGE_UP)
            page = _turned(screen, page)
        self._fault(f"{above} records of the timeline could not be reached")

    def _hold(self, where: str, truth: Truth, events: int | None, uncertain: int) -> None:
        if (events, uncertain) != (truth.events, truth.uncertain):
            self._fault(
                f"{where} says of {truth.path.name}: {events} events, {uncertain} uncertain; "
                f"the file: {truth.events}, {truth.uncertain}"
            )

    def _hold_status(self, where: str, truth: Truth, status: str) -> None:
        if status not in truth.statuses:
            right = " or ".join(sorted(truth.statuses))
            self._fault(f"{where} calls {truth.path.name} {status}; it is {right}")

    def _fault(self, sentence: str) -> None:
        self._outcome.faults.append(sentence)


def _place(page: list[str], expected: list[str]) -> int | None:
    """Where a page stands in the whole; None where it does not, as a piece, stand there."""
    if not page or page[0] not in expected:
        return None
    start = expected.index(page[0])
    return start if expected[start : start + len(page)] == page else None


def _turned(screen: Screen, before: list[str]) -> list[str]:
    """The next page, once it is drawn."""
    end = time.monotonic() + PATIENCE
    page = before
    while page == before and time.monotonic() < end:
        screen.drawn(0.06, 1.0)
        page = screen.timeline()
    return page


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
