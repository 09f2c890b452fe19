"""`R` on a real terminal: the screen leaves for the agent, and comes back whole after it."""

from __future__ import annotations

import json
import os
import signal
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.seat import Seat, read_report, write_agent

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")

ALTERNATE, BACK = b"\x1b[?1049h", b"\x1b[?1049l"
PLAIN = termios.ISIG | termios.ICANON | termios.ECHO
SESSION = "0198a7c2-1111-4222-8333-444455556666"

HERE = "print('AGENT HERE', flush=True)\n"
HEARS = """\
def heard(*_):
    print('AGENT HEARD IT', flush=True)
    sys.exit(0)
signal.signal(signal.SIGINT, heard)
print('AGENT HERE', flush=True)
while True:
    signal.pause()
"""
WRECKS = """\
print('\\x1b[?1049h\\x1b[?1000h\\x1b[?25lAGENT HERE', flush=True)
tty.setraw(0)
os.kill(os.getpid(), signal.SIGKILL)
"""
TAKES_THE_FOREGROUND = """\
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
os.setpgid(0, 0)
os.tcsetpgrp(0, os.getpid())
print('AGENT HERE', flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
IS_TOLD = """\
def told(number, frame):
    print('AGENT TOLD', flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, told)
print('AGENT HERE', flush=True)
while True:
    signal.pause()
"""


class Place:
    """A store with one session, an agent on the PATH, and the program on a terminal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.report = folder / "report.json"
        self.bin = folder / "bin"
        self.cwd = folder / "code" / "shop"
        self.cwd.mkdir(parents=True)
        slug = "-".join(part for part in str(self.cwd).split("/") if part)
        self.path = folder / ".codebuddy" / "projects" / slug / f"{SESSION}.jsonl"
        self.path.parent.mkdir(parents=True)
        self.path.write_bytes(self.record(1, "Fix the lexer"))
        self.seats: list[Seat] = []

    def record(self, number: int, text: str) -> bytes:
        """A prompt as the product writes it."""
        record = {
            "id": f"00000000-0000-4000-8000-{number:012}",
            "timestamp": 1_789_237_834_678 + number,
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
            "providerData": {"agent": "cli"},
            "sessionId": SESSION,
            "cwd": str(self.cwd),
        }
        return json.dumps(record).encode() + b"\n"

    def agent(self, body: str) -> None:
        """Have a `codebuddy` that does this."""
        write_agent(self.bin / "codebuddy", self.report, body)

    def environ(self) -> dict[str, str]:
        """The environment of a person at home here."""
        taken = ("SESSIONS_", "XDG_", "WORKBUDDY_", "CODEBUDDY_", "TERM_PROGRAM")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(taken)}
        path = f"{self.bin}{os.pathsep}/usr/bin{os.pathsep}/bin"
        own = {"HOME": str(self.folder), "PATH": path, "TERM": "xterm-256color"}
        return {**kept, **own, "LINES": "24", "COLUMNS": "100"}

    def sit(self) -> Seat:
        """Sit down at the list of sessions, and ask to resume the first."""
        module = ["-m", "sessions_tui.app.command_line"]
        words = [sys.executable, *module, "--root", str(self.folder / ".codebuddy")]
        seat = Seat(words, self.environ(), self.folder)
        self.seats.append(seat)
        seat.sees(b"Fix the lexer")
        seat.until(lambda: not seat.settings()[3] & termios.ICANON)
        return seat

    def asks(self) -> Seat:
        """Sit down and ask to resume the session."""
        seat = self.sit()
        seat.types(b"R")
        seat.sees(b"Resume in the agent")
        seat.sees(b"escape")  # below the rest of it
        return seat


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    for seat in place.seats:
        seat.leave()


def leaves(seat: Seat) -> None:
    """The screen is whole: it obeys, and leaves the terminal as it was."""
    seat.types(b"q")
    assert seat.ends() == 0
    assert seat.printed.rfind(ALTERNATE) < seat.printed.rfind(BACK)


def test_the_agent_runs_where_the_session_was_and_one_comes_back(place: Place) -> None:
    place.agent(HERE)
    seat = place.asks()
    assert f"--resume={SESSION}".encode() in seat.printed
    seat.types(b"\r")
    seat.sees(BACK)
    seat.sees(b"AGENT HERE")
    seat.sees(ALTERNATE)
    seat.sees(b"Fix the lexer")
    report = read_report(place.report)
    assert report["argv"] == [f"--resume={SESSION}"]
    assert report["cwd"] == report["environ"]["PWD"] == str(place.cwd)
    assert report["local"] & PLAIN == PLAIN
    assert "SIGINT" not in report["ignored"]
    leaves(seat)


def test_the_agent_finds_no_mouse_left_on(place: Place) -> None:
    place.agent(HERE)
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    before = seat.printed[: seat.printed.index(b"AGENT HERE")]
    for mode in (b"1000", b"1003", b"1006", b"1016", b"1004", b"2004"):
        on, off = before.rfind(b"\x1b[?%sh" % mode), before.rfind(b"\x1b[?%sl" % mode)
        assert off > on, mode
    seat.sees(ALTERNATE)
    leaves(seat)


