"""How fast agents record: several at once, each into its own session, held to the disk's pace."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from .bench import ROOT, Bench
from .measured import Measured, median, ratio

AGENTS = 8
TIMES = 250
"""Records of each: a second or so on a disk that takes milliseconds."""


def record(bench: Bench) -> Iterator[Measured]:
    """Eight agents at once, each record on the disk, against write and fsync alone."""
    took: dict[str, list[float]] = {"recorded": [], "bare": []}
    for _ in range(bench.runs):
        for kind, seconds in took.items():  # in turns, so that a busy disk meets both
            seconds.append(_at_once(bench, kind, bench.fresh()))
    each = median(took["recorded"]) / TIMES * 1000
    note = f"{AGENTS * TIMES / median(took['recorded']):,.0f} records/s, {each:.2f} ms each"
    what = f"{AGENTS} agents record {TIMES} messages each at once"
    yield ratio(what, took["recorded"], took["bare"], 1.5, note)


def _at_once(bench: Bench, kind: str, folder: Path) -> float:
    """Seconds that the last of the agents took."""
    with ExitStack() as stack:
        agents = [
            stack.enter_context(_agent(bench, kind, folder / f"{number}.jsonl"))
            for number in range(AGENTS)
        ]
        for agent in agents:
            assert agent.stdout
            agent.stdout.readline()
        for agent in agents:
            assert agent.stdin
            agent.stdin.write("go\n")
            agent.stdin.flush()
        return max(float(agent.stdout.readline()) for agent in agents if agent.stdout)


def _agent(bench: Bench, kind: str, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.bench.appending", kind, str(path), str(TIMES)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=bench.environ(),
        text=True,
    )
