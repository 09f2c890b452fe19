"""What the disk shows about an unrecorded effect: the file compared with its backup, and when."""

from __future__ import annotations

from typing import NamedTuple

from ..files.disk import Look, look_at
from ..folds.responses import LostFile
from ..model.action import Action
from ..model.durations import precise
from ..model.edits import Change, Edit
from ..model.evidence import Evidence, Inspection, Suggestion
from ..text.paths import spelled
from ..transcript.transcript import Transcript
from .reasons import of_link

TOLERANCE = 1_000
"""How much older than the response, in milliseconds, a file changed by it may appear."""

LATE = 10 * 60_000
"""Milliseconds after the last record from which a change is more likely someone else's."""

DIFFERED = 200_000
"""Maximum bytes of a file and its backup for which the difference is shown."""

NAMED = "A snapshot names it, but no recorded call does"
SEEN = "No recorded call accounts for it"

NOT_MADE = "no backup of the file was made, and it does not exist now."
MADE = "no backup of the file was made, as of a new one, and it was written since."
MADE_BEFORE = "the file is there, but it is older than the response."
EMPTY = "the file is empty, as one is that was being written."
GONE = "the file existed before the response and is gone now."
NO_BACKUP = "its backup cannot be read, so what changed is not known."
UNWRITTEN = "the file was not written since the response began."
AS_BACKED_UP = "the file is the same as its backup."
BACKED_UP_LATE = "the file is the same as its backup, which may have been made after the change."
OLDER = "the file differs from its backup, but it was last written before the response began."
CHANGED = "the file differs from its backup."


class _Found(NamedTuple):
    suggests: Suggestion
    words: str


def inspect_effect(transcript: Transcript, action: Action, now: int) -> Inspection:
    """Return the evidence on an unrecorded effect; `now` is in milliseconds since 1970."""
    path = action.path or ""
    look = look_at(path, transcript.directory)
    if action.found == "directory":
        reason = f"{SEEN}: {_when(look, transcript)}"
        return Inspection(_evidence(path, "changed-since", reason, look, now))
    lost = transcript.facts.responses.named.get(spelled(path))
    if look.problem or lost is None:
        reason = look.problem or f"{NAMED}."
        return Inspection(_evidence(path, "unknown", reason, look, now))
    backup = transcript.agent.backup
    before = backup(transcript, lost) if backup else None
    found = _compared(transcript, lost, look, before)
    reason = f"{NAMED}: {found.words}{_lateness(look, transcript)}"
    reason = of_link(look.target, reason) if look.target else reason
    edit = _difference(path, lost, look, before)
    return Inspection(_evidence(path, found.suggests, reason, look, now), edit=edit)


def is_late(transcript: Transcript, modified_at: int | None) -> bool:
    """Return whether a file was modified too long after the last record to be attributed to it."""
    last = _last_at(transcript)
    return modified_at is not None and last is not None and modified_at > last + LATE


def is_late_effect(transcript: Transcript, action: Action, evidence: Evidence | None) -> bool:
    """Return whether an effect is low priority because someone else may have changed the file."""
    modified_at = evidence.modified_at if evidence else None
    return action.found == "directory" and is_late(transcript, modified_at)


def _compared(transcript: Transcript, lost: LostFile, look: Look, before: bytes | None) -> _Found:
    if lost.backup is None and before is None:
        return _made(transcript, look)
    if not look.exists:
        return _Found("changed-since", GONE)
    is_older = _is_older(transcript, look)
    if before is None:
        return _Found("not-applied", UNWRITTEN) if is_older else _Found("unknown", NO_BACKUP)
    if look.data != before:
        return _Found("ambiguous", OLDER) if is_older else _written(look, CHANGED)
    if is_older or is_late(transcript, look.modified_at):
        return _Found("not-applied", AS_BACKED_UP)
    # Parallel calls cause several backups of a file, the last possibly after the change.
    return _Found("ambiguous", BACKED_UP_LATE)


def _made(transcript: Transcript, look: Look) -> _Found:
    if not look.exists:
        return _Found("not-applied", NOT_MADE)
    if _is_older(transcript, look):
        return _Found("ambiguous", MADE_BEFORE)
    return _written(look, MADE)


def _written(look: Look, words: str) -> _Found:
    """Return that a file was changed; unknown if it is empty: the write may have been cut off."""
    return _Found("unknown", EMPTY) if look.size == 0 else _Found("applied", words)


def _difference(path: str, lost: LostFile, look: Look, before: bytes | None) -> Edit | None:
    """Return what changed since the backup, as an edit; None if nothing did, or it is not text."""
    is_new = lost.backup is None and before is None
    old, new = b"" if is_new else before, look.data
    if old is None or new is None or old == new or len(old) + len(new) > DIFFERED:
        return None
    try:
        texts = old.decode(), new.decode()
    except UnicodeDecodeError:
        return None
    return Edit(path, (Change(None if is_new else texts[0], texts[1]),))


def _is_older(transcript: Transcript, look: Look) -> bool:
    cut = transcript.facts.responses.cut
    if cut is None or cut.at is None or look.modified_at is None:
        return False
    return look.modified_at < cut.at - TOLERANCE


def _last_at(transcript: Transcript) -> int | None:
    cut = transcript.facts.responses.cut
    times = (transcript.facts.updated_at, cut.at if cut else None)
    return max((time for time in times if time is not None), default=None)


def _when(look: Look, transcript: Transcript) -> str:
    last = _last_at(transcript)
    if look.modified_at is None or last is None:
        return "the file is gone now."
    if look.modified_at <= last:
        return "the file was changed while the session's last response was written."
    passed = precise(look.modified_at - last)
    return f"the file was changed {passed} after the last record{_doubt(look, transcript)}."


def _lateness(look: Look, transcript: Transcript) -> str:
    """Return a note for a file modified long after the session's last record; "" otherwise."""
    last = _last_at(transcript)
    if last is None or look.modified_at is None or not is_late(transcript, look.modified_at):
        return ""
    return f" It was last written {precise(look.modified_at - last)} after the last record" + (
        f"{_doubt(look, transcript)}."
    )


def _doubt(look: Look, transcript: Transcript) -> str:
    return ", perhaps by someone else" if is_late(transcript, look.modified_at) else ""


def _evidence(path: str, suggests: Suggestion, reason: str, look: Look, now: int) -> Evidence:
    return Evidence(
        suggests=suggests,
        reason=reason,
        path=path,
        exists=look.exists,
        size=look.size,
        sha256=look.sha256,
        modified_at=look.modified_at,
        checked_at=now,
    )
