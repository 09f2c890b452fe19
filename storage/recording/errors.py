"""What goes wrong when a session is recorded or resumed: one family of errors, a sentence each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


class RecordingError(Exception):
    """Why something was not recorded or resumed, in one sentence."""


class RecordRefused(RecordingError):
    """The record itself cannot be written as asked; nothing was touched."""


class NotKept(RecordingError):
    """The system did not take a record, or did not give what was to be read.

    `__cause__` is its error, where it said so: no room, no permission, no such file; others held
    the lock for too long. After a record, the file is as it was or, where even that could not be
    had, ends in a torn line. Nothing was written where something was to be read.
    """


class CannotContinue(RecordingError):
    """The file may not be appended to; nothing was touched. A new file has to be begun.

    A recorder's `continuing` does so after a torn line, and nothing does after broken evidence.
    """


class TornTail(CannotContinue):
    """The file's last line is not whole; what stands before it can be trusted.

    A recorder's `continuing` goes on from there, in a new file.
    """


class Untrusted(CannotContinue):
    """The file's evidence is broken: it can be neither continued nor resumed."""


@contextmanager
def readable(path: str | os.PathLike[str]) -> Iterator[None]:
    """Tell what the system has against reading a file, as NotKept."""
    try:
        yield
    except OSError as error:
        raise NotKept(f"{path} cannot be read: {error.strerror or error}.") from error
