"""`make real`: real agents, killed at random moments; what the program says is held to the disk."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .agent import Agent, Unavailable
from .agents import AGENTS
from .kills import Kill, Lane
from .live import watch
from .network import isolate
from .report import Tally, table
from .scenarios import SCENARIOS

PLACE = Path(".real")
"""Where agents are installed and run; ignored by git."""

SEEDS = (1, 2, 3)


def main() -> int:
    """Kill, compare, print; 1 where the program said something wrong."""
    options = _options()
    agents, skipped = _installed(options.agent or list(AGENTS))
    isolate()
    for reason in skipped:
        print(reason, file=sys.stderr)
    folder = options.keep or PLACE / "run"
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for agent in agents:
        wrong += _kills(agent, options, folder) if options.kills else 0
        wrong += _live(agent, options.live, folder) if options.live else 0
    if not agents:
        print("No agent could be run.", file=sys.stderr)
    elif not options.keep and not wrong:
        shutil.rmtree(folder)
    return int(bool(wrong))


def _installed(names: Iterable[str]) -> tuple[list[Agent], list[str]]:
    """The agents that can be run, and why the others cannot. Installing takes a network."""
    agents, skipped = [], []
    for name in names:
        try:
            agents.append(AGENTS[name](PLACE.resolve()))
        except Unavailable as reason:
            skipped.append(str(reason))
    return agents, skipped


def _kills(agent: Agent, options: argparse.Namespace, folder: Path) -> int:
    """How many statements were wrong."""
    names = [name for name in agent.scenarios if name in (options.scenario or agent.scenarios)]
    lanes = [(name, seed) for seed in options.seed or SEEDS for name in names]
    shares = _shares(options.kills, len(lanes))
    tallies = {name: Tally(name) for name in names}
    lock = threading.Lock()

    def run(lane: tuple[str, int], count: int) -> None:
        name, seed = lane
        for one in Lane(agent, agent.scenarios[name], seed, folder.resolve()).run(count):
            with lock:
                _count(tallies[name], one)

    with ThreadPoolExecutor(options.at_once) as pool:
        deque(pool.map(run, lanes, shares), maxlen=0)
    print(f"\n{agent.version}, seeds {options.seed or list(SEEDS)}\n")
    print(table(list(tallies.values())), flush=True)
    return sum(len(one.wrong) for one in tallies.values())


def _shares(whole: int, parts: int) -> list[int]:
    """A number in parts as equal as can be."""
    return [whole // parts + (number < whole % parts) for number in range(parts)]


def _count(tally: Tally, one: Kill) -> None:
    tally.checks += one.checks
    tally.kills += one.was_killed and not one.is_again
    tally.ended += not one.was_killed
    for check in one.checks:
        if check.verdict == "wrong":
            print(f"✗ {one.script.name}: {check.kind}: {check.detail}", flush=True)
    what = "asked again" if one.is_again else "killed" if one.was_killed else "ended"
    print(f"{one.script.name}: {what}", file=sys.stderr)


def _live(agent: Agent, seconds: float, folder: Path) -> int:
    tally = Tally(f"{agent.name}, {seconds:g} s")
    for check in watch(agent, folder.resolve(), seconds):
        tally.checks.append(check)
        if check.verdict == "wrong":
            print(f"✗ live: {check.kind}: {check.detail}", flush=True)
    print(f"\n{table([tally])}", flush=True)
    for check in tally.checks[-2:]:
        print(f"{check.kind}: {check.detail}")
    return len(tally.wrong)


def _options(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make real", description=__doc__)
    parser.add_argument("--agent", action="append", choices=list(AGENTS), help="only this agent")
    parser.add_argument(
        "--scenario", action="append", choices=list(SCENARIOS), help="only this scenario"
    )
    parser.add_argument("--kills", type=int, default=300, help="of each agent, in all (300)")
    parser.add_argument("--seed", type=int, action="append", help="of the moments (1, 2 and 3)")
    parser.add_argument("--at-once", type=int, default=2, help="sessions side by side (2)")
    parser.add_argument("--live", type=float, default=180, help="seconds that a command runs (180)")
    parser.add_argument("--keep", type=Path, help="keep what was run and said in this folder")
    options = parser.parse_args(words)
    if options.keep and options.keep.is_dir() and any(options.keep.iterdir()):
        parser.error(f"{options.keep} is not empty.")
    return options


if __name__ == "__main__":
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    sys.exit(main())
