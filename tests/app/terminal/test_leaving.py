"""However the program is told to end, the terminal is left as it was."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")

ALTERNATE, BACK = b"\x1b[?1049h", b"\x1b[?1049l"
PATIENCE = 60.0


def shown(fd: int, wanted: bytes, so_far: bytes = b"") -> bytes:
    """What the program prints until it printed that, or ended."""
    deadline = time.monotonic() + PATIENCE
    while wanted not in so_far and time.monotonic() < deadline:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                data = os.read(fd, 65536)
            except OSError:  # the program has ended
                break
            so_far += data
    return so_far


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "home" / "projects" / "p").mkdir(parents=True)
    transcript = tmp_path / "home" / "projects" / "p" / "s.jsonl"
    transcript.write_text('{"type":"message","role":"user","content":"hello there"}\n')
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LINES="24", COLUMNS="80")
        places = ("--cache-dir", str(tmp_path / "c"), "--data-dir", str(tmp_path / "d"))
        module = ("-m", "sessions_tui.app.command_line", "--root", str(tmp_path / "home"))
        os.execv(sys.executable, [sys.executable, *module, *places])
    try:
        before = shown(fd, b"hello there")
        assert ALTERNATE in before
        os.kill(pid, number)
        after = shown(fd, BACK)
        assert BACK in after
        while os.waitpid(pid, os.WNOHANG) == (0, 0):
            shown(fd, b"never printed")
            time.sleep(0.01)
    except ChildProcessError:
        pass
    finally:
        os.close(fd)


def test_it_ends_when_the_terminal_goes_away_while_it_draws(tmp_path: Path) -> None:
    (tmp_path / "home" / "projects" / "p").mkdir(parents=True)
    transcript = tmp_path / "home" / "projects" / "p" / "s.jsonl"
    line = '{"type":"message","role":"user","content":"hello there"}\n'
    transcript.write_text(line)
    master, slave = pty.openpty()
    places = ("--cache-dir", str(tmp_path / "c"), "--data-dir", str(tmp_path / "d"))
    module = ("-m", "sessions_tui.app.command_line", "--root", str(tmp_path / "home"))
    # In a session of its own it hears of no hang-up.
    program = subprocess.Popen(
        [sys.executable, *module, *places],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", "LINES": "24", "COLUMNS": "130"},
        start_new_session=True,
    )
    try:
        os.close(slave)
        assert b"hello there" in shown(master, b"hello there")
        os.close(master)
        deadline = time.monotonic() + PATIENCE
        while program.poll() is None and time.monotonic() < deadline:
            with transcript.open("a") as file:
                file.write(line)
            time.sleep(0.02)
        assert program.poll() is not None
    finally:
        program.kill()
        program.wait()


def test_the_exit_code_names_the_signal(tmp_path: Path) -> None:
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LINES="24", COLUMNS="80", HOME=str(tmp_path))
        os.execv(sys.executable, [sys.executable, "-m", "sessions_tui.app.command_line"])
    shown(fd, b"No sessions yet")
    os.kill(pid, signal.SIGTERM)
    shown(fd, BACK)
    deadline = time.monotonic() + PATIENCE
    ended, status = os.waitpid(pid, os.WNOHANG)
    while not ended and time.monotonic() < deadline:
        shown(fd, b"never printed", b"")
        ended, status = os.waitpid(pid, os.WNOHANG)
    os.close(fd)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGTERM
