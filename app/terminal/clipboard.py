"""Copies text by whichever way works, and describes what was done.

A terminal does not confirm that it accepted the text, and many refuse it. So desktop programs are
tried first, then the buffer of tmux or screen, then the terminal.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.app import App

PATIENCE = 1.0
"""Seconds a program has to accept the text."""


@dataclass(frozen=True, slots=True)
class Handed:
    """Where a text was copied to."""

    verb: str = "Copied"
    place: str = ""

    def sentence(self, what: str, rest: str = "") -> str:
        """Return a sentence about copying `what`, ending with `rest`."""
        return f"{self.verb} {what}{self.place}{rest}"


COPIED = Handed()
SENT = Handed("Sent", " to the terminal's clipboard (OSC 52)")
IN_TMUX = Handed("Copied", " to the tmux buffer")
IN_TMUX_AND_SENT = Handed("Copied", " to the tmux buffer, sent to the terminal (OSC 52)")
IN_SCREEN = Handed("Copied", " to the screen buffer")

Way = Callable[[str], Handed | None]
"""Copies a text; returns None if that was not possible."""


class Clipboard:
    """Copies texts in the first way that works."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._stuck: set[str] = set()
        """Programs that did not end in time; each is waited for only once."""

    def take(self, text: str) -> Handed | None:
        """Copy a text; None if only the terminal itself is left to try."""
        for way in (self._to_desktop, self._to_tmux, self._to_screen):
            if handed := way(text):
                return handed
        return None

    def _to_desktop(self, text: str) -> Handed | None:
        for command in desktop_commands(self._environ):
            encoding = "utf-16" if command[0] == "clip.exe" else "utf-8"
            if self._feeds(command, text.encode(encoding, "replace")):
                return COPIED
        return None

    def _to_tmux(self, text: str) -> Handed | None:
        if not self._environ.get("TMUX"):
            return None
        data = text.encode("utf-8", "replace")
        # Since tmux 3.2; it would send even if its own settings forbid it.
        if self._tmux_sends() and self._feeds(["tmux", "load-buffer", "-w", "-"], data):
            return IN_TMUX_AND_SENT
        return IN_TMUX if self._feeds(["tmux", "load-buffer", "-"], data) else None

    def _tmux_sends(self) -> bool:
        command = ["tmux", "show-options", "-sv", "set-clipboard"]
        with suppress(OSError, subprocess.SubprocessError):
            said = subprocess.run(
                command, capture_output=True, timeout=PATIENCE, env=self._environ, check=True
            )
            return said.stdout.strip() in (b"on", b"external")
        return False

    def _to_screen(self, text: str) -> Handed | None:
        if not self._environ.get("STY"):
            return None
        with suppress(OSError), tempfile.TemporaryDirectory(prefix="sessions-") as folder:
            path = Path(folder, "text")  # in a directory private to the user
            path.write_bytes(text.encode("utf-8", "replace"))
            if self._feeds(["screen", "-X", "readbuf", str(path)], b""):
                return IN_SCREEN
        return None

    def _feeds(self, command: Sequence[str], data: bytes) -> bool:
        """Pipe bytes into a program; return whether it succeeded."""
        program = shutil.which(command[0], path=self._environ.get("PATH"))
        if program is None or program in self._stuck:
            return False
        try:
            ended = subprocess.run(
                [program, *command[1:]],
                input=data,
                stdout=subprocess.DEVNULL,  # some keep running to serve the selection
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE,
                env=self._environ,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            self._stuck.add(program)
            return False
        except (OSError, ValueError):
            return False
        return ended.returncode == 0


def desktop_commands(environ: Mapping[str, str], system: str = sys.platform) -> Iterator[list[str]]:
    """Yield programs that set the clipboard of the user's desktop, most likely first."""
    is_remote = bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))
    if environ.get("WAYLAND_DISPLAY") and not is_remote:
        yield ["wl-copy"]
    if environ.get("DISPLAY"):  # which ssh forwards
        yield ["xclip", "-selection", "clipboard"]
        yield ["xsel", "--clipboard", "--input"]
    if is_remote:  # nobody sits at the remote desktop
        return
    if system == "darwin":
        yield ["pbcopy"]
    if system == "win32" or environ.get("WSL_DISTRO_NAME"):
        yield ["clip.exe"]


def copied(app: App[Any], what: str, rest: str = "") -> str:
    """Return a sentence about the text that an app copied last."""
    handed: Handed = getattr(app, "handed", COPIED)
    return handed.sentence(what, rest)


def of_this_process() -> Clipboard:
    """Return the clipboard for this process's environment."""
    return Clipboard(dict(os.environ))
