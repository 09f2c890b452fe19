"""Work that is timed in a process of its own, which prints what it took as JSON.

python -m tests.bench.work parse HOME           every line through orjson, and nothing else
python -m tests.bench.work index HOME CACHE     the index brought up to date
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import orjson

from sessions_tui.storage.library import Library
from sessions_tui.storage.roots import find_roots

from .processes import peak_of


def parse(home: Path) -> dict[str, float]:
    """Parse every line and keep nothing."""
    lines = 0
    for path in home.rglob("*.jsonl"):
        with path.open("rb") as file:
            for line in file:
                orjson.loads(line)
                lines += 1
    return {"lines": lines}


def index(home: Path, cache: Path) -> dict[str, float]:
    """Read what is new into the index."""
    library = Library(find_roots([home], {}, home, home).found, cache)
    library.rescan()
    library.read_all()
    library.close()
    return {"parsed": library.files_parsed, "bytes": library.bytes_read}


def main(words: list[str]) -> None:
    """Do the work that is named and print what it took."""
    start, used = time.perf_counter(), time.process_time()
    places = [Path(word) for word in words[1:]]
    told = parse(places[0]) if words[0] == "parse" else index(*places)
    told["seconds"] = time.perf_counter() - start
    told["processor"] = time.process_time() - used
    told["peak"] = peak_of()
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1:])
