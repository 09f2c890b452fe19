"""The changes of an edit against the bytes of a file: what of them is there, and what was before.

Later changes may touch the text that earlier ones made; such are folded into one part, so that
each part's old text is one that the file held before the call and its new text one that it holds
after. Line ends count for nothing, unless they are all that a change is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..model.edits import Change, Edit

WORK = 256 * 1024 * 1024
"""Bytes gone through for one edit, changes times text: a hostile call must not hold the screen."""


class TooLarge(Exception):
    """The changes cost more to follow than they are worth."""


class Part(NamedTuple):
    """One replacement."""

    old: bytes
    new: bytes
    everywhere: bool
    changes: int = 1
    """How many of the call's went into it; 0: what remains of one that went into others."""


def unified(data: bytes) -> bytes:
    """A text whose lines end in LF alone."""
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


class ComparedTexts(NamedTuple):
    """An edit and a file's text, alike in their line ends."""

    text: bytes
    plain: list[Part]
    """The changes as they were asked for."""
    parts: list[Part]
    """The changes folded, those that come to nothing left out."""


def terms_of(edit: Edit, data: bytes) -> ComparedTexts:
    """The terms on which an edit is compared with a file.

    Raises UnicodeEncodeError where a text is none that a file can hold, TooLarge where following
    the changes would take too long.
    """
    raw = [_part(change) for change in edit.changes]
    _bound(raw, data)
    plain = [part._replace(old=unified(part.old), new=unified(part.new)) for part in raw]
    if any(a.old != a.new and b.old == b.new for a, b in zip(raw, plain, strict=True)):
        return ComparedTexts(data, raw, _folded(raw))
    return ComparedTexts(unified(data), plain, _folded(plain))


def made_of(text: bytes, plain: Sequence[Part]) -> bytes | None:
    """What a text becomes by changes in turn; None where one of them would be refused."""
    for part in plain:
        if not part.old or part.old not in text:
            return None
        text = _replaced(text, part, _share(plain))
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


def could_follow(text: bytes, parts: Sequence[Part]) -> bool:
    """Whether the parts could be applied to the text in turn: it may be as before the call."""
    for part in parts:
        if has_old(text, part):
            text = _replaced(text, part, _share(parts))
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
            undone = part._replace(old=part.new, new=part.old)
            before = _replaced(before, undone, _share(parts))
    return True


def _part(change: Change) -> Part:
    old = (change.old or "").encode("utf-8")
    return Part(old, change.new.encode("utf-8"), change.everywhere)


def _share(parts: Sequence[Part]) -> int:
    """How long a text may be that each of the parts is looked for in."""
    return WORK // max(1, len(parts))


def _bound(parts: Sequence[Part], data: bytes) -> None:
    texts = sum(len(part.old) + len(part.new) for part in parts)
    if len(data) + texts > _share(parts):
        raise TooLarge


def _folded(parts: Sequence[Part]) -> list[Part]:
    found: list[Part] = []
    for part in parts:
        hosts = [at for at, host in enumerate(found) if part.old and part.old in host.new]
        # A text that is replaced once is there once: the newest that holds it is the one.
        for at in hosts if part.everywhere else hosts[-1:]:
            new = _replaced(found[at].new, part, _share(parts))
            found[at] = found[at]._replace(new=new)
        if hosts:
            newest = found[hosts[-1]]
            found[hosts[-1]] = newest._replace(changes=newest.changes + 1)
            _bound(found, b"")
        if not hosts or part.everywhere:
            found.append(part._replace(changes=0 if hosts else 1))
    return [part for part in found if part.old != part.new]


def _replaced(text: bytes, part: Part, longest: int) -> bytes:
    grown = len(part.new) - len(part.old)
    if part.everywhere and grown > 0 and len(text) + grown * text.count(part.old) > longest:
        raise TooLarge
    return text.replace(part.old, part.new, -1 if part.everywhere else 1)
