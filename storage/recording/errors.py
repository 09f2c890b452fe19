"""Errors of recording and resuming: one hierarchy, each with a message of one sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


class RecordingError(Exception):
    """Why something was not recorded or resumed, in one sentence."""


class RecordRefused(RecordingError):
    """The record cannot be written as requested; nothing was changed."""


class NotKept(RecordingError):
    """The system did not store a record, or could not read what was requested.

    `__cause__` is the system's error, if there is one: no space, no permission, no such file. There
    is none if others held the lock for too long. After a failed write the file is as before or, if
    even that could not be restored, ends in a torn line. A failed read changes nothing.
    """


class CannotContinue(RecordingError):
    """The file must not be appended to; nothing was changed. A new file is required.

    A recorder's `continuing` starts one after a torn line; a corrupt transcript cannot be
    continued.
    """


class TornTail(CannotContinue):
    """The file's last line is incomplete; everything before it can be trusted.

    A recorder's `continuing` goes on in a new file.
    """


class Untrusted(CannotContinue):
    """The transcript is corrupt: it can be neither continued nor resumed."""


@contextmanager
def readable(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise NotKept for an OSError while a file is read."""
    try:
        yield
    except OSError as error:
        raise NotKept(f"{path} cannot be read: {error.strerror or error}.") from error
