"""Opens standard input, output and error robustly.

Any of them may be closed, on a full disk, or a pipe without a reader.
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
    """Standard output cannot be written; not an OSError, which would be reported as a file's."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error)
        # A closed terminal returns EIO, and so does a failing disk.
        self.has_no_reader = error.errno == EPIPE or (error.errno == EIO and _is_device(OUTPUT))
        reason = error.strerror or str(error)
        self.sentence = f"cannot write the output: {reason[:1].lower()}{reason[1:]}."


class _Output(TextIOWrapper):
    """Standard output that raises OutputError when it cannot be written.

    It does not override the underlying buffer: an interrupt in there would make Python write the
    same data again.
    """

    is_closed = False
    """Whether it was closed from the start, so that output would be lost silently."""

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
    # Python flushes again on exit, and would report the error a second time.
    discard(OUTPUT)
    return lost


class _Errors(TextIOWrapper):
    """Standard error; errors in writing it are ignored, as there is nowhere to report them."""

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
    """Raise OutputError if the pipe or terminal of standard output has no reader any more.

    A program that rarely writes would not notice.
    """
    if not hasattr(select, "poll"):  # Windows
        return
    with suppress(OSError, ValueError):  # standard output is not a file
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        if any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0)):
            raise _lost(BrokenPipeError(EPIPE, os.strerror(EPIPE)))


def _is_device(fd: int) -> bool:
    return stat.S_ISCHR(os.fstat(fd).st_mode)


def discard(fd: int) -> None:
    """Redirect a stream to the null device."""
    null = os.open(os.devnull, os.O_WRONLY)
    if null != fd:
        os.dup2(null, fd)
        os.close(null)


def open_streams() -> None:
    """Open all three streams, replacing closed ones with the null device.

    Otherwise the next file opened, such as a database, would become standard output. Characters
    that the locale cannot encode never end a command; pipes and files get UTF-8.
    """
    closed = [fd for fd in (INPUT, OUTPUT, ERRORS) if _occupied(fd)]
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    sys.stdout = _text(sys.stdout, sys.__stdout__, OUTPUT, _Output)
    sys.stderr = _text(sys.stderr, sys.__stderr__, ERRORS, _Errors)
    if OUTPUT in closed and isinstance(sys.stdout, _Output):
        sys.stdout.is_closed = True


def _occupied(fd: int) -> bool:
    """Return whether a descriptor was closed; if so, it now refers to the null device."""
    try:
        os.fstat(fd)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # gets the lowest unused number
        return True
    return False


def _text(
    stream: TextIO | None, own: TextIO | None, fd: int, kind: type[_Output | _Errors]
) -> TextIO:
    """Return a replacement for Python's own stream; any other, such as a test's, is kept."""
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
    """Print a sentence on standard error, after the output so far; not if the reader is gone.

    Raises OutputError if the reader of standard output is gone.
    """
    sys.stdout.flush()
    print(f"sessions: {printable(sentence)}", file=sys.stderr)


def printable(text: str, limit: int = 4_000) -> str:
    """Return foreign text as one line that cannot control the terminal."""
    from ...storage.text.safe_text import one_line

    return one_line(text, limit)
