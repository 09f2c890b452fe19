"""Effects without a record: what a dead session changed, or may have, by calls it never recorded.

Where its last response was cut off, they are found in two ways: its snapshots name files that no
call on record changes, and files in its working directory were written after its last record.
Finding the second takes a look through the directory, so it is done only where somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..folds.responses import Cut, effect_id
from ..model.action import Action, Found
from ..model.event import CODE, Event
from ..model.tools import COMMANDS, READS
from ..stores.roots import Root
from ..text.folding import well_formed
from ..text.paths import absolute, named_path, spelled
from ..transcript.transcript import Transcript
from .changed_files import ChangedFiles, changed_files

LOOK_BACK = 1000
"""Records before the last among which the calls that name a file are looked for."""

LONGEST = 10_000
"""Characters of a command in which the names of files are looked for."""

KEPT_FOR = 60_000
"""Milliseconds for which what was found is told again without another look."""

TOLERANCE = 1_000
"""Milliseconds by which a file may seem newer than the end of the call that wrote it."""

Search = Callable[[str, int, tuple[str, ...]], ChangedFiles]
"""Looks for files in a directory that were written after a time, but in some folders."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a session, as uncertain actions that have a path and no call."""

    actions: tuple[Action, ...] = ()
    missing: str = ""
    """Why there may be more of them, in one sentence; "" if there are not."""


NONE = Effects()


def effects_of(transcript: Transcript, search: Search = changed_files) -> Effects:
    """The effects without a record of a transcript that was read to its end.

    To be asked of dead sessions only: those that live may still write the record. Raises OSError
    where the transcript cannot be read.
    """
    responses = transcript.facts.responses
    cut = responses.cut
    if cut is None:
        return NONE
    named = [
        _effect(transcript, file.path, "snapshot", Cut(file.at, file.offset, file.size))
        for file in responses.lost_files
    ]
    found, missing = _changed(transcript, cut, search)
    known = {spelled(action.path or "") for action in named}
    others = [path for path in found if spelled(path) not in known]
    return Effects(
        (*named, *(_effect(transcript, path, "directory", cut) for path in others)), missing
    )


def effect_with(transcript: Transcript, id: str) -> Action | None:
    """The effect of a cut transcript with an id, whether or not anything is found of it now."""
    responses, start = transcript.facts.responses, effect_id(transcript.session, "")
    cut, path = responses.cut, id.removeprefix(start)
    if cut is None or not id.startswith(start) or not path:
        return None
    for file in responses.lost_files:
        if file.path == path:
            return _effect(transcript, path, "snapshot", Cut(file.at, file.offset, file.size))
    return _effect(transcript, path, "directory", cut)


class KeptEffects:
    """Effects that are kept for a while, as long as their transcripts stay as they are."""

    def __init__(self, search: Search = changed_files) -> None:
        self._search = search
        self._kept: dict[Path, tuple[tuple[object, ...], int, Effects]] = {}

    def of(self, transcript: Transcript, now: int) -> Effects:
        """As `effects_of`, at a time in milliseconds."""
        fingerprint = transcript.fingerprint
        basis = (fingerprint.inode, fingerprint.offset, fingerprint.checksum)
        kept = self._kept.get(transcript.path)
        if kept is None or kept[0] != basis or not 0 <= now - kept[1] < KEPT_FOR:
            kept = self._kept[transcript.path] = basis, now, effects_of(transcript, self._search)
        return kept[2]


def _effect(transcript: Transcript, path: str, found: Found, place: Cut) -> Action:
    return Action(
        action=effect_id(transcript.session, path),
        session=transcript.session,
        call_id=None,
        tool="",
        state="uncertain",
        replay_allowed=False,
        side_effects="yes",
        at=place.at,
        path=path,
        offset=place.offset,
        size=place.size,
        found=found,
    )


def _changed(transcript: Transcript, cut: Cut, search: Search) -> tuple[list[str], str]:
    """The files written since that no call names, and why there may be more."""
    directory = transcript.directory
    if directory is None or cut.at is None:
        return [], "Where or when the session worked is not known."
    home = Root(transcript.path.absolute(), "file", "").home
    files, missing = search(directory, cut.at, (str(home),) if home else ())
    if not files:
        return [], missing
    changed = {spelled(well_formed(file.path)): file.modified_at for file in files}
    named, commands = _named_by_calls(transcript, cut, changed)
    paths = [well_formed(file.path) for file in files]
    unnamed = [path for path in paths if spelled(path) not in named]
    return [path for path in unnamed if not _stands_in(Path(path).name, commands)], missing


def _stands_in(name: str, commands: Sequence[str]) -> bool:
    pattern = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    return any(pattern.search(command) for command in commands)


def _named_by_calls(
    transcript: Transcript, cut: Cut, changed: Mapping[str, int]
) -> tuple[set[str], list[str]]:
    """Which of the changed files calls on record may have changed; commands that may have run.

    `changed`: when each file was last written. What ended before that did not write it, as a
    command that ended before the response began changed nothing since.
    """
    named: set[str] = set()
    commands: list[str] = []
    for event, ended_at in _calls(transcript):
        args = event.args
        if event.tool in COMMANDS:
            command = args.get("command") if isinstance(args, dict) else args
            is_open = ended_at() is None
            if isinstance(command, str) and (is_open or (event.at or 0) >= (cut.at or 0)):
                commands.append(command[:LONGEST])
        elif path := named_path(args):
            directory = event.dialect.cwd(event.record) or transcript.directory
            path = spelled(well_formed(absolute(path, directory) or path))
            if path in changed and path not in named:
                ended = ended_at()
                if ended is None or changed[path] <= ended + TOLERANCE:
                    named.add(path)
    return named, commands


def _calls(transcript: Transcript) -> Iterator[tuple[Event, Callable[[], int | None]]]:
    """The last calls that may have changed something, and what tells when each ended.

    That is None for a call without a result, or with one that has no time.
    """
    positions = transcript.positions
    first = max(0, len(positions) - LOOK_BACK)
    with transcript.reading() as read:

        def ended_at(result: int) -> int | None:
            return read(result - 1).at if result else None

        for index in range(first, len(positions)):
            if positions.kinds[index] == CODE["call"] and (event := read(index)).tool not in READS:
                yield event, partial(ended_at, positions.links[index])
