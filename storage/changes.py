"""The changes of an edit against the bytes of a file: what of them is there, and what was before.

Later changes may touch the text that earlier ones made; such are folded into one part, so that
each part's old text is one that the file held before the call and its new text one that it holds
after. Line ends count for nothing, unless they are all that a change is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .edits import Change, Edit

WORK = 256 * 1024 * 1024
"""Bytes gone through for one edit, changes times text: a hostile call must not hold the screen."""


class TooLarge(Exception):
    """The changes cost more to follow than they are worth."""


class Part(NamedTuple):
    """One replacement; so many of the call's `changes` went into it, 0: a rest of one."""

    old: bytes
    new: bytes
    everywhere: bool
    changes: int = 1


def unified(data: bytes) -> bytes:
    """A text whose lines end in LF alone."""
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def parts_of(edit: Edit, data: bytes) -> tuple[list[Part], bytes]:
    """The edit's parts and the file's text, alike in their line ends.

    Raises UnicodeEncodeError where a text is none that a file can hold, TooLarge where following
    the changes would take too long.
    """
    raw = [_part(change) for change in edit.changes]
    _bound(raw, data)
    parts = [Part(unified(part.old), unified(part.new), part.everywhere) for part in raw]
    if any(a.old != a.new and b.old == b.new for a, b in zip(raw, parts, strict=True)):
        return _folded(raw), data
    return _folded(parts), unified(data)


def written(edit: Edit, text: bytes | None = None) -> bytes | None:
    """What the edit makes of a text, or writes where it needs none; None: it would be refused.

    In LF line ends. Raises as `parts_of` does.
    """
    parts = [_part(change) for change in edit.changes]
    _bound(parts, text or b"")
    if text is None:
        text, parts = unified(parts[0].new), parts[1:]
    for part in parts:
        old, new = unified(part.old), unified(part.new)
        if not old or old not in text:
            return None
        text = _replaced(text, old, new, part.everywhere)
    return text


def has_old(text: bytes, part: Part) -> bool:
    """Whether the old text is there other than inside the new one."""
    return part.old in outside(text, part.old, part.new)


def has_new(text: bytes, part: Part) -> bool:
    """Whether the new text is there other than inside the old one; of a deletion, that it is."""
    if not part.new:
        return part.old not in text
    return part.new in outside(text, part.new, part.old)


def outside(text: bytes, sought: bytes, other: bytes) -> bytes:
    """The text, of the same length, in which `sought` no longer stands inside `other`."""
    if sought == other or sought not in other:
        return text
    return text.replace(other, bytes(len(other)))


def could_follow(text: bytes, parts: Iterable[Part]) -> bool:
    """Whether the parts could be applied to the text in turn: it may be as before the call."""
    for part in parts:
        if has_old(text, part):
            text = _replaced(text, part.old, part.new, part.everywhere)
        elif part.changes:
            return False
    return True


def could_precede(text: bytes, parts: Sequence[Part]) -> bool:
    """Whether the parts could have made the text: it may be as after the call."""
    before = text
    for part in reversed(parts):
        if not has_new(before, part) and not has_new(text, part) and part.changes:
            return False
        if part.new:
            before = _replaced(before, part.new, part.old, part.everywhere)
    return True


def _part(change: Change) -> Part:
    old = (change.old or "").encode("utf-8")
    return Part(old, change.new.encode("utf-8"), change.everywhere)


def _bound(parts: Sequence[Part], data: bytes) -> None:
    texts = sum(len(part.old) + len(part.new) for part in parts)
    if len(parts) * (len(data) + texts) > WORK:
        raise TooLarge


def _folded(parts: Iterable[Part]) -> list[Part]:
    found: list[Part] = []
    for part in parts:
        hosts = [at for at, host in enumerate(found) if part.old and part.old in host.new]
        # A text that is replaced once is there once: the newest that holds it is the one.
        for at in hosts if part.everywhere else hosts[-1:]:
            host = found[at]
            new = _replaced(host.new, part.old, part.new, part.everywhere)
            found[at] = host._replace(new=new)
        if hosts:
            found[hosts[-1]] = found[hosts[-1]]._replace(changes=found[hosts[-1]].changes + 1)
        if not hosts or part.everywhere:
            found.append(part._replace(changes=0 if hosts else 1))
    return [part for part in found if part.old != part.new]


def _replaced(text: bytes, old: bytes, new: bytes, everywhere: bool) -> bytes:
    if not everywhere:
        return text.replace(old, new, 1)
    grown = len(new) - len(old)
    if grown > 0 and len(text) + grown * text.count(old) > WORK:
        raise TooLarge
    return text.replace(old, new)
