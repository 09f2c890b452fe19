"""Large outputs, stored in separate files in the folder of their session.

The transcript contains a preview and a path. Only the plain name is taken from that path and looked
up in the session's own folder, so that no transcript can direct reads elsewhere.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from ..files.lines import opened, pread
from ..model.event import Event
from ..search.prefilter import sift
from ..text.folding import fold
from .transcript import Transcript

FOLDER = "tool-results"
"""Where the outputs of a session lie, in the folder of its name beside the transcript."""

LARGEST = 16 * 1024 * 1024
"""Bytes that are read of one."""

MOST = 10_000
"""Outputs of one session that are searched."""

_PLAIN = re.compile(r"\w[\w.@+-]{0,199}")


def with_output(path: Path, event: Event) -> Event:
    """Return a result with its full output, if that is in the folder of its session."""
    if event.kind != "result" or not (name := event.agent.reader.output_file(event)):
        return event
    text = output_of(path, name)
    return event if text is None else event.agent.reader.with_output(event, text)


def output_of(path: Path, name: str) -> str | None:
    """Return the text of an output by name, for the session at a path; None if unreadable."""
    folder = _folder(path)
    return _read(folder / name) if folder and _PLAIN.fullmatch(name) else None


def matching_outputs(
    transcript: Transcript, matches: Callable[[str], bool]
) -> Iterator[list[Event]]:
    """Yield the results whose full outputs match, one output at a time.

    Raises OSError if the transcript cannot be read.
    """
    folder = _folder(transcript.path)
    for name in _names(folder) if folder else ():
        text = _read(folder / name) if folder else None
        found: list[Event] = []
        if text is not None and matches(text):
            found.extend(_naming(transcript, name))
        yield found


def _naming(transcript: Transcript, name: str) -> Iterator[Event]:
    """Yield the results whose output is in a file."""
    with transcript.reading() as read:
        for indexes in sift(transcript, fold(name.rpartition(".")[0])):
            for index in indexes:
                if transcript.positions.kind(index) == "result":
                    event = read(index)
                    if event.kind == "result" and event.agent.reader.output_file(event) == name:
                        yield event


def _folder(path: Path) -> Path | None:
    """Return the folder with the outputs of a transcript's session; not through a link."""
    own = path.parent / path.stem
    folder = own / FOLDER
    for one in (own, folder):
        try:
            if not stat.S_ISDIR(os.lstat(one).st_mode):
                return None
        except (OSError, ValueError):
            return None
    return folder


def _names(folder: Path) -> list[str]:
    """Return the names in a folder that may be outputs."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry, _ in zip(entries, range(MOST), strict=False)]
    except OSError:
        return []
    return sorted(name for name in names if _PLAIN.fullmatch(name))


def _read(path: Path) -> str | None:
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        with opened(path) as fd:
            size = os.fstat(fd).st_size
            data = pread(fd, min(size, LARGEST), 0)
    except (OSError, ValueError):
        return None
    text = data.decode("utf-8", "replace")
    return text if size <= LARGEST else f"{text}\n… {size / 1e6:,.0f} MB in all"
