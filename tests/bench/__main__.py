"""`make bench`: take all measures, print them as they come, then as a table."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from .bench import Bench
from .corpus import stores_folder
from .indexing import index
from .living import append, idle, memory, open_at_end
from .looking import find, search
from .machine import Others, machine
from .measured import Measured
from .pressing import key, key_while_indexing
from .recording import record
from .starting import first_list, many_files
from .table import document, table
from .terminal import NotShown

MEASURES: dict[str, Callable[[Bench], Iterator[Measured]]] = {
    "first-list": first_list,
    "index": index,
    "many-files": many_files,
    "append": append,
    "open": open_at_end,
    "key": key,
    "key-while-indexing": key_while_indexing,
    "memory": memory,
    "search": search,
    "find": find,
    "idle": idle,
    "record": record,
}


def main() -> int:
    """Measure; 1 where something could not be measured. A promise that is not kept is no error."""
    options = _options()
    measures: list[Measured] = []
    failed = False
    with tempfile.TemporaryDirectory(prefix="sessions-bench-run-") as scratch:
        bench = Bench(options.stores, Path(scratch), options.short)
        for name in options.only or MEASURES:
            try:
                measures.extend(_measures(name, bench))
            except (NotShown, subprocess.CalledProcessError, OSError) as error:
                failed = True
                print(f"{name} could not be measured: {error}", file=sys.stderr)
    print(table(measures, machine()))
    if options.json:
        options.json.write_text(document(measures, machine(), options.short), encoding="utf-8")
    return int(failed)


def _measures(name: str, bench: Bench) -> list[Measured]:
    """Take some, and see what others take of the machine meanwhile."""
    print(f"measuring {name}", file=sys.stderr, flush=True)
    start, others = time.perf_counter(), Others()
    taken = list(MEASURES[name](bench))
    share, seconds = others.share, time.perf_counter() - start
    print(f"  {seconds:.0f} s, {share:.0%} of the machine to others", file=sys.stderr, flush=True)
    return [replace(measured, others=share) for measured in taken]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=main.__doc__)
    parser.add_argument("--short", action="store_true", help="smaller stores, fewer repetitions")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the measures here too")
    parser.add_argument("--only", nargs="+", choices=MEASURES, help="some of the measures")
    parser.add_argument(
        "--stores", type=Path, default=stores_folder(), help="where stores are made and kept"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
