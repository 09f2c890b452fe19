"""The tokens of a MyCodeAgent session, which only the trace next to its transcript contains.

The trace also names sub-agents missing from the transcript: those that failed, were cut off, or
verified the work.

It is read like a transcript: from where the last reading ended, in whole lines, never written.
Lines are searched for keywords first, and only those that may be relevant are parsed. What was
counted is remembered per quarter of an hour, so that it can be taken back if the trace is truncated
or replaced.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ...files.fingerprint import Fingerprint
from ...files.lines import opened, split, whole_lines
from ...folds.tally import QUARTER
from ...model.event import Record, Usage
from ...model.rules import Mark
from ...records.fields import mapping, milliseconds, string
from ...records.tokens import usage_of
from ...text.folding import well_formed
from .stores import TRANSCRIPTS

TRACES = Path("memory", "traces")
"""Where a project keeps its traces."""

OUTPUT = b'"model_output"'
"""Occurs in every line that may report tokens; inside a text its quotation marks are escaped."""


SPAWN = b'"subagent_'
"""Prefix of the name of every event about a sub-agent."""

SPAWNED = frozenset(f"subagent_{what}" for what in ("requested", "started", "completed", "failed"))


class Spent(NamedTuple):
    """Tokens of some responses; negative if they are taken back."""

    tokens: Usage
    responses: int

    def plus(self, tokens: Usage, responses: int) -> Spent:
        """Return the sum with other responses."""
        return Spent(self.tokens + tokens, self.responses + responses)


By = tuple[int, str]
"""Quarter of an hour since 1970 (0 if there is no time), and model ("" if unknown)."""


class Trace:
    """One trace, as far as it was read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes_read = 0
        self.spawned: dict[str, None] = {}
        """The sub-agents named in it, in order; foreign text."""
        self._fingerprint = Fingerprint()
        self._spent: dict[By, Spent] = {}

    @classmethod
    def beside(cls, transcript: Path) -> Trace | None:
        """Return a MyCodeAgent transcript's trace, even if it does not exist; None for others."""
        path = _beside(transcript)
        return None if path is None else cls(path)

    @property
    def mark(self) -> Mark:
        """Size and modification time at the last reading."""
        return self._fingerprint.size, self._fingerprint.modified

    def has_changed(self, read: Mark | None) -> bool:
        """Return whether the trace differs from when it was `read`.

        A deleted trace does not differ: what it reported remains true.
        """
        try:
            stat = self.path.stat()
        except OSError:
            return False
        return (stat.st_size, stat.st_mtime_ns) != read

    def advance(self) -> Iterator[Mapping[By, Spent]]:
        """Yield what the new lines add to the usage, one slice at a time.

        A trace that does not exist or cannot be read adds nothing.
        """
        try:
            yield from self._advance()
        except OSError:
            return

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `load`."""
        return {
            "fingerprint": self._fingerprint.as_json(),
            "spawned": list(self.spawned),
            "spent": [
                [quarter, model, tokens.input, tokens.cached, tokens.output, responses]
                for (quarter, model), (tokens, responses) in self._spent.items()
            ],
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Continue from the result of `as_json`. Raises KeyError, TypeError or ValueError."""
        self._fingerprint = Fingerprint(**data["fingerprint"])
        self.spawned = dict.fromkeys(data["spawned"])
        self._spent = {
            (quarter, model): Spent(Usage(*tokens), responses)
            for quarter, model, *tokens, responses in data["spent"]
        }

    def _advance(self) -> Iterator[Mapping[By, Spent]]:
        with opened(self.path) as fd:
            stat = os.fstat(fd)
            if self._fingerprint.unchanged(stat):
                return
            if not self._fingerprint.holds(fd, stat):
                yield self._restart()
            self._fingerprint = self._fingerprint.entered(stat)
            for span in whole_lines(fd, self._fingerprint.offset, stat.st_size):
                found = self._take(span.data) if span.data is not None else {}
                self.bytes_read += span.size
                self._fingerprint = self._fingerprint.advanced(fd, span.data, span.size).pressed(fd)
                yield found
            self._fingerprint = self._fingerprint.stood(stat)

    def _restart(self) -> Mapping[By, Spent]:
        """Forget everything, and return the usage to take back."""
        taken = {
            by: Spent(Usage(-tokens.input, -tokens.cached, -tokens.output), -responses)
            for by, (tokens, responses) in self._spent.items()
        }
        self._fingerprint, self._spent, self.spawned = Fingerprint(), {}, {}
        return taken

    def _take(self, data: bytes) -> Mapping[By, Spent]:
        if SPAWN in data:
            lines = split(data, 0, lone_cr=False)
            named = (_spawned(line.data) for line in lines if SPAWN in line.data)
            self.spawned.update(dict.fromkeys(child for child in named if child))
        if OUTPUT not in data:
            return {}
        found: dict[By, Spent] = {}
        for line in split(data, 0, lone_cr=False):
            if OUTPUT in line.data and (told := _told(line.data)):
                by, tokens = told
                found[by] = found.get(by, Spent(Usage(), 0)).plus(tokens, 1)
        for by, spent in found.items():
            self._spent[by] = self._spent.get(by, Spent(Usage(), 0)).plus(*spent)
        return found


def _beside(transcript: Path) -> Path | None:
    name = transcript.name
    if transcript.parts[-3:-1] != TRANSCRIPTS.parts or not name.startswith("transcript-"):
        return None
    name = name.removeprefix("transcript-").removeprefix("subagent-")
    return transcript.parents[1] / TRACES.name / f"trace-{name}"


def _spawned(line: bytes) -> str | None:
    """Return the sub-agent named in a line; None if there is none, or its name is masked."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if type(record) is not dict or record.get("event") not in SPAWNED:
        return None
    named = string(mapping(record.get("payload")).get("child_session_id"))
    return named if named and named.strip("*") else None


def _told(line: bytes) -> tuple[By, Usage] | None:
    """Return the key and tokens of one response in a line; None if there are none."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if type(record) is not dict or record.get("event") != "model_output":
        return None
    payload = mapping(record.get("payload"))
    response = mapping(payload.get("raw_response"))
    tokens = _tokens(mapping(payload.get("usage")), mapping(response.get("usage")))
    if tokens is None:
        return None
    model = string(response.get("model")) or string(mapping(payload.get("meta")).get("model"))
    return ((milliseconds(record.get("ts")) or 0) // QUARTER, well_formed(model or "")), tokens


def _tokens(own: Record, raw: Record) -> Usage | None:
    """Return the agent's count of tokens, with the cached ones as reported by the provider."""
    told = usage_of({"providerData": {"rawUsage": {**raw, **own}}}) if own or raw else None
    return told[1] if told else None
