"""A command that has this terminal to itself until it ends, without a shell in between.

What one types belongs to the command: ctrl+c ends it and not us. However it ends, the terminal is
afterwards as it was before.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from .child_end import wait
from .tty import terminal_kept

IGNORED = ("SIGINT", "SIGQUIT")
"""What the terminal sends to all who use it, and means the command."""

PASSED_ON = ("SIGTERM", "SIGHUP")
"""What tells us to end, and the command with us."""

NOT_STARTED = 127
"""The exit code that shells give to what they cannot run."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int = 0
    """Its exit code; 128 and the signal's number where a signal ended it."""
    problem: str = ""
    """What went wrong, to follow the command's name; "" where nothing did."""
    started: bool = True

    @property
    def was_stopped(self) -> bool:
        """Whether its person stopped it, as far as that can be told."""
        return self.code == 128 + signal.SIGINT


LIVES_ON = Ended(128 + 1, "goes on without its terminal")
"""The command heeds no hang-up; we do."""

Handler = Callable[[int, FrameType | None], object] | signal.Handlers

Changes = Mapping[str, str | None]
"""Variables of the environment to set, or with None to take away."""


def run_here(
    command: Sequence[str],
    cwd: str,
    changes: Changes,
    after: Callable[[Ended], object] = lambda ended: None,
) -> Ended:
    """Run a command to its end in a directory. What keeps it from starting is told, not raised.

    `after` is called with the terminal taken back; ctrl+c cuts it short. When we were told to end
    meanwhile, that is heard again at last.
    """
    with _signals_kept() as heard:
        with terminal_kept():
            ended = _run(command, cwd, changes, heard)
        if heard.told is None:
            with suppress(KeyboardInterrupt):
                heard.interrupts = True
                after(ended)
    if heard.told is not None:
        signal.raise_signal(heard.told)
    return ended


class _Heard:
    """Signals heard while a command runs, passed on to it where they mean it, too."""

    def __init__(self) -> None:
        self.told: int | None = None
        """The signal by which we were told to end."""
        self.interrupts = False
        """Whether the command has ended and signals mean us."""
        self._child: subprocess.Popen[bytes] | None = None

    def attend(self, child: subprocess.Popen[bytes]) -> None:
        """Pass on to this child, also what was heard before it was there."""
        self._child = child
        if self.told is not None:
            self._pass_on(self.told)

    def ignore(self, number: int, frame: FrameType | None) -> None:
        """Leave it to the command, which hears it as well."""
        if self.interrupts:
            raise KeyboardInterrupt

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Remember that we are to end, and have the command end."""
        self.told = number
        if self.interrupts:
            raise KeyboardInterrupt
        if self._child:
            self._pass_on(number)

    def lose_terminal(self) -> None:
        """Have all end whose terminal has gone; the system tells only who leads the session."""
        if self.told is None and self._child:
            self.told = signal.SIGHUP
            self._pass_on(signal.SIGHUP)

    def _pass_on(self, number: int) -> None:
        """Tell the command; where it has a group of its own, also what it started in there."""
        child = self._child
        if child is None or child.poll() is not None:
            return
        with suppress(OSError):
            if (group := os.getpgid(child.pid)) != os.getpgrp():
                os.killpg(group, number)
            elif number == getattr(signal, "SIGHUP", None):
                self._hang_up(group)
        child.send_signal(number)

    def _hang_up(self, group: int) -> None:
        """Tell all whom our shell started with us, as it would do itself."""
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            os.killpg(group, signal.SIGHUP)
        finally:
            signal.signal(signal.SIGHUP, before)


def _run(command: Sequence[str], cwd: str, changes: Changes, heard: _Heard) -> Ended:
    try:
        child = subprocess.Popen(command, cwd=cwd, env=_environment(changes, cwd))
    except OSError as error:
        reason = f"{error.filename or command[0]}: {error.strerror or error}"
        return Ended(NOT_STARTED, f"cannot be started: {reason}", started=False)
    except ValueError as error:  # a NUL, or what no file name can hold
        return Ended(NOT_STARTED, f"cannot be started: {error}", started=False)
    heard.attend(child)
    code = wait(child, heard.lose_terminal)
    return LIVES_ON if code is None else _ended(code)


def _environment(changes: Changes, cwd: str) -> dict[str, str]:
    """Our environment as the command gets it; who asks it for the directory hears the truth."""
    changed = {**os.environ, **changes, "PWD": cwd}
    return {name: value for name, value in changed.items() if value is not None}


def _ended(code: int) -> Ended:
    if code >= 0:
        return Ended(code, f"ended with exit code {code}" if code else "")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return Ended(128 - code, f"was ended by {name}")


@contextmanager
def _signals_kept() -> Iterator[_Heard]:
    """Have signals reach the command and not the event loop.

    By handlers and not by SIG_IGN, which the command would inherit.
    """
    heard = _Heard()
    wanted: dict[str, Handler] = dict.fromkeys(IGNORED, heard.ignore)
    wanted |= dict.fromkeys(PASSED_ON, heard.hear)
    wanted["SIGTSTP"] = signal.SIG_DFL  # the system knows whether there is a shell to go to
    wakeup = signal.set_wakeup_fd(-1)
    before = {
        number: signal.signal(number, handler)
        for name, handler in wanted.items()
        if (number := getattr(signal, name, None)) is not None
    }
    try:
        yield heard
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
