"""Runs a command that has the terminal to itself until it ends, without a shell.

Input belongs to the command: ctrl+c ends it, not this program. However it ends, the terminal is
then restored to its previous state.
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
"""Signals the terminal sends to the whole group, meant for the command."""

PASSED_ON = ("SIGTERM", "SIGHUP")
"""Signals that tell this program to end, and the command with it."""

NOT_STARTED = 127
"""The exit code of shells for a command that cannot be run."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int = 0
    """Its exit code; 128 plus the signal's number if a signal ended it."""
    problem: str = ""
    """What went wrong, as a predicate to follow the command's name; "" if nothing did."""
    started: bool = True

    @property
    def was_stopped(self) -> bool:
        """Whether the user stopped it, as far as can be determined."""
        return self.code == 128 + signal.SIGINT


LIVES_ON = Ended(128 + 1, "goes on without its terminal")
"""The command ignores the hang-up; this program does not."""

Handler = Callable[[int, FrameType | None], object] | signal.Handlers

Changes = Mapping[str, str | None]
"""Environment variables to set, or to unset if None."""


def run_here(
    command: Sequence[str],
    cwd: str,
    changes: Changes,
    after: Callable[[Ended], object] = lambda ended: None,
) -> Ended:
    """Run a command to its end in a directory. A failure to start is returned, not raised.

    `after` is called once the terminal is ours again; ctrl+c interrupts it. If this program was
    told to end meanwhile, it receives that signal again at the end.
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
    """Signals received while a command runs; those meant for it are passed on."""

    def __init__(self) -> None:
        self.told: int | None = None
        """The signal that told this program to end."""
        self.interrupts = False
        """Whether the command has ended, so that signals are meant for this program."""
        self._child: subprocess.Popen[bytes] | None = None

    def attend(self, child: subprocess.Popen[bytes]) -> None:
        """Pass signals on to this child, including any received before it existed."""
        self._child = child
        if self.told is not None:
            self._pass_on(self.told)

    def ignore(self, number: int, frame: FrameType | None) -> None:
        """Leave the signal to the command, which receives it as well."""
        if self.interrupts:
            raise KeyboardInterrupt

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Remember that this program is to end, and end the command."""
        self.told = number
        if self.interrupts:
            raise KeyboardInterrupt
        if self._child:
            self._pass_on(number)

    def lose_terminal(self) -> None:
        """End everything on the lost terminal; the system only tells the session leader."""
        if self.told is None and self._child:
            self.told = signal.SIGHUP
            self._pass_on(signal.SIGHUP)

    def _pass_on(self, number: int) -> None:
        """Signal the command; if it leads a process group of its own, the whole group."""
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
        """Send a hang-up to our whole process group, as the shell would."""
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
    except ValueError as error:  # a NUL, or something no file name can contain
        return Ended(NOT_STARTED, f"cannot be started: {error}", started=False)
    heard.attend(child)
    code = wait(child, heard.lose_terminal)
    return LIVES_ON if code is None else _ended(code)


def _environment(changes: Changes, cwd: str) -> dict[str, str]:
    """Return the command's environment; PWD is set to its actual directory."""
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
    """Direct signals to the command instead of the event loop.

    Uses handlers rather than SIG_IGN, which the command would inherit.
    """
    heard = _Heard()
    wanted: dict[str, Handler] = dict.fromkeys(IGNORED, heard.ignore)
    wanted |= dict.fromkeys(PASSED_ON, heard.hear)
    wanted["SIGTSTP"] = signal.SIG_DFL  # the system knows whether there is a shell to return to
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
