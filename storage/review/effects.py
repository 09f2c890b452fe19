"""Unrecorded effects: files that a crashed session changed, or may have, by calls never recorded.

If the last response was cut off, they are found in two ways: snapshots name files that no recorded
call changes, and files in the working directory were modified after the last record. The second
requires scanning the directory, so it is done only on request.
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
from ..stores.layouts import home_at
from ..text.folding import well_formed
from ..text.paths import absolute, named_path, spelled
from ..transcript.transcript import Transcript
from .changed_files import ChangedFiles, changed_files

LOOK_BACK = 1000
"""Records from the end that are searched for calls that name a file."""

LONGEST = 10_000
"""Characters of a command that are searched for file names."""

SEARCHED_FOR = 7 * 24 * 3600_000
"""Milliseconds after the last record in which the directory is searched: later, most of what
changed since was changed by somebody else."""

KEPT_FOR = 60_000
"""How long effects are cached, in milliseconds."""

TOLERANCE = 1_000
"""How much newer than the end of a call, in milliseconds, a file it wrote may be."""

Place = tuple[str, int, tuple[str, ...]]
"""A directory, a time in milliseconds since 1970, and directories to skip."""

Search = Callable[[str, int, tuple[str, ...]], ChangedFiles]
"""Finds files in a directory that were modified after a time, skipping the given folders."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a session: uncertain actions that have a path but no call."""

    actions: tuple[Action, ...] = ()
    missing: str = ""
    """Why the list may be incomplete, in one sentence; "" if it is complete."""


NONE = Effects()


def effects_of(transcript: Transcript, now: int, search: Search = changed_files) -> Effects:
    """Return the unrecorded effects of a fully read transcript; `now` is in milliseconds.

    Call this for crashed sessions only: a running one may still write the record. Raises OSError if
    the transcript cannot be read.
    """
    responses = transcript.facts.responses
    cut = responses.cut
    if cut is None:
        return NONE
    named = [
        _effect(transcript, file.path, "snapshot", Cut(file.at, file.offset, file.size))
        for file in responses.lost_files
    ]
    found, missing = _changed(transcript, cut, now, search)
    known = {spelled(action.path or "") for action in named}
    others = [path for path in found if spelled(path) not in known]
    return Effects(
        (*named, *(_effect(transcript, path, "directory", cut) for path in others)), missing
    )


def effect_with(transcript: Transcript, id: str) -> Action | None:
    """Return the effect with an id in a cut-off transcript, even if the disk no longer shows it."""
    responses, start = transcript.facts.responses, effect_id(transcript.session, "")
    cut, path = responses.cut, id.removeprefix(start)
    if cut is None or not id.startswith(start) or not path:
        return None
    for file in responses.lost_files:
        if file.path == path:
            return _effect(transcript, path, "snapshot", Cut(file.at, file.offset, file.size))
    return _effect(transcript, path, "directory", cut)


class KeptEffects:
    """A cache of effects, valid for a limited time and while the transcript is unchanged."""

    def __init__(self, search: Search = changed_files) -> None:
        self._search = search
        self._kept: dict[Path, tuple[tuple[object, ...], int, Effects]] = {}

    def of(self, transcript: Transcript, now: int) -> Effects:
        """Return `effects_of` the transcript; `now` is in milliseconds."""
        fingerprint = transcript.fingerprint
        basis = (fingerprint.inode, fingerprint.offset, fingerprint.checksum)
        kept = self._kept.get(transcript.path)
        if kept is None or kept[0] != basis or not 0 <= now - kept[1] < KEPT_FOR:
            kept = self._kept[transcript.path] = (
                basis,
                now,
                effects_of(transcript, now, self._search),
            )
        return kept[2]


def _effect(transcript: Transcript, path: str, found: Found, place: Cut) -> Action:
    return Action(
        agent=transcript.agent,
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


def place_to_search(transcript: Transcript, now: int) -> Place | str:
    """Return what to pass to a `Search` of a session that lost a response, or why there is none."""
    cut, directory = transcript.facts.responses.cut, transcript.directory
    if directory is None or cut is None or cut.at is None:
        return "Where or when the session worked is not known."
    if now - cut.at > SEARCHED_FOR:
        return "The session ended too long ago to search its directory."
    home = home_at(transcript.path.absolute())
    return directory, cut.at, (str(home),) if home else ()


def _changed(transcript: Transcript, cut: Cut, now: int, search: Search) -> tuple[list[str], str]:
    """Return the files modified since that no call accounts for, and why some may be missing."""
    place = place_to_search(transcript, now)
    if isinstance(place, str):
        return [], place
    files, missing = search(*place)
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
    """Return the changed files that recorded calls may explain, and commands that may have run.

    `changed`: modification time of each file. A call that ended before that time did not write it,
    and a command that ended before the response began has changed nothing since.
    """
    named: set[str] = set()
    commands: list[str] = []
    for event, ended_at in _calls(transcript):
        args = event.args
        if event.tool in transcript.agent.tools.shells:
            command = args.get("command") if isinstance(args, dict) else args
            is_open = ended_at() is None
            if isinstance(command, str) and (is_open or (event.at or 0) >= (cut.at or 0)):
                commands.append(command[:LONGEST])
        elif path := named_path(args):
            directory = event.cwd or transcript.directory
            path = spelled(well_formed(absolute(path, directory) or path))
            if path in changed and path not in named:
                ended = ended_at()
                if ended is None or changed[path] <= ended + TOLERANCE:
                    named.add(path)
    return named, commands


def _calls(transcript: Transcript) -> Iterator[tuple[Event, Callable[[], int | None]]]:
    """Yield the last calls that may have changed something, each with a function for its end time.

    The function returns None for a call without a result, or whose result has no time.
    """
    positions = transcript.positions
    first, reads = max(0, len(positions) - LOOK_BACK), transcript.agent.tools.reads
    with transcript.reading() as read:

        def ended_at(result: int) -> int | None:
            return read(result - 1).at if result else None

        for index in range(first, len(positions)):
            if positions.kinds[index] == CODE["call"] and (event := read(index)).tool not in reads:
                yield event, partial(ended_at, positions.links[index])
