"""Files that continue one another, and how they are named.

A file whose first record has `continues: "<session>"` continues the file of that session in the
same directory. The files of one recording are `<session>.jsonl`, `<session>_2.jsonl`,
`<session>_3.jsonl`; a file with such a name but without `continues` is a separate session.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path

from ..agents.mycodeagent import reader as mycodeagent
from ..agents.mycodeagent.stores import PREFIX, TRANSCRIPTS
from ..files.lines import opened
from ..model.event import CONTINUES, Event, Record
from ..model.store import SUFFIX
from ..text.folding import well_formed
from ..transcript.format import head_records
from ..transcript.transcript import Transcript
from .directories import is_there
from .errors import RecordRefused, readable

LIMIT = 10_000
"""Maximum records per file before a session continues in the next one."""

_EFFECTIVE = os.access in os.supports_effective_ids
"""Whether access can be checked with the effective user id, as `open` does."""

_NUMBERED = re.compile(r"(.+)_([2-9]|[1-9]\d+)", re.DOTALL)


def chain_of(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the files that lead up to a transcript, oldest first, ending with itself.

    Reads only first records. A chain begins at the file that continues nothing, or whose
    predecessor does not exist. Yields nothing if the transcript itself does not exist. Raises
    NotKept if one cannot be read.
    """
    found: list[Path] = []
    with readable(path):
        at: Path | None = real_path(path)
        while at is not None and at not in found and is_there(at) and at.is_file():
            found.append(at)
            at = predecessor(at)
    yield from reversed(found)


def real_path(path: str | os.PathLike[str]) -> Path:
    """Return a transcript's path with a symbolic link resolved, next to its other files.

    Raises OSError for a path that no file can have.
    """
    try:
        is_name = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_name = False
    if not is_name:
        raise OSError(errno.EINVAL, "no file can be named so")
    return Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)  # noqa: PTH114


def newest_of(path: str | os.PathLike[str]) -> Path:
    """Return the last file of the recording that a transcript belongs to, by numbered names."""
    path = real_path(path).absolute()
    seen = {path}
    while (after := successor(path)) is not None and after not in seen:
        seen.add(after)
        path = after
    return path


def predecessor(path: Path) -> Path | None:
    """Return the file that a transcript continues, even if it does not exist; None if none."""
    record = first_record(path)
    session = _continues(record)
    return None if session is None else path_of(session, path, _prefix(path, record))


def continues_of(path: Path) -> str | None:
    """Return the session that a transcript's first record continues; None if there is none."""
    return _continues(first_record(path))


def session_of(path: Path) -> str:
    """Return the session id of a transcript."""
    return path.stem.removeprefix(_prefix(path, first_record(path)))


def path_of(session: str, beside: Path, prefix: str) -> Path:
    """Return the path of a session in the directory of another file."""
    return beside.with_name(f"{prefix}{session}{SUFFIX}")


def numbered_paths(path: Path) -> Iterator[Path]:
    """Yield the possible names of files that continue a transcript, in order, without end."""
    stem, first = path.stem, 2
    match = _NUMBERED.fullmatch(stem)
    if match and continues_of(path) is not None:
        stem, first = match[1], int(match[2]) + 1
    return (path_of(f"{stem}_{number}", path, "") for number in count(first))


def successor(path: Path) -> Path | None:
    """Return the next file of a recording; None if there is none."""
    session = session_of(path)
    for name in numbered_paths(path):
        if os.path.lexists(name):
            if continues_of(name) == session:
                return name
        elif not is_lost(name):
            return None
    return None


def lost_of(path: Path) -> Path | None:
    """Return a missing file that follows a transcript and that a later file continues; or None."""
    for name in numbered_paths(path):
        if is_lost(name):
            return name
        if not os.path.lexists(name):
            return None
    return None


def is_lost(path: Path) -> bool:
    """Return whether a numbered file is missing although a later one continues it.

    Its name is not reused: the new file would be mistaken for it.
    """
    match = _NUMBERED.fullmatch(path.stem)
    if match is None or os.path.lexists(path):
        return False
    for number in count(int(match[2]) + 1):
        later = path_of(f"{match[1]}_{number}", path, "")
        if not os.path.lexists(later):
            return False
        if predecessor(later) == path:
            return not os.path.lexists(path)  # both may have been created since
    return False


def _prefix(path: Path, record: Record) -> str:
    is_prefixed = path.name.startswith(PREFIX) and mycodeagent.recognises(record)
    return PREFIX if is_prefixed else ""


def first_record(path: Path) -> Record:
    """Return the first record of a transcript; an empty one if it has none.

    Raises OSError if the file exists but cannot be read: mistaking it for one that continues
    nothing would make the recording go on in the wrong place.
    """
    if not is_there(path) or not path.is_file():
        return {}
    with opened(path) as fd:
        return next(head_records(fd, os.fstat(fd).st_size, 1), {})


def free_names(path: Path) -> Iterator[Path]:
    """Yield the names that a file which continues a transcript may get, in order.

    Includes those of empty files, but not of files with other contents, or of anything else.
    """
    return (name for name in numbered_paths(path) if _is_free(name) and not is_lost(name))


def is_begun(path: str) -> bool:
    """Return whether a name is in use. Called before each append, when it is almost always free."""
    return os.access(path, os.F_OK, effective_ids=_EFFECTIVE) and not _is_free(Path(path))


def _is_free(path: Path) -> bool:
    return not is_there(path) or (path.is_file() and path.stat().st_size == 0)


def _continues(record: Record) -> str | None:
    said = record.get(CONTINUES)
    return said if isinstance(said, str) and is_session_name(said) else None


def is_session_name(session: str) -> bool:
    """Return whether a session id can be a file name in the same directory, without leaving it."""
    is_plain = well_formed(session) == session and not {"/", "\\", "\0"} & set(session)
    return is_plain and bool(session)


_LONGEST_NAME = 255
"""Maximum length of a name in common file systems, in bytes."""

_ROOM = len(".") + len("_1000000") + len(".lock")
"""Bytes of a name reserved for the number of a later file, and for the lock."""


def check_name(path: Path, prefix: str) -> None:
    """Raise RecordRefused if a transcript cannot have this name."""
    name = path.name
    if not name.endswith(SUFFIX) or name in (SUFFIX, f"{prefix}{SUFFIX}"):
        raise RecordRefused(f"{name!a} is not the name of a transcript: it ends in {SUFFIX}.")
    is_agents = path.absolute().parts[-3:-1] == TRANSCRIPTS.parts
    if is_agents and not (prefix and name.startswith(prefix)):
        raise RecordRefused(
            f"{name!a} would not be found: {TRANSCRIPTS} is for MyCodeAgentRecorder and files "
            f"called {PREFIX}NAME{SUFFIX}."
        )
    if not is_session_name(path.stem):
        raise RecordRefused(f"{path.stem!a} cannot be the name of a session.")
    if len(os.fsencode(name)) > _LONGEST_NAME - _ROOM:
        raise RecordRefused(f"{name[:20]!a}… is too long for the name of a transcript.")


def read_whole(path: Path) -> Transcript:
    """Return a transcript, read to its end. Raises OSError."""
    transcript = Transcript(path, session_of(path))
    transcript.read(ledger=False)
    return transcript


def events_of(path: Path) -> Iterator[Event]:
    """Return all events of a file. Raises OSError."""
    transcript = read_whole(path)
    return chain(transcript.events(), transcript.tail())
