"""What is copied reaches a clipboard, and only what is known to have is called copied."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sessions_tui.app.terminal.clipboard import (
    COPIED,
    IN_SCREEN,
    IN_TMUX,
    SENT,
    Clipboard,
    desktop_commands,
)
from tests.app.seat import Seat

if sys.platform == "win32":
    pytest.skip("there are no such programs", allow_module_level=True)

TEXT = "event-1 库存 \U0001fae9 it's $HOME `x`\n"
TAKES = '#!/bin/sh\necho "$(basename "$0") $@" >>"{log}"\ncat >"{taken}"\n'
HANGS = "#!/bin/sh\nexec sleep 60\n"
FAILS = "#!/bin/sh\ncat >/dev/null\nexit 1\n"
READS_FILE = '#!/bin/sh\necho "$(basename "$0") $1 $2" >>"{log}"\ncp "$3" "{taken}"\n'


class Bench:
    """A PATH with programs of our own making, and what they were given."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.taken, self.log = folder / "taken", folder / "log"
        (folder / "bin").mkdir()

    def has(self, name: str, script: str) -> None:
        """Have a program of that name."""
        path = self._folder / "bin" / name
        path.write_text(script.format(log=self.log, taken=self.taken))
        path.chmod(0o755)

    def environ(self, **more: str) -> dict[str, str]:
        """The environment of somebody who has only those."""
        return {"PATH": f"{self._folder / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin", **more}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("wl-copy", {"WAYLAND_DISPLAY": "wayland-0"}),
        ("xclip", {"DISPLAY": ":0"}),
        ("xsel", {"DISPLAY": ":0"}),
        ("clip.exe", {"WSL_DISTRO_NAME": "Debian"}),
    ],
)
def test_a_program_of_the_desktop_takes_it(
    bench: Bench, name: str, variables: dict[str, str]
) -> None:
    for other in ("wl-copy", "xclip", "xsel", "clip.exe"):
        bench.has(other, TAKES if other == name else FAILS)
    assert Clipboard(bench.environ(**variables)).take(TEXT) == COPIED
    encoding = "utf-16" if name == "clip.exe" else "utf-8"
    assert bench.taken.read_bytes().decode(encoding) == TEXT


def test_where_the_desktop_is_another_machines() -> None:
    here = {"WAYLAND_DISPLAY": "w", "SSH_CONNECTION": "1 2 3 4", "WSL_DISTRO_NAME": "x"}
    assert list(desktop_commands(here, "darwin")) == []
    names = [command[0] for command in desktop_commands({**here, "DISPLAY": "localhost:10.0"})]
    assert names == ["xclip", "xsel"]
    assert [command[0] for command in desktop_commands({}, "darwin")] == ["pbcopy"]
    assert list(desktop_commands({}, "linux")) == []


def test_one_that_hangs_is_waited_for_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions_tui.app.terminal.clipboard.PATIENCE", 0.2)
    bench.has("xclip", HANGS)
    bench.has("xsel", TAKES)
    clipboard = Clipboard(bench.environ(DISPLAY=":0"))
    assert clipboard.take("one") == COPIED
    bench.has("xclip", "#!/bin/sh\ntouch '{log}.again'\nexit 1\n")
    assert clipboard.take("two") == COPIED
    assert bench.taken.read_text() == "two"
    assert not Path(f"{bench.log}.again").exists()


def test_screen_reads_it_from_a_private_file(bench: Bench) -> None:
    bench.has("screen", READS_FILE)
    assert Clipboard(bench.environ(STY="1.pts-0.host")).take(TEXT) == IN_SCREEN
    assert bench.taken.read_text() == TEXT
    assert bench.log.read_text() == "screen -X readbuf\n"


def test_an_old_tmux_has_a_buffer_only(bench: Bench) -> None:
    bench.has("tmux", '#!/bin/sh\n[ "$2" = -w ] && exit 1\ncat >"{taken}"\n')
    assert Clipboard(bench.environ(TMUX="/tmp/x,1,0")).take(TEXT) == IN_TMUX
    assert bench.taken.read_text() == TEXT


@pytest.mark.parametrize("environ", [{}, {"TMUX": "/nowhere,1,0", "STY": "x"}, {"DISPLAY": ":77"}])
def test_else_only_the_terminal_is_left(bench: Bench, environ: dict[str, str]) -> None:
    for name in ("xclip", "xsel", "tmux", "screen"):
        bench.has(name, FAILS)
    assert Clipboard(bench.environ(**environ)).take(TEXT) is None
    assert SENT.sentence("the text") == "Sent the text to the terminal's clipboard (OSC 52)"


LINE = '{"type":"message","id":"evt-77","role":"user","content":"hello there"}\n'


def _sit(tmp_path: Path, words: list[str]) -> Seat:
    folder = tmp_path / "root" / "projects" / "p"
    folder.mkdir(parents=True)
    (folder / "s.jsonl").write_text(LINE)
    environ = {
        "TERM": "xterm-256color",
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
    }
    seat = Seat(words, environ, tmp_path)
    seat.resize(24, 130)
    return seat


def _program(program: str, tmp_path: Path) -> list[str]:
    places = ["--cache-dir", str(tmp_path / "c"), "--data-dir", str(tmp_path / "d")]
    return [program, "--root", str(tmp_path / "root"), *places]


def _copies(seat: Seat) -> None:
    """Copy the event id of the only event."""
    seat.sees(b"hello there")
    seat.types(b"\r")
    seat.sees(b"Back")
    assert seat.until(lambda: b"--:--:--" in seat.printed)  # the row of the event is there
    seat.types(b"\r")
    seat.types(b"y")


def test_the_terminal_is_sent_what_nothing_else_takes(tmp_path: Path, program: str) -> None:
    seat = _sit(tmp_path, _program(program, tmp_path))
    try:
        _copies(seat)
        seat.sees(b"\x1b]52;c;")
        seat.sees(b"Sent the event id")
        assert b"Copied" not in seat.printed
        seat.types(b"\x11")
        assert seat.ends() == 0
    finally:
        seat.leave()


@pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")
@pytest.mark.parametrize("sends", ["on", "external", "off"])
def test_in_tmux(tmp_path: Path, program: str, sends: str) -> None:
    config = tmp_path / "tmux.conf"
    config.write_text(f"set -s set-clipboard {sends}\nset -g status off\n")
    tmux = [shutil.which("tmux") or "", "-u", "-f", str(config), "-S", str(tmp_path / "s")]
    words = [*tmux, "new-session", *_program(program, tmp_path)]
    seat = _sit(tmp_path, words)
    try:
        _copies(seat)
        seat.sees(b"Copied the event id")
        buffer = subprocess.run([*tmux, "show-buffer"], capture_output=True, check=True).stdout
        assert buffer.strip()
        sent = b"]52;" in seat.printed
        assert sent == (sends != "off")
        seat.sees(b"buffer")
        assert (b"OSC" in seat.printed) == (sends != "off")
        if sent:
            seat.until(lambda: base64.b64encode(buffer) in seat.printed)
            assert base64.b64encode(buffer) in seat.printed
        seat.types(b"\x11")
        seat.ends()
    finally:
        subprocess.run([*tmux, "kill-server"], check=False, capture_output=True)
        seat.leave()
