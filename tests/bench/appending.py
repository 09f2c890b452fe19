"""One of several agents that append at once, and what it takes without a recorder.

python -m tests.bench.appending recorded|bare PATH TIMES   waits for a line, then tells its seconds
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sessions_tui.storage.recording import EnvelopeRecorder

WORDS = "The reservation and the stock are changed in one statement now. " * 8
"""What an agent says, about as long as it is on average."""


def recorded(path: Path) -> Callable[[], object]:
    """Append as an agent does that records."""
    recorder = EnvelopeRecorder(path)
    return lambda: recorder.message("assistant", WORDS)


def bare(path: Path) -> Callable[[], object]:
    """Write as many bytes, which are ready, and wait for the disk."""
    with EnvelopeRecorder(path.with_name(f"sample-{path.stem}.jsonl")) as recorder:
        recorder.message("assistant", WORDS)
    line = recorder.path.read_bytes()
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def append() -> None:
        os.write(fd, line)
        os.fsync(fd)

    return append


KINDS = {"recorded": recorded, "bare": bare}


def main() -> None:
    """Append so many times once told to."""
    kind, path, times = sys.argv[1:]
    append = KINDS[kind](Path(path))
    append()
    print("ready", flush=True)
    sys.stdin.readline()
    start = time.perf_counter()
    for _ in range(int(times)):
        append()
    print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
