"""Into the background and back, under a shell with job control on a real terminal."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there is no job control", allow_module_level=True)

from tests.app.seat import Seat

BASH = shutil.which("bash")
ALTERNATE, BACK = b"\x1b[?1049h", b"\x1b[?1049l"
SUSPEND, QUIT = b"\x1a", b"\x11"
ENVIRONMENT = {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "130", "PS1": "READY> "}


@pytest.fixture
def words(tmp_path: Path, program: str) -> list[str]:
    """The command, over a root with one session."""
    folder = tmp_path / "root" / "projects" / "p"
    folder.mkdir(parents=True)
    line = '{"type":"message","role":"user","content":"hello there"}\n'
    (folder / "s.jsonl").write_text(line)
    places = ["--cache-dir", str(tmp_path / "c"), "--data-dir", str(tmp_path / "d")]
    return [program, "--root", str(tmp_path / "root"), *places]


@pytest.fixture
def shell(tmp_path: Path, words: list[str]) -> Iterator[Seat]:
    """An interactive shell in which the program shows its screen."""
    if BASH is None:
        pytest.skip("there is no bash")
    environ = {**ENVIRONMENT, "HOME": str(tmp_path)}
    seat = Seat([BASH, "--norc", "--noprofile", "-i"], environ, tmp_path)
    seat.sees(b"READY>")
    seat.types(f"{shlex.join(words)} & echo $! >pid; fg\n".encode())
    seat.sees(ALTERNATE)
    seat.sees(b"hello there")
    yield seat
    with suppress(FileNotFoundError, ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    seat.leave()


@pytest.mark.parametrize("how", [None, signal.SIGTSTP, signal.SIGSTOP])
def test_the_screen_comes_back_with_the_program(
    shell: Seat, tmp_path: Path, how: signal.Signals | None
) -> None:
    pid = int((tmp_path / "pid").read_text())
    for _ in range(2):
        if how is None:
            shell.types(SUSPEND)
        else:
            os.kill(pid, how)
        if how != signal.SIGSTOP:  # of which no program hears
            shell.sees(BACK)
        shell.sees(b"READY>")
        shell.types(b"fg\n")
        shell.sees(ALTERNATE)
        shell.sees(b"hello there")
    shell.types(b"?")
    shell.sees(b"Help")
    shell.types(QUIT)
    shell.sees(BACK)
    shell.sees(b"READY>")


@pytest.mark.parametrize("by_key", [True, False])
def test_the_screen_is_taken_back_once(shell: Seat, tmp_path: Path, by_key: bool) -> None:
    if by_key:
        shell.types(SUSPEND)
    else:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGTSTP)
    shell.sees(b"READY>")
    before = len(shell.printed)
    shell.types(b"fg\n")
    shell.sees(b"hello there")
    shell.types(b"?")
    shell.sees(b"Help")
    assert shell.printed[before:].count(ALTERNATE) == 1
    shell.types(QUIT)
    shell.sees(BACK)
    shell.sees(b"READY>")


def test_in_the_background_it_waits_for_the_terminal(shell: Seat) -> None:
    shell.types(SUSPEND)
    shell.sees(b"READY>")
    shell.types(b"bg\n")
    shell.sees(b"READY>")
    shell.types(b"echo still $((40 + 2))\n")
    shell.sees(b"still 42")
    shell.types(b"fg\n")
    shell.sees(ALTERNATE)
    shell.sees(b"hello there")
    shell.types(QUIT)
    shell.sees(b"READY>")


def test_without_a_shell_it_stays(tmp_path: Path, words: list[str]) -> None:
    seat = Seat(words, {**ENVIRONMENT, "HOME": str(tmp_path)}, tmp_path)
    try:
        seat.sees(b"hello there")
        seat.types(SUSPEND)
        seat.sees(b"There is no shell to go back to.")
        seat.types(QUIT)
        assert seat.ends() == 0
    finally:
        seat.leave()
