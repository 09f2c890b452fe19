"""A record before it gets its number: encoded and checked, so that nothing can refuse it later.

It is encoded before any lock is acquired and, unless it consists of strings only, parsed back as a
reader would, so that whatever cannot be written or read is refused before any file is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from json import JSONEncoder
from typing import Any, NamedTuple

import orjson

from ..files.lines import LONGEST
from ..model.event import Record
from ..records.parsing import parse
from .errors import RecordRefused

_ROOM = 4096
"""Bytes reserved for the fields of the envelope."""

_SEPARATORS = tuple(
    (separator.encode(), b"\\u%04x" % ord(separator)) for separator in "\x85\u2028\u2029"
)


class Draft(NamedTuple):
    """The fields of a record that its agent sets."""

    parts: dict[str, bytes]
    """Each field with its name, as JSON."""
    record: Record
    """Each field as a reader sees it: tuples are already lists."""

    def settled(self, texts: Mapping[str, str]) -> Draft:
        """Return the draft with some fields replaced by the given strings."""
        parts = {name: pair(name, text) for name, text in texts.items()}
        return Draft(self.parts | parts, {**self.record, **texts})


def line_of(parts: Iterable[bytes]) -> bytes:
    """Return the line of a record with these parts, including its line end."""
    return b"{" + b", ".join(parts) + b"}\n"


def drafted(fields: Mapping[str, Any], encoder: JSONEncoder) -> Draft:
    """Return the draft of a record. Raises RecordRefused if it cannot be written or read back."""
    parts, are_texts = {}, True
    for name, value in fields.items():
        if type(value) is str:
            parts[name] = pair(name, value)
        else:
            parts[name], are_texts = _encoded(encoder, name, value), False
    size = sum(map(len, parts.values())) + len(", ") * len(parts)
    if size > LONGEST - _ROOM:
        raise RecordRefused(f"The record has {size / 1e6:,.0f} MB, more than can be read.")
    # Strings are read as written; parsing them takes nearly as long as everything else here.
    return Draft(parts, dict(fields) if are_texts else _read_back(fields, parts))


def _read_back(fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Record:
    """Return the record as a reader sees it. Raises RecordRefused if it cannot be read."""
    if _repeats_a_name(fields):
        raise RecordRefused("The record holds an object with two names that are one in JSON.")
    record = parse(line_of(parts.values())[:-1], strict=True)
    if not isinstance(record, dict):
        raise RecordRefused("The record is nested deeper than can be read.")
    return record


def without_separators(line: bytes) -> bytes:
    """Escape U+0085, U+2028 and U+2029 in JSON: many readers split lines at these."""
    for raw, escaped in _SEPARATORS:
        if raw in line:
            line = line.replace(raw, escaped)
    return line


def _encoded(encoder: JSONEncoder, name: str, value: Any) -> bytes:
    try:
        return pair(name, "").removesuffix(b'""') + json_of(encoder, value)
    except UnicodeEncodeError:
        raise RecordRefused(f"The record holds half a character in the field {name!a}.") from None
    except RecursionError:
        raise RecordRefused(f"The field {name} is nested too deeply.") from None
    except (TypeError, ValueError) as error:
        raise RecordRefused(f"The field {name} cannot be written as JSON: {error}.") from None


def pair(name: str, text: str) -> bytes:
    """Return a field as JSON. Raises RecordRefused if it contains a lone surrogate.

    For a string, orjson writes the same as the standard library in a sixth of the time.
    """
    if type(name) is not str:
        raise RecordRefused(f"The field {name!r} has a name that is not a string.")
    try:
        return without_separators(orjson.dumps(name) + b": " + orjson.dumps(text))
    except orjson.JSONEncodeError:
        raise RecordRefused(f"The record holds half a character in the field {name!a}.") from None


def _repeats_a_name(fields: Mapping[str, Any]) -> bool:
    """Return whether an object would be written with a duplicate name, as of {1: …, "1": …}."""
    try:
        orjson.dumps(fields)  # rejects names that are not strings, faster than a search for them
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
                    name if isinstance(name, str) else encoder_for(False, True).encode(name)
                    for name in one
                }
            ) < len(one):
                return True
            left.extend(one.values())
        elif isinstance(one, list | tuple):
            left.extend(one)
    return False


def json_of(encoder: JSONEncoder, value: Any) -> bytes:
    """Return a value as JSON on one line. Raises what the encoder does."""
    return without_separators(encoder.encode(value).encode())


@lru_cache
def encoder_for(sort_keys: bool, allow_nan: bool) -> JSONEncoder:
    """Return the encoder of fields other than strings; cached, as creating one is slow."""
    return JSONEncoder(
        ensure_ascii=False, sort_keys=sort_keys, allow_nan=allow_nan, default=_as_dict
    )


def _as_dict(value: Any) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")