def test_what_the_agent_wrote_is_followed(place: Place) -> None:
    added = place.record(2, "Now the parser")
    place.agent(f"open({str(place.path)!r}, 'ab').write({added!r})\n" + HERE)
    seat = place.sit()
    seat.types(b"\r")  # open it
    seat.types(b"R")
    seat.sees(b"Resume in the agent")
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    seat.sees(ALTERNATE)
    seat.sees(b"Now the parser")
    with place.path.open("ab") as file:
        file.write(place.record(3, "And the printer"))
    seat.sees(b"And the printer")
    seat.types(b"q")
    leaves(seat)


def test_what_the_agent_left_on_is_off_while_one_reads(place: Place) -> None:
    place.agent(WRECKS)
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    for sequence in (b"\x1b[?1000l", b"\x1b[?1047l", b"\x1b[?25h", b"was ended by"):
        seat.sees(sequence)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (HERE + "sys.exit(3)", b"ended with exit code 3"),
        (WRECKS, b"was ended by SIGKILL"),
        (TAKES_THE_FOREGROUND, b"was ended by SIGKILL"),
    ],
)
def test_a_failure_can_be_read_until_enter(place: Place, body: str, told: bytes) -> None:
    place.agent(body)
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    seat.sees(told)
    seat.sees(b"Press enter to go back")
    assert seat.settings()[3] & PLAIN == PLAIN
    seat.types(b"\r")
    seat.sees(ALTERNATE)
    seat.sees(b"Fix the lexer")
    leaves(seat)
    assert seat.settings()[3] & PLAIN == PLAIN


def test_a_command_that_cannot_be_started(place: Place) -> None:
    agent = place.bin / "codebuddy"
    place.agent("")
    agent.write_text("#!/nowhere/at/all\n")
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"cannot be started")
    seat.types(b"\r")
    seat.sees(ALTERNATE)
    leaves(seat)


def test_ctrl_c_belongs_to_the_agent(place: Place) -> None:
    place.agent(HEARS)
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    seat.types(b"\x03")
    seat.sees(b"AGENT HEARD IT")
    seat.sees(ALTERNATE)
    seat.sees(b"Fix the lexer")
    leaves(seat)


def test_ctrl_z_freezes_nothing_where_no_shell_is(place: Place) -> None:
    place.agent(HEARS)
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    seat.types(b"\x1a")
    seat.sees(b"^Z")
    seat.types(b"\x03")
    seat.sees(b"AGENT HEARD IT")
    seat.sees(ALTERNATE)
    leaves(seat)


@pytest.mark.parametrize("key", [b"\x03", b"\x1c"])
def test_keys_that_end_the_agent_do_not_end_the_screen(place: Place, key: bytes) -> None:
    place.agent(
        "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "signal.signal(signal.SIGINT, signal.SIG_DFL)\n" + HERE + "signal.pause()"
    )
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    seat.types(key)
    if key == b"\x1c":
        seat.sees(b"was ended by SIGQUIT")
        seat.types(b"\x03")  # takes one out of the waiting as well
    seat.sees(ALTERNATE)
    seat.sees(b"Fix the lexer")
    leaves(seat)


def test_told_to_end_the_agent_ends_first(place: Place) -> None:
    place.agent(IS_TOLD)
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    os.kill(seat.pid, signal.SIGTERM)
    seat.sees(b"AGENT TOLD")
    assert seat.ends() == 128 + signal.SIGTERM
    assert seat.printed.rfind(ALTERNATE) < seat.printed.rfind(BACK)
    assert not _is_there(read_report(place.report)["pid"])


def test_told_to_end_while_a_failure_is_read(place: Place) -> None:
    place.agent(HERE + "sys.exit(3)")
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"Press enter to go back")
    os.kill(seat.pid, signal.SIGTERM)
    assert seat.ends() == 128 + signal.SIGTERM


def test_the_terminal_goes_away_while_the_agent_runs(place: Place) -> None:
    place.agent("signal.signal(signal.SIGHUP, signal.SIG_DFL)\n" + HERE + "signal.pause()")
    seat = place.asks()
    seat.types(b"\r")
    seat.sees(b"AGENT HERE")
    seat.hang_up()
    _, status = os.waitpid(seat.pid, 0)
    seat.code = os.waitstatus_to_exitcode(status)
    assert seat.code == 128 + signal.SIGHUP
    assert not _is_there(read_report(place.report)["pid"])


def test_one_may_leave_all_as_it_is(place: Place) -> None:
    place.agent(HERE)
    seat = place.asks()
    seat.types(b"q")
    leaves(seat)
    assert not place.report.exists()


def test_without_a_command_it_says_so(place: Place) -> None:
    seat = place.asks()
    assert b"codebuddy-code" in seat.printed
    seat.types(b"\r")
    seat.sees(b"Fix the lexer")
    leaves(seat)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
