"""What CodeBuddy's snapshots and backups say about a file before a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.event import Event
from ...model.evidence import TOLERANCE, Before
from ...records.fields import mapping, milliseconds, string
from .backups import backup_of, first_backups

if TYPE_CHECKING:
    from ...files.disk import Look
    from ...folds.responses import LostFile
    from ...review.trail import Trail
    from ...transcript.transcript import Transcript

Entry = dict[str, Any]


class _Backup(NamedTuple):
    """A backup of a file from before a call."""

    name: str | None
    """The name of the backup: foreign. None if the file did not exist."""


def before(trail: Trail, look: Look) -> Before:
    """Return what is known about a call's file: its backup, else whether it existed."""
    backup, transcript = _backup(trail), trail.transcript
    content = None
    if backup is not None and backup.name is not None:
        sessions = (transcript.session, trail.session)
        content = backup_of(transcript.path, sessions, backup.name)
    existed = trail.existed_if_gone(look) if backup is None else backup.name is not None
    is_alone = content is None or trail.is_alone()
    return Before(trail.action.at, look.modified_at, existed, content, is_alone=is_alone)


def backup(transcript: Transcript, lost: LostFile) -> bytes | None:
    """Return what a file held before a response that was cut off changed it."""
    names = (lost.backup,) if lost.backup else first_backups(lost.path, transcript.directory)
    sessions = (transcript.session, transcript.facts.inner_session)
    found = (backup_of(transcript.path, sessions, name) for name in names)
    return next((data for data in found if data is not None), None)


def _backup(trail: Trail) -> _Backup | None:
    """Return the backup in the snapshot after the call; None if none was made for it.

    A snapshot lists every file tracked so far, so an entry may describe the contents before an
    older change.
    """
    entries = (_entry(trail, event) for event in trail.snapshots_after())
    entry = next((entry for entry in entries if entry is not None), None)
    if entry is None or not _is_made_for_call(trail, entry):
        return None
    return _Backup(string(entry.get("backupFileName")))


def _is_made_for_call(trail: Trail, entry: Entry) -> bool:
    last = trail.snapshot_before()
    if last is not None and _entry(trail, last) == entry:
        return False
    made, at = milliseconds(entry.get("backupTime")), trail.action.at
    return made is None or at is None or made >= at - TOLERANCE


def _entry(trail: Trail, event: Event) -> Entry | None:
    tracked = mapping(mapping(event.record.get("snapshot")).get("trackedFileBackups"))
    ours = (path for path in tracked if trail.is_ours(path, event))
    return next((entry for path in ours if type(entry := tracked[path]) is dict), None)
