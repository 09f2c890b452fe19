"""One line of bytes becomes one record, or says why it cannot.

The hot path is `orjson.loads` and one test of the type. What orjson refuses but the formats
tolerate (lone surrogate escapes, NaN, Infinity, 1e400, an integer of 400 digits) is read by the
standard library, whose limits are the limits of the formats.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import orjson

from ..files.lines import Line, split
from ..model.event import Dialect, Event, Place, Record

DamageKind = Literal["bad_json", "not_object", "encoding", "too_deep", "too_long"]
DAMAGE_KINDS: frozenset[str] = frozenset(get_args(DamageKind))

Tail = Literal["none", "whole", "torn", "torn-character", "refused", "terminated"]
"""What the bytes after the last LF are. `none`: nothing but white space. `whole`: a record.
`torn`: cut. `torn-character`: cut inside a character, or not UTF-8 at all. `refused`: JSON that no
cut explains, such as a bare number. `terminated`: no record, but a line that ends in a lone CR and
was therefore not cut."""

TORN: frozenset[Tail] = frozenset({"torn", "torn-character", "refused"})
"""Tails that end in a line without its end, which is no record."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Damage:
    """Why a line could not be read, or not as it was written.

    `too_deep` is nesting and `too_long` a number beyond what the parser takes: unlike `bad_json`,
    neither is what a writer leaves that stopped in the middle.
    """

    kind: DamageKind
    detail: str
    """One sentence."""

    @property
    def problem(self) -> str:
        """The words for `Event.problem`: the kind, a colon, the sentence."""
        return f"{self.kind}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Mended:
    """A record that could only be read by replacing its invalid bytes."""

    record: Record
    damage: Damage


def is_blank(line: bytes) -> bool:
    """Whether a line holds nothing but white space, as Unicode knows it."""
    if line[:1] == b"{":
        return False
    return not line or line.isspace() or line.decode("utf-8", "replace").isspace()


def parse(line: bytes, strict: bool) -> Record | Mended | Damage:
    """The record of a line without its line end.

    Strict reading refuses a byte order mark and invalid UTF-8; otherwise the mark is dropped and
    invalid bytes are replaced, which `Mended` tells.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return _parse_slowly(line, strict, error)
    return value if type(value) is dict else _not_object(value)


def read_line(line: bytes, place: Place, dialect: Dialect) -> Event:
    """The event of a line that is not blank, damaged or not."""
    parsed = parse(line, dialect.STRICT)
    if isinstance(parsed, dict):
        return dialect.read(parsed, place)
    if isinstance(parsed, Mended):
        return dialect.read(parsed.record, place)._replace(problem=parsed.damage.problem)
    return damaged(place, dialect, parsed)


def damaged(place: Place, dialect: Dialect, damage: Damage) -> Event:
    """The event that stands for a line that cannot be read."""
    return Event("damaged", place, dialect, {}, None, problem=damage.problem)


def damage_of(event: Event) -> Damage | None:
    """The damage that an event's problem tells of; None where its line was read as written."""
    if not event.problem:
        return None
    kind, _, detail = event.problem.partition(": ")
    return Damage(kind, detail) if kind in DAMAGE_KINDS else None  # type: ignore[arg-type]


def tail_of(tail: bytes, strict: bool) -> Tail:
    """What the bytes after the last line end of a file are."""
    if is_blank(tail):
        return "none"
    parsed = parse(tail, strict)
    if not isinstance(parsed, Damage):
        return "whole"
    if parsed.kind == "encoding":
        return "torn-character"
    return "torn" if parsed.kind == "bad_json" else "refused"


class Ending(NamedTuple):
    """What follows the last LF of a file, were the file to end there."""

    state: Tail
    lines: tuple[tuple[int, Line], ...] = ()
    """The records and damaged lines in it, each with its number, 1-based after the last LF."""


def ending_of(tail: bytes, offset: int, strict: bool) -> Ending:
    """The lines after the last LF, which is before `offset`; the torn rest is left out.

    In the strict formats each lone CR ends a line: what stands before it was not cut, and if it is
    no record, the file is damaged.
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
    # orjson's limit is the same on every Python; the standard library's is not.
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
