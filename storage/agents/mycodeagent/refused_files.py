"""Which transcripts of a project MyCodeAgent's loader rejects, and why it then resumes nothing.

It reads all transcripts of the project before it resumes one, so a single unreadable one blocks
every resume. Costs reading those files; none is changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import orjson

from ...files.lines import opened, pread, split
from ...folds.integrity import chain_for
from ...model.event import Place
from ...records.parsing import ending_of, is_blank, read_line
from . import AGENT
from .integrity import REFUSES, is_refused
from .reader import recognises
from .stores import PREFIX, session_of

LARGEST = 64 << 20
"""Maximum bytes of a transcript to check; larger ones are not reported."""


class RefusedFile(NamedTuple):
    """A transcript that MyCodeAgent cannot read."""

    path: Path
    reason: str
    """The end of a sentence."""


def refused_in(folder: Path) -> list[RefusedFile]:
    """Return the transcripts of a project that its agent cannot read, by name."""
    try:
        paths = sorted(folder.glob(f"{PREFIX}*.jsonl"))
    except OSError:
        return []
    return [RefusedFile(path, reason) for path in paths if (reason := _refusal(path))]


def _refusal(path: Path) -> str:
    """Return why a transcript is rejected; "" if it is read, or skipped as it names no session."""
    try:
        if not path.is_file():
            return "it is no file"
        with opened(path) as fd:
            size = os.fstat(fd).st_size
            data = pread(fd, size, 0) if size <= LARGEST else b""
        return _of_text(data) or _of_records(path, data)
    except OSError as error:
        return f"it cannot be read: {error.strerror or error}"


def _of_text(data: bytes) -> str:
    """Return why a transcript is rejected as text, which the loader decodes first."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return "its last line was cut inside a character"
        return "it is not valid UTF-8"
    is_odd = any(not isinstance(record, dict) for record in _until_named(text))
    return "a line is no record" if is_odd else ""


def _until_named(text: str) -> Iterator[object]:
    """Yield the values of the lines, up to the first that names the session."""
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        try:
            record = orjson.loads(line) if line.strip() else None
        except orjson.JSONDecodeError:
            continue
        if record is not None:
            yield record
        if isinstance(record, dict) and record.get("session_id"):
            return


def _of_records(path: Path, data: bytes) -> str:
    """Return why a transcript is rejected record by record."""
    records = [one for one in _until_named(data.decode()) if isinstance(one, dict)]
    inner = AGENT.reader.session_in(records[-1]) if records else None
    if not any(map(recognises, records)):
        return "its records are in another format" if inner else ""
    end, session = data.rfind(b"\n") + 1, session_of(path)
    chain, lines = chain_for(AGENT, session), 0
    for line in split(data[:end], 0, lone_cr=True):
        lines += 1
        if is_blank(line.data):
            chain.blank(lines)
        else:
            place = Place(session, None, line.offset, len(line.data), inner)
            chain.add(read_line(line.data, place, AGENT), lines)
    ending = ending_of(data[end:], end, strict=True)
    for number, line in ending.lines:
        place = Place(session, None, line.offset, len(line.data), inner)
        chain.add(read_line(line.data, place, AGENT), lines + number)
    integrity = chain.verdict(ending.state)
    return integrity.detail.removeprefix(REFUSES) if is_refused(integrity) else ""
