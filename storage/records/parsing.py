"""Parse one line of bytes into one record, or explain why that is impossible.

The hot path is `orjson.loads` and one type check. What orjson rejects but the formats allow (lone
surrogate escapes, NaN, Infinity, 1e400, an integer of 400 digits) is parsed by the standard
library, whose limits are those of the formats.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import orjson

from ..files.lines import Line, split
from ..model.agent import Agent
from ..model.event import Event, Place, Record
from ..model.integrity import Tail

DamageKind = Literal["bad_json", "not_object", "encoding", "too_deep", "too_long"]
DAMAGE_KINDS: frozenset[str] = frozenset(get_args(DamageKind))

TORN: frozenset[Tail] = frozenset({"torn", "torn-character", "refused"})
"""Tails that end in a line without line end, which is not a record."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Damage:
    """Why a line could not be read, or not exactly as written.

    `too_deep` (nesting) and `too_long` (a number) exceed the limits of the parser. Unlike
    `bad_json`, they cannot result from an interrupted write.
    """

    kind: DamageKind
    detail: str
    """One sentence."""

    @property
    def problem(self) -> str:
        """The text for `Event.problem`: the kind, a colon, the sentence."""
        return f"{self.kind}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Mended:
    """A record that could be read only by replacing invalid bytes."""

    record: Record
    damage: Damage


def is_blank(line: bytes) -> bool:
    """Return whether a line contains only white space (as defined by Unicode)."""
    if line[:1] == b"{":
        return False
    return not line or line.isspace() or line.decode("utf-8", "replace").isspace()


def parse(line: bytes, strict: bool) -> Record | Mended | Damage:
    """Return the record of a line without its line end.

    Strict parsing rejects a byte order mark and invalid UTF-8; otherwise the mark is dropped and
    invalid bytes are replaced, which gives `Mended`.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return _parse_slowly(line, strict, error)
    return value if type(value) is dict else _not_object(value)


def read_line(line: bytes, place: Place, agent: Agent) -> Event:
    """Return the event of a non-blank line, damaged or not."""
    parsed = parse(line, agent.reader.strict)
    if isinstance(parsed, dict):
        return agent.reader.read(parsed, place)
    if isinstance(parsed, Mended):
        return agent.reader.read(parsed.record, place)._replace(problem=parsed.damage.problem)
    return damaged(place, agent, parsed)


def read_events(line: bytes, place: Place, agent: Agent) -> Iterator[Event]:
    """Yield the events of a non-blank line, which may be several; one if it is damaged."""
    if not agent.reader.several:
        yield read_line(line, place, agent)
        return
    parsed = parse(line, agent.reader.strict)
    if isinstance(parsed, Damage):
        yield damaged(place, agent, parsed)
        return
    record, problem = (
        (parsed.record, parsed.damage.problem) if isinstance(parsed, Mended) else (parsed, "")
    )
    for block in range(max(1, min(agent.reader.blocks(record), place.size))):
        event = agent.reader.read(record, place._replace(block=block))
        yield event._replace(problem=problem) if problem else event


def damaged(place: Place, agent: Agent, damage: Damage) -> Event:
    """Return the event that represents an unreadable line."""
    return Event("damaged", place, agent, {}, None, problem=damage.problem)


def damage_of(event: Event) -> Damage | None:
    """Return the damage that an event's problem describes; None if its line was read as written."""
    if not event.problem:
        return None
    kind, _, detail = event.problem.partition(": ")
    return Damage(kind, detail) if kind in DAMAGE_KINDS else None  # type: ignore[arg-type]


def tail_of(tail: bytes, strict: bool) -> Tail:
    """Return the state of the bytes after the last line end of a file."""
    if is_blank(tail):
        return "none"
    parsed = parse(tail, strict)
    if not isinstance(parsed, Damage):
        return "whole"
    if parsed.kind == "encoding":
        return "torn-character"
    return "torn" if parsed.kind == "bad_json" else "refused"


class Ending(NamedTuple):
    """What follows the last LF of a file, assuming that the file ends there."""

    state: Tail
    lines: tuple[tuple[int, Line], ...] = ()
    """Records and damaged lines in it, each with its number, counted from 1 after the last LF."""


def ending_of(tail: bytes, offset: int, strict: bool) -> Ending:
    """Return the lines after the last LF, which is just before `offset`, without the torn rest.

    In the strict formats a lone CR ends a line: what precedes it was not cut, and if it is not a
    record, the file is damaged.
    """
    numbered = [
        (number, line)
        for number, line in enumerate(split(tail, offset, strict), 1)
        if not is_blank(line.data)
    ]
    if not numbered:
        return Ending("none")
    last = numbered[-1][1]
    state = tail_of(last.data, strict)
    is_terminated = strict and last.offset + len(last.data) < offset + len(tail)
    if state != "whole" and is_terminated:
        state = "terminated"
    return Ending(state, tuple(numbered[:-1] if state in TORN else numbered))


def _parse_slowly(
    line: bytes, strict: bool, refusal: orjson.JSONDecodeError
) -> Record | Mended | Damage:
    broken: Damage | None = None
    if not strict:
        line = line.removeprefix(_BOM)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        broken = Damage("encoding", f"byte {error.start + 1} of the line is not UTF-8")
        text = line.decode("utf-8", "replace")
    if broken and strict:
        return broken
    value = _standard(text, refusal)
    return Mended(value, broken) if broken and isinstance(value, dict) else value


def _standard(text: str, refusal: orjson.JSONDecodeError) -> Record | Damage:
    too_deep = Damage("too_deep", "the line is nested too deeply to be read")
    # orjson's limit is the same on every Python version; the standard library's is not.
    if refusal.msg.startswith("depth limit"):
        return too_deep
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        reason = error.msg.removesuffix(" at")
        return Damage("bad_json", f"not JSON: {reason} at character {error.pos + 1}")
    except RecursionError:
        return too_deep
    except ValueError:
        return Damage("too_long", "the line holds a number with too many digits to be read")
    return value if isinstance(value, dict) else _not_object(value)


def _not_object(value: object) -> Damage:
    return Damage("not_object", f"the line is JSON of type {type(value).__name__}, not an object")
