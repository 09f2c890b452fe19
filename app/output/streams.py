"""Standard input, output and error, as whoever started the program left them.

Any of them may be closed, on a full disk, or a pipe whose reader is gone.
"""

from __future__ import annotations

import os
import select
import stat
import sys
from contextlib import suppress
from errno import EBADF, EIO, EPIPE
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import TextIO

INPUT, OUTPUT, ERRORS = 0, 1, 2


class OutputError(Exception):
    """Nothing more can be written to standard output; not an OSError, which means a file."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error)
        # A terminal that was closed answers EIO, and so does a failing disk.
        self.has_no_reader = error.errno == EPIPE or (error.errno == EIO and _is_device(OUTPUT))
        reason = error.strerror or str(error)
        self.sentence = f"cannot write the output: {reason[:1].lower()}{reason[1:]}."


class _Output(TextIOWrapper):
    """Standard output, which says by its own exception that it cannot be written.

    Not below the buffer: an interrupt in there would have Python write the same once more.
    """

    is_closed = False
    """Whether it was closed from the start, so that what is written would be lost unnoticed."""

    def write(self, text: str, /) -> int:
        try:
            if self.is_closed:
                raise OSError(EBADF, "standard output is closed")
            return super().write(text)
        except OSError as error:
            raise _lost(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise _lost(error) from None


def _lost(error: OSError) -> OutputError:
    lost = OutputError(error)
    # Python flushes once more while it exits, and would complain a second time.
    discard(OUTPUT)
    return lost


class _Errors(TextIOWrapper):
    """Standard error: where it cannot be written, nobody can be told so."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError:
            discard(ERRORS)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            discard(ERRORS)


def check_reader() -> None:
    """Raise OutputError where the pipe or terminal that output leads to has no other end any more.

    Who writes seldom would not notice.
    """
    if not hasattr(select, "poll"):  # Windows
        return
    with suppress(OSError, ValueError):  # standard output is no file
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        if any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0)):
            raise _lost(BrokenPipeError(EPIPE, os.strerror(EPIPE)))


def _is_device(fd: int) -> bool:
    return stat.S_ISCHR(os.fstat(fd).st_mode)


def discard(fd: int) -> None:
    """Let a stream lead nowhere from now on."""
    null = os.open(os.devnull, os.O_WRONLY)
    if null != fd:
        os.dup2(null, fd)
        os.close(null)


def open_streams() -> None:
    """Have all three streams, in place of those that were closed one that leads nowhere.

    Otherwise the next file that is opened, a database say, would take the place of standard output.
    A name or title that the locale cannot write ends no command; to programs goes UTF-8.
    """
    closed = [fd for fd in (INPUT, OUTPUT, ERRORS) if _occupied(fd)]
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    sys.stdout = _text(sys.stdout, sys.__stdout__, OUTPUT, _Output)
    sys.stderr = _text(sys.stderr, sys.__stderr__, ERRORS, _Errors)
    if OUTPUT in closed and isinstance(sys.stdout, _Output):
        sys.stdout.is_closed = True


def _occupied(fd: int) -> bool:
    """Whether a stream was closed; it leads nowhere from now on."""
    try:
        os.fstat(fd)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
        return True
    return False


def _text(
    stream: TextIO | None, own: TextIO | None, fd: int, kind: type[_Output | _Errors]
) -> TextIO:
    """A stream of ours in place of Python's own; another one, a test's say, stays."""
    if stream is not own and stream is not None:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
        return stream
    is_terminal = os.isatty(fd)
    return kind(
        BufferedWriter(FileIO(fd, "w", closefd=False)),
        encoding=stream.encoding if stream and is_terminal else "utf-8",
        errors="replace",
        line_buffering=is_terminal or fd == ERRORS,
    )


def say(sentence: str) -> None:
    """Print a sentence on standard error, after what was printed; not if the reader is gone.

    Raises OutputError where the reader of standard output has gone.
    """
    sys.stdout.flush()
    print(f"sessions: {printable(sentence)}", file=sys.stderr)


def printable(text: str, limit: int = 4_000) -> str:
    """One line of foreign text that cannot steer the terminal."""
    from ...storage.text.safe_text import one_line

    return one_line(text, limit)
