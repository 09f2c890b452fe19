"""The changes of an edit compared with a file: which are present, and what was there before.

Later changes may touch text written by earlier ones. These are folded into one part, so that each
part's old text was in the file before the call, and its new text is there after it. Line endings
are ignored unless they are all that a change affects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..model.edits import Change, Edit

WORK = 256 * 1024 * 1024
"""Maximum bytes scanned for one edit (changes times text): hostile calls must not block the UI."""


class TooLarge(Exception):
    """The changes are too expensive to apply."""


class Part(NamedTuple):
    """One replacement."""

    old: bytes
    new: bytes
    everywhere: bool
    changes: int = 1
    """How many of the call's changes it combines; 0 for the rest of one merged into others."""


def unified(data: bytes) -> bytes:
    """Return a text with CRLF replaced by LF."""
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


class ComparedTexts(NamedTuple):
    """An edit and a file's text, with the same line endings."""

    text: bytes
    plain: list[Part]
    """The changes as requested."""
    parts: list[Part]
    """The folded changes, without those that have no effect."""


def terms_of(edit: Edit, data: bytes) -> ComparedTexts:
    """Return an edit and a file's text in comparable form.

    Raises UnicodeEncodeError if a text cannot be encoded in UTF-8, TooLarge if applying the changes
    would take too long.
    """
    raw = [_part(change) for change in edit.changes]
    _bound(raw, data)
    plain = [part._replace(old=unified(part.old), new=unified(part.new)) for part in raw]
    if any(a.old != a.new and b.old == b.new for a, b in zip(raw, plain, strict=True)):
        return ComparedTexts(data, raw, _folded(raw))
    return ComparedTexts(unified(data), plain, _folded(plain))


def made_of(text: bytes, plain: Sequence[Part]) -> bytes | None:
    """Return the text after applying the changes in turn; None if one of them cannot be applied."""
    for part in plain:
        if not part.old or part.old not in text:
            return None
        text = _replaced(text, part, _share(plain))
    return text


def has_old(text: bytes, part: Part) -> bool:
    """Return whether the old text occurs outside the new one."""
    return part.old in outside(text, part.old, part.new)


def has_new(text: bytes, part: Part) -> bool:
    """Return whether the new text occurs outside the old one, or is an applied deletion."""
    if not part.new:
        return part.old not in text
    return part.new in outside(text, part.new, part.old)


def outside(text: bytes, sought: bytes, other: bytes) -> bytes:
    """Return a text of the same length in which `sought` no longer occurs inside `other`."""
    if sought == other or sought not in other:
        return text
    return text.replace(other, bytes(len(other)))


def could_follow(text: bytes, parts: Sequence[Part]) -> bool:
    """Return whether the parts apply in turn: the text may be the state before the call."""
    for part in parts:
        if has_old(text, part):
            text = _replaced(text, part, _share(parts))
        elif part.changes:
            return False
    return True


def could_precede(text: bytes, parts: Sequence[Part]) -> bool:
    """Return whether the parts could have produced the text: it may be the state after the call."""
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
    """Return the maximum length of a text in which each of the parts is searched for."""
    return WORK // max(1, len(parts))


def _bound(parts: Sequence[Part], data: bytes) -> None:
    texts = sum(len(part.old) + len(part.new) for part in parts)
    if len(data) + texts > _share(parts):
        raise TooLarge


def _folded(parts: Sequence[Part]) -> list[Part]:
    found: list[Part] = []
    for part in parts:
        hosts = [at for at, host in enumerate(found) if part.old and part.old in host.new]
        # A text to be replaced once occurs once: the newest part that contains it is the one.
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
