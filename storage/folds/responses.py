"""Whether the last model response is whole on record, and which files it changed without a record.

An agent that appends the records of a response one by one, and runs its calls meanwhile, may die
before all of them are written. Then the response has no end, and a snapshot may name a file that
no call on record changes: a fold over events finds both, at the same cost for every event.

Only a writer that ends its responses on record can leave one out. One that never does (a copy by
another program, say) has no response that was cut off: what tells is the agent's own form, unless
responses went without their end before and none had one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple
from zlib import crc32

import orjson

from ..model.event import Event, FileBackup, ResponsePart
from ..model.tools import COMMANDS, QUESTIONS, READS
from ..text.folding import well_formed
from ..text.paths import absolute, named_path, spelled

_PATH_FIRST = re.compile(r'\s*\{\s*"(?:file_path|notebook_path)"\s*:\s*("(?:[^"\\]|\\.)*")')
"""How the arguments of an edit begin, which can be long."""

_CHANGE_NO_FILE = READS | QUESTIONS | COMMANDS
"""Tools of which no snapshot is made."""


TOLERANCE = 1_000
"""Milliseconds by which a backup may seem older than the response that it was made for."""


EFFECT = "effect:"
"""How the id of an effect without a record begins."""


class Cut(NamedTuple):
    """The last record of a response that was cut off, or of the snapshots that tell of one."""

    at: int | None
    offset: int
    size: int


class LostFile(NamedTuple):
    """A file that a snapshot names for a change, and no call on record changes."""

    path: str
    """Absolute where that is known, as its own system writes it. Foreign."""
    backup: str | None
    """The name of its backup; None where the file did not exist. Foreign."""
    backup_at: int | None
    at: int | None
    """Of the snapshot's record."""
    offset: int
    size: int


def effect_id(session: str, path: str) -> str:
    """The id of an effect without a record: a file that a session changed by no call on record."""
    return f"{EFFECT}{session}:{path}"


@dataclass(slots=True)
class Responses:
    """What is known of the last response and of the files of its snapshots."""

    last: Cut | None = None
    """Of the last response, while it has no end."""
    response: str = ""
    """Its id."""
    is_own: bool = False
    """Whether it is in the agent's own form."""
    ended: int = 0
    """Responses with an end on record."""
    endless: int = 0
    """Responses that the session went on after without one."""
    is_answered: bool = False
    """Whether the last response is whole and has results: the next one may have begun."""
    tracked: list[int] | None = None
    """Checksums of the files in the last snapshot; None while nobody knows what was tracked."""
    named: dict[str, LostFile] = field(default_factory=dict)
    """Files that snapshots name since the last result, by their paths in one spelling."""
    edited: dict[str, str] = field(default_factory=dict)
    """Files that calls on record of this turn change, likewise, with the id of the response."""

    @property
    def cut(self) -> Cut | None:
        """The last record of the last response, if it was cut off.

        Where none of its records was written, its last snapshot may still tell of it.
        """
        if self.last is not None:
            is_told = self.is_own and (self.ended > 0 or not self.endless)
            return self.last if is_told else None
        lost = self._lost() if self.ended and self.is_answered else []
        return Cut(lost[-1].at, lost[-1].offset, lost[-1].size) if lost else None

    @property
    def lost_files(self) -> list[LostFile]:
        """Files that a response that was cut off may have changed by calls without a record."""
        return [] if self.cut is None else self._lost()

    def add(self, event: Event, directory: str | None) -> None:
        """Take in the next event; `directory` is where the agent ran."""
        kind = event.kind
        if kind == "snapshot":
            self._add_snapshot(event, directory)
        elif kind in ("answer", "reasoning", "call", "summary"):
            part = event.dialect.response(event.record)
            if part is not None:
                self._add_part(event, part)
            elif event.outcome:
                self.last = None  # the program's own words, so it lived on
            if kind == "call" and event.tool not in _CHANGE_NO_FILE:
                self._add_edit(event, directory)
        elif kind == "result" and self.last is None:
            # By calls of a whole response, which are all on record.
            self.named, self.is_answered = {}, True
        elif kind == "prompt":
            self._begin_turn()

    def copy(self) -> Responses:
        """As it is now."""
        return replace(self, named=dict(self.named), edited=dict(self.edited))

    def as_json(self) -> dict[str, Any]:
        """Plain data for the index."""
        rest = {name: getattr(self, name) for name in _PLAIN}
        named = [[key, *file] for key, file in self.named.items()]
        last = list(self.last) if self.last else None
        return {**rest, "last": last, "named": named, "edited": self.edited}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Responses:
        """What `as_json` gave."""
        return cls(
            last=Cut(*data["last"]) if data["last"] else None,
            named={key: LostFile(*file) for key, *file in data["named"]},
            edited=dict(data["edited"]),
            **{name: data[name] for name in _PLAIN},
        )

    def _lost(self) -> list[LostFile]:
        return [file for path, file in self.named.items() if self._is_lost(path, file)]

    def _is_lost(self, path: str, file: LostFile) -> bool:
        """Whether no call on record changes a file; one of an earlier response did so before."""
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
            self.last = Cut(event.at, event.place.offset, event.place.size)

    def _add_snapshot(self, event: Event, directory: str | None) -> None:
        snapshot = event.dialect.snapshot(event.record)
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
        if named := _edited(event):
            self.edited[spelled(_path(event, named, directory))] = self.response

    def _begin_turn(self) -> None:
        self.endless += self.last is not None
        self.last, self.named, self.edited, self.is_answered = None, {}, {}, False
        self.tracked = self.tracked or []


_PLAIN = tuple(one.name for one in fields(Responses) if one.name not in ("last", "named", "edited"))


def _path(event: Event, path: str, directory: str | None) -> str:
    whole = absolute(path, event.dialect.cwd(event.record) or directory)
    return well_formed(whole or path)


def _checksum(file: FileBackup) -> int:
    """Tells a file with its backup from others."""
    return crc32(f"{file.path}\0{file.name}\0{file.at}".encode(errors="surrogatepass"))


def _edited(event: Event) -> str | None:
    """The file that a call names; in those of deferred tools it stands a level deeper.

    It mostly comes first: to parse a whole file that is written takes far longer.
    """
    given = event.record.get("arguments")
    if type(given) is str:
        if (found := _PATH_FIRST.match(given)) and (path := _parsed(found[1])):
            return path
        if "path" not in given:
            return None
    args = event.args
    return named_path(args) or (named_path(args.get("params")) if isinstance(args, dict) else None)


def _parsed(text: str) -> str | None:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, str) else None
