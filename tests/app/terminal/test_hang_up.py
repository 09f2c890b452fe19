"""The terminal closes while an agent has it: neither the agent nor the program lives on."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)

from tests.app.browse.test_resume import Place
from tests.app.browse.test_resume import place as place
from tests.app.seat import PATIENCE, Seat, read_report

PLAIN = "print('AGENT HERE', flush=True)\nwhile True: signal.pause()"
OWN_GROUP = """\
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
os.setpgid(0, 0)
os.tcsetpgrp(0, os.getpid())
print('AGENT HERE', flush=True)
while True: signal.pause()
"""
WITH_CHILD = """\
child = os.fork()
if child == 0:
    Path(os.environ['HOME'], 'child').write_text(str(os.getpid()))
    print('AGENT HERE', flush=True)
    while True: signal.pause()
os.waitpid(child, 0)
"""
DEAF = "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + PLAIN
AGENTS = {"plain": PLAIN, "own group": OWN_GROUP, "with a child": WITH_CHILD, "deaf": DEAF}


def is_gone(pid: int) -> bool:
    """Whether a process has ended, or waits for its parent to take notice."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return not Path("/proc/self").exists() and _is_unknown(pid)
    return state == "Z"


def _is_unknown(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def ends(pid: int) -> bool:
    """Whether a process ends, given time."""
    deadline = time.monotonic() + PATIENCE
    while not (gone := is_gone(pid) or _is_unknown(pid)) and time.monotonic() < deadline:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.02)
    return gone


@pytest.mark.parametrize("leader", ["itself", "sh", "bash"])
@pytest.mark.parametrize("agent", AGENTS)
def test_nothing_is_left_without_a_terminal(place: Place, leader: str, agent: str) -> None:
    if shutil.which(leader) is None and leader != "itself":
        pytest.skip(f"there is no {leader}")
    place.agent(AGENTS[agent])
    pid_file = place.folder / "pid"
    root = str(place.folder / ".codebuddy")
    words = [sys.executable, "-m", "sessions_tui.app.command_line", "--root", root]
    start = f"echo $$ >{pid_file}; exec {shlex.join(words)}"
    by_leader = {
        "itself": ["/bin/sh", "-c", start],
        "sh": ["/bin/sh", "-c", f"sh -c {shlex.quote(start)}; :"],
        "bash": [shutil.which("bash") or "", "--norc", "--noprofile", "-i"],
    }
    seat = Seat(by_leader[leader], place.environ(), place.folder)
    place.seats.append(seat)
    if leader == "bash":
        seat.types(f"sh -c {shlex.quote(start)}\n".encode())
    seat.sees(b"Fix the lexer")
    seat.until(lambda: not seat.settings()[3] & 2)  # ICANON
    seat.types(b"R")
    seat.sees(b"Resume in the agent")
    seat.sees(b"escape")
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    program, run = int(pid_file.read_text()), read_report(place.report)["pid"]
    seat.hang_up()
    try:
        assert ends(program)
        assert agent == "deaf" or ends(run)
        if agent == "with a child":
            assert ends(int((place.folder / "child").read_text()))
    finally:
        for pid in (program, run):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
