"""A helper process does not outlive the one that it helps."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sessions_tui.storage.files.processes import pid_exists
from sessions_tui.storage.index.index import FILE, Index

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")

PATIENCE = 60.0
RECORDS = 150_000
"""Some seconds of reading."""

ASKER = """
import sys
from pathlib import Path
from sessions_tui.storage.index.worker_process import WorkerProcess

transcripts = [(Path(sys.argv[2]), "long")]
helper = WorkerProcess(Path(sys.argv[1]), lambda: transcripts.pop() if transcripts else None)
helper.start()
print(helper._process.pid, flush=True)
helper.join()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_helper_ends_with_the_process_it_helps(tmp_path: Path, number: signal.Signals) -> None:
    transcript, cache = tmp_path / "long.jsonl", tmp_path / "cache"
    line = b'{"type":"message","role":"user","content":"and so on, and so on"}\n'
    transcript.write_bytes(line * RECORDS)
    command = [sys.executable, "-c", ASKER, str(cache), str(transcript)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as asker:
        assert asker.stdout is not None
        helper = int(asker.stdout.readline())
        wait_for(lambda: (cache / FILE).exists())  # it is ready to take what was asked long ago
        os.kill(asker.pid, number)
    wait_for(lambda: not pid_exists(helper))
    with closing(Index(cache)) as index:
        assert index.notice == ""
        assert index.known(transcript) is None  # it did not read to the end first


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)
