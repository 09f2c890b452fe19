"""Decisions of programs that are killed: what was said to be kept is kept, and kept once."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.model.decision import Decision
from tests.storage import decider
from tests.storage.deciding import FILES, database, opened, present

NAMES = ("a", "b")
SEED = 20_261_129

DONE = -1
"""Comes after the last confirmation of a program."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")


def run(directory: Path, name: str, first: int, last: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, decider.__file__, str(directory), name, str(first), str(last)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class Lives:
    """A program that is started again and again until all its decisions are confirmed."""

    def __init__(self, directory: Path, name: str, confirmations: SimpleQueue[int]) -> None:
        self.count = 0
        self._directory, self._name = directory, name
        self._steps = decider.steps(name)
        self._confirmations = confirmations
        self._moments = random.Random(f"{SEED} {name}")

    def live(self) -> None:
        """All of them."""
        confirmed = 0
        try:
            while confirmed < len(self._steps):
                confirmed = self._live_once(confirmed)
                self.count += 1
        finally:
            self._confirmations.put(DONE)

    def _live_once(self, first: int) -> int:
        """Kill it some way into a decision, or between its being kept and being confirmed."""
        last, spin = first + self._moments.randint(1, 50), self._moments.randrange(20_000)
        is_unsaid = self._moments.random() < 0.5
        with run(self._directory, self._name, first, last if is_unsaid else -1) as process:
            assert process.stdout
            for number, line in enumerate(process.stdout, first):
                if not line.endswith("\n"):
                    break  # killed in the middle of saying it: that confirms nothing
                assert line == f"kept {number}\n"
                self._confirmations.put(self._steps[number].at)
                first = number + 1
                if first == last and not is_unsaid:
                    sum(range(spin))
                    process.send_signal(signal.SIGKILL)
        assert process.returncode in (0, -signal.SIGKILL)
        return first


def decide_all(decisions: Decisions) -> None:
    """What the same programs decide where nobody kills them."""
    for name in NAMES:
        for step in decider.steps(name):
            step.decide(decisions)


def is_kept(directory: Path, at: int) -> bool:
    """Whether the file holds the decision of this time."""
    with database(directory) as db:
        return bool(db.execute("select 1 from decisions where at = ?", (at,)).fetchone())


def by(history: list[Decision], name: str) -> list[Any]:
    """One program's decisions, without the numbers, which depend on those of the other."""
    times = {decision.id: decision.at for decision in history}
    return [
        (replace(decision, id=0, undoes=None), times.get(decision.undoes or 0))
        for decision in history
        if decision.session.startswith(name)
    ]


def test_a_thousand_decisions_of_two_programs_that_are_killed(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    confirmations: SimpleQueue[int] = SimpleQueue()
    lives = [Lives(directory, name, confirmations) for name in NAMES]
    confirmed = set()
    with opened(directory) as onlooker, ThreadPoolExecutor(len(NAMES)) as pool:
        ended = [pool.submit(one.live) for one in lives]
        for _ in NAMES:
            for at in iter(confirmations.get, DONE):
                onlooker.refresh()
                confirmed.add(at)
                assert is_kept(directory, at)
        for one in ended:
            one.result()
        onlooker.refresh()
        with opened(directory) as decisions, opened(tmp_path / "undisturbed") as expected:
            decide_all(expected)
            history = decisions.history()
            assert present(decisions) == present(expected) == present(onlooker)
            assert onlooker.version == decisions.version == len(history)
            for name in (*NAMES, decider.SHARED):
                assert by(history, name) == by(expected.history(), name)
    times = Counter(decision.at for decision in history)
    assert times == dict.fromkeys(confirmed, 1)
    assert len(times) == 1_000 - decider.ROUNDS // 2
    assert all(one.count > 10 for one in lives)
    with database(directory) as db:
        assert db.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert db.execute("pragma foreign_key_check").fetchall() == []


def test_killed_before_any_statement_of_the_first_decision(tmp_path: Path) -> None:
    """That is while the directory, the file, its log and its tables are made, and after."""
    program = [sys.executable, str(Path(__file__).parents[1] / "mortal.py"), str(tmp_path)]
    done = subprocess.run(program, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    directories = sorted(tmp_path.iterdir(), key=lambda directory: int(directory.name))
    assert len(directories) > 20
    for directory in directories:
        with opened(directory) as decisions:
            assert decisions.notice == ""
            assert len(decisions.history()) == (directory == directories[-1])
            decisions.set_pinned("s-1", Path("/s-1.jsonl"), True, 1)
            assert len(decisions.history()) == 1
            assert {file.name for file in directory.iterdir()} == FILES
