"""A record before it has its number: encoded and checked, so that nothing else can refuse it.

It is encoded before any lock is taken and read back as a reader would, so that whatever cannot be
written or read is refused while every file is still untouched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from json import JSONEncoder
from typing import Any, NamedTuple

import orjson

from ..event import Record
from ..framing import LONGEST
from ..parsing import parse
from ..text import well_formed
from .errors import RecordRefused

_ROOM = 4096
"""Bytes that the fields of the envelope may take."""


class Draft(NamedTuple):
    """The fields of a record in the order in which they are written."""

    parts: dict[str, str]
    """Each with its name, as JSON."""
    record: Record
    """Each as a reader has it: a tuple is a list by now."""

    def stamped(self, parts: Mapping[str, str], fields: Mapping[str, Any]) -> Draft:
        """With more fields behind, as `parts` has them and as a reader does."""
        return Draft({**self.parts, **parts}, {**self.record, **fields})

    def settled(self, texts: Mapping[str, str]) -> Draft:
        """With other texts in some of its fields."""
        return self.stamped({name: pair(name, text) for name, text in texts.items()}, texts)

    def line(self, names: Iterable[str] | None = None) -> bytes:
        """The record as it stands in the file, with its line end; its fields in that order."""
        parts = self.parts
        return ("{" + ", ".join([parts[name] for name in names or parts]) + "}\n").encode()


def drafted(fields: Mapping[str, Any], sort_keys: bool, allow_nan: bool) -> Draft:
    """The draft of a record; RecordRefused where it cannot be written or would not be read."""
    encoder = _encoder(sort_keys, allow_nan)
    draft = Draft({name: _encoded(encoder, name, value) for name, value in fields.items()}, {})
    try:
        line = draft.line()
    except UnicodeEncodeError:
        raise RecordRefused(f"The record holds half a character{_where(draft.parts)}.") from None
    if len(line) > LONGEST - _ROOM:
        raise RecordRefused(f"The record has {len(line) / 1e6:,.0f} MB, more than can be read.")
    if _repeats_a_name(fields):
        raise RecordRefused("The record holds an object with two names that are one in JSON.")
    record = parse(line[:-1], strict=True)
    if not isinstance(record, dict):
        raise RecordRefused("The record is nested deeper than can be read.")
    return Draft(draft.parts, record)


def _encoded(encoder: JSONEncoder, name: str, value: Any) -> str:
    if type(name) is not str:
        raise RecordRefused(f"The field {name!r} has a name that is not a string.")
    try:
        return _named(name) + encoder.encode(value)
    except RecursionError:
        raise RecordRefused(f"The field {name} is nested too deeply.") from None
    except (TypeError, ValueError) as error:
        raise RecordRefused(f"The field {name} cannot be written as JSON: {error}.") from None


def _repeats_a_name(fields: Mapping[str, Any]) -> bool:
    """Whether an object would be written with a name twice, as of {1: …, "1": …}."""
    try:
        orjson.dumps(fields)  # refuses names that are not strings, faster than one looks for them
    except TypeError:
        return _repeats_slowly(fields)
    return False


def _repeats_slowly(value: Any) -> bool:
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, Mapping):
            if len(
                {
                    name if isinstance(name, str) else _encoder(False, True).encode(name)
                    for name in one
                }
            ) < len(one):
                return True
            left.extend(one.values())
        elif isinstance(one, list | tuple):
            left.extend(one)
    return False


def _where(parts: Mapping[str, str]) -> str:
    """In which field, as the end of a sentence."""
    field = next((name for name, part in parts.items() if well_formed(part) != part), "")
    return f" in the field {field!a}" if field else ""


@lru_cache
def _encoder(sort_keys: bool, allow_nan: bool) -> JSONEncoder:
    """Made once: to make one takes longer than to encode a record."""
    return JSONEncoder(
        ensure_ascii=False, sort_keys=sort_keys, allow_nan=allow_nan, default=_as_dict
    )


def _as_dict(value: Any) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


@lru_cache(256)
def quoted(text: str) -> str:
    """A text that comes again and again as JSON: the name of a field, of a session."""
    return _encoder(False, False).encode(text)


@lru_cache(256)
def _named(name: str) -> str:
    return f"{quoted(name)}: "


def pair(name: str, text: str) -> str:
    """A field as it stands in a record."""
    return _named(name) + _encoder(False, False).encode(text)
