"""`make soak`: agents at work for some minutes beside the open screen, then a table."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.bench.machine import Others, machine
from tests.bench.measured import Measured, at_most, by_rounds, known, median, nearly_all
from tests.bench.table import table

from .plan import Outcome, Plan, Sample
from .soak import Soak

WARM = 0.25
"""The share of the time after which memory is to stay as it is."""


def main() -> int:
    """Soak; 1 where anything was told wrong. A promise in numbers that is not kept is no error."""
    options = _options()
    plan = Plan(options.minutes * 60, options.writers, options.rate, options.seed)
    print(f"{options.minutes:g} minutes, then about one more", file=sys.stderr, flush=True)
    others = Others()
    with tempfile.TemporaryDirectory(prefix="sessions-soak-") as folder:
        outcome = Soak(plan, Path(folder)).run()
    measures = list(measured(outcome))
    print(table(measures, machine()))
    print(f"\n{others.share:.0%} of the machine went to the agents, to this and to others.")
    print("\n".join(["", *outcome.faults]) if outcome.faults else "All of it was told right.")
    if options.json:
        told = asdict(outcome) | {"measures": [asdict(one) for one in measures]}
        options.json.write_text(json.dumps(told, indent=2, default=str), encoding="utf-8")
    return int(bool(outcome.faults))


def measured(outcome: Outcome) -> Iterator[Measured]:
    """What was seen, held to what is promised."""
    yield known("records written", outcome.records, "")
    yield known("sessions", outcome.sessions, "", note=f"{outcome.sub_agents} sub-agents")
    yield known("transcripts", outcome.size / 1e6, "MB")
    yield at_most("told wrong", len(outcome.faults), 0, "")
    if outcome.waits:
        waits = outcome.waits
        yield at_most("record to screen, median", by_rounds(median, waits), 30, "ms")
        yield at_most("record to screen, 95 %", by_rounds(nearly_all, waits), 50, "ms")
    if outcome.death:
        yield at_most("death of an agent to list", outcome.death, 2, "s")
    yield at_most("peak memory", outcome.peak, 150, "MB")
    warm, late = _compared(outcome.samples)
    for name, unit, limit in (("resident", "MB", 1.1), ("descriptors", "", 1.0)):
        before, after = (statistics.median(getattr(s, name) for s in part) for part in (warm, late))
        yield _flat(f"{name}, at the end against warm", before, after, unit, limit)
    yield at_most("idle", outcome.idle, 1.5, "%")


def _compared(samples: Sequence[Sample]) -> tuple[Sequence[Sample], Sequence[Sample]]:
    """Those taken when the program was warm, and those of the end."""
    start, size = int(len(samples) * WARM), max(1, len(samples) // 5)
    return samples[start : start + size], samples[-size:]


def _flat(what: str, before: float, after: float, unit: str, limit: float) -> Measured:
    promise = f"≤ {limit:g} ×"
    times = after / before
    return Measured(what, after, unit, promise, times <= limit, before, times)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make soak", description=main.__doc__)
    parser.add_argument("--minutes", type=float, default=5, help="how long they write")
    parser.add_argument("--writers", type=int, default=8, help="how many agents")
    parser.add_argument(
        "--rate", type=float, default=50, help="records a second, of all agents together"
    )
    parser.add_argument("--seed", type=int, default=1, help="of what they write")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write all of it here too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
