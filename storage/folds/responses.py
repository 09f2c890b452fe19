"""Whether the last model response is complete on record, and which files it changed off the record.

An agent that appends the records of a response one by one, and meanwhile runs its calls, may die
before all of them are written. The response then has no recorded end, and a snapshot may name a
file that no recorded call changes. A fold over events detects both, in constant time per event.

A missing end is significant only if the writer normally records the ends of responses. A copy made
by another program, for example, may contain none, and then no response counts as cut off. The
evidence is the agent's native form, unless earlier responses had no end and none ever had one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple
from zlib import crc32

from ..model.event import Event, FileBackup, ResponsePart
from ..text.folding import well_formed
from ..text.paths import absolute, spelled

TOLERANCE = 1_000
"""Milliseconds by which a backup may seem older than the response it was made for."""


EFFECT = "effect:"
"""Prefix of the id of an effect without a call on record."""


class Cut(NamedTuple):
    """The last record of a cut-off response, or of the snapshots that indicate one."""

    at: int | None
    offset: int
    size: int


class LostFile(NamedTuple):
    """A file that a snapshot names as changed, but no recorded call changes."""

    path: str
    """Absolute if known, in the notation of the system it is on. Foreign."""
    backup: str | None
    """Name of its backup; None if the file did not exist. Foreign."""
    backup_at: int | None
    at: int | None
    """Time of the snapshot's record."""
    offset: int
    size: int


def effect_id(session: str, path: str) -> str:
    """Return the id of an effect without a call on record: a file changed by a session."""
    return f"{EFFECT}{session}:{path}"


@dataclass(slots=True)
class Responses:
    """The state of the last response, and the files named in its snapshots."""

    last: Cut | None = None
    """Last record of the last response, as long as it has no end."""
    response: str = ""
    """Id of the last response."""
    is_own: bool = False
    """Whether the last response is in the agent's native form."""
    ended: int = 0
    """Number of responses with a recorded end."""
    endless: int = 0
    """Number of responses without one that were followed by other records."""
    is_answered: bool = False
    """Whether the last response is complete and has results, so that the next may have begun."""
    tracked: list[int] | None = None
    """Checksums of the files in the last snapshot; None if it is unknown what was tracked."""
    named: dict[str, LostFile] = field(default_factory=dict)
    """Files named in snapshots since the last result, by normalised path."""
    edited: dict[str, str] = field(default_factory=dict)
    """Response id of the recorded calls of this turn that change a file, by normalised path."""

    @property
    def cut(self) -> Cut | None:
        """The last record of the last response, if it was cut off.

        If none of its records was written, its last snapshot may still indicate it.
        """
        if self.last is not None:
            is_told = self.is_own and (self.ended > 0 or not self.endless)
            return self.last if is_told else None
        lost = self._lost() if self.ended and self.is_answered else []
        return Cut(lost[-1].at, lost[-1].offset, lost[-1].size) if lost else None

    @property
    def lost_files(self) -> list[LostFile]:
        """Files that a cut-off response may have changed by calls that are not on record."""
        return [] if self.cut is None else self._lost()

    def add(self, event: Event, directory: str | None) -> None:
        """Process the next event; `directory` is where the agent ran."""
        kind = event.kind
        if kind == "snapshot":
            self._add_snapshot(event, directory)
        elif kind in ("answer", "reasoning", "call", "summary"):
            part = event.response_part
            if part is not None:
                self._add_part(event, part)
            elif event.outcome:
                self.last = None  # a message of the program itself, so it was still alive
            if kind == "call" and event.agent.tools.may_edit(event.tool):
                self._add_edit(event, directory)
        elif kind == "result" and self.last is None:
            # From calls of a complete response, which are all on record.
            self.named, self.is_answered = {}, True
        elif kind == "prompt":
            self._begin_turn()

    def copy(self) -> Responses:
        """Return an independent copy."""
        return replace(self, named=dict(self.named), edited=dict(self.edited))

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the index."""
        rest = {name: getattr(self, name) for name in _PLAIN}
        named = [[key, *file] for key, file in self.named.items()]
        last = list(self.last) if self.last else None
        return {**rest, "last": last, "named": named, "edited": self.edited}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Responses:
        """Restore from the result of `as_json`."""
        return cls(
            last=Cut(*data["last"]) if data["last"] else None,
            named={key: LostFile(*file) for key, *file in data["named"]},
            edited=dict(data["edited"]),
            **{name: data[name] for name in _PLAIN},
        )

    def _lost(self) -> list[LostFile]:
        return [file for path, file in self.named.items() if self._is_lost(path, file)]

    def _is_lost(self, path: str, file: LostFile) -> bool:
        """Return whether no recorded call accounts for the change; an earlier response may have."""
        edited, begun = self.edited.get(path), self.last.at if self.last else None
        if file.backup_at is None or begun is None:
            return edited is None
        if edited is None:
            return file.backup_at >= begun - TOLERANCE
        return edited != self.response and file.backup_at >= begun

    def _add_part(self, event: Event, part: ResponsePart) -> None:
        self.is_answered = False
        id = well_formed(part.response)
        if id != self.response:
            self.endless += self.last is not None
            self.response = id
        if part.is_last:
            self.ended += 1
            self.last = None
        else:
            self.is_own = part.is_own
            self.last = Cut(event.at, event.place.address, event.place.size)

    def _add_snapshot(self, event: Event, directory: str | None) -> None:
        snapshot = event.file_snapshot
        if snapshot is None:
            return
        now = {_checksum(file): file for file in snapshot.files}
        if snapshot.is_update and self.tracked is not None:
            before = frozenset(self.tracked)
            for checksum, file in now.items():
                if checksum not in before:
                    self._name(event, file, directory)
        self.tracked = list(now)

    def _name(self, event: Event, file: FileBackup, directory: str | None) -> None:
        path, place = _path(event, file.path, directory), event.place
        backup = None if file.name is None else well_formed(file.name)
        lost = LostFile(path, backup, file.at, event.at, place.offset, place.size)
        self.named[spelled(path)] = lost

    def _add_edit(self, event: Event, directory: str | None) -> None:
        if named := event.file:
            self.edited[spelled(_path(event, named, directory))] = self.response

    def _begin_turn(self) -> None:
        self.endless += self.last is not None
        self.last, self.named, self.edited, self.is_answered = None, {}, {}, False
        self.tracked = self.tracked or []


_PLAIN = tuple(one.name for one in fields(Responses) if one.name not in ("last", "named", "edited"))


def _path(event: Event, path: str, directory: str | None) -> str:
    whole = absolute(path, event.cwd or directory)
    return well_formed(whole or path)


def _checksum(file: FileBackup) -> int:
    """Return a checksum that identifies a file together with its backup."""
    return crc32(f"{file.path}\0{file.name}\0{file.at}".encode(errors="surrogatepass"))
