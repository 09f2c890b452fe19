"""Work that is timed in a process of its own, which prints what it took as JSON.

python -m tests.bench.work parse HOME                every line through orjson, and nothing else
python -m tests.bench.work index HOME CACHE          the index brought up to date
python -m tests.bench.work search HOME CACHE WORD N  a word in all sessions, N times after the first
python -m tests.bench.work find HOME CACHE WORD N    a word in the one session, likewise
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.search.find import find as find_in
from sessions_tui.storage.search.query import parse_query
from sessions_tui.storage.search.search import Search
from sessions_tui.storage.stores.roots import find_roots

from .processes import peak_of, peak_of_ended, seconds_used

HITS = 50
"""Those that a person waits for."""


def parse(home: str) -> dict[str, float]:
    """Parse every line and keep nothing."""
    lines = 0
    for path in Path(home).rglob("*.jsonl"):
        with path.open("rb") as file:
            for line in file:
                orjson.loads(line)
                lines += 1
    return {"lines": lines}


def index(home: str, cache: str) -> dict[str, float]:
    """Read what is new into the index."""
    library = _library(home, cache)
    library.close()
    return {"parsed": len(library.overviews.parsed), "bytes": library.overviews.bytes_read}


def search(home: str, cache: str, word: str, times: str) -> dict[str, float]:
    """The first hits of a word in all sessions, in a library that is open and up to date."""
    library = _library(home, cache)
    library.sessions()

    def look() -> int:
        found = Search(library, parse_query(word), library.newest_first()).run(HITS)
        return sum(map(len, found))

    return _timed(look, int(times))


def find(home: str, cache: str, word: str, times: str) -> dict[str, float]:
    """All records of the one session that hold a word."""
    library = _library(home, cache)
    transcript = library.transcript(library.newest_first()[0])
    return _timed(lambda: sum(map(len, find_in(transcript, word))), int(times))


def _library(home: str, cache: str) -> Library:
    """The sessions of a store, read to their ends."""
    place = Path(home)
    library = Library(find_roots([place], {}, place, place).found, Path(cache))
    library.rescan()
    library.read_all()
    return library


def _timed(look: Callable[[], int], times: int) -> dict[str, float]:
    """Seconds of the first look, and of one of those that follow."""
    found, took = 0, []
    for _ in range(times + 1):
        start = time.perf_counter()
        found = look()
        took.append(time.perf_counter() - start)
    return {"found": found, "first": took[0], "later": statistics.median(took[1:])}


WORK: dict[str, Callable[..., dict[str, float]]] = {
    "parse": parse,
    "index": index,
    "search": search,
    "find": find,
}


def main(words: list[str]) -> None:
    """Do the work that is named and print what it took, a process that it started included."""
    start, used = time.perf_counter(), seconds_used()
    told = WORK[words[0]](*words[1:])
    told["seconds"] = time.perf_counter() - start
    told["processor"] = seconds_used() - used
    told["peak"] = peak_of()
    told["helper_peak"] = peak_of_ended()
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1:])
