"""What an edit leaves in a file, and other edits of the file that explain it as well. Pure.

Edits of one file that run side by side, or come later, can each have made what another was to make,
or have undone it. Where one of them explains the file as well, the file says nothing of the other.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model.edits import Edit
from .changes import (
    ComparedTexts,
    Part,
    could_follow,
    could_precede,
    has_new,
    has_old,
    made_of,
    terms_of,
    unified,
)
from .reasons import MADE_AGAIN, MADE_TOO, NEVER_THERE, REWRITTEN, UNDONE

_BOM = b"\xef\xbb\xbf"


def bare(data: bytes) -> bytes:
    """A content without what makes no difference: its line ends and byte order mark."""
    return unified(data.removeprefix(_BOM))


def content_of(edit: Edit) -> bytes | None:
    """The content of an edit that writes the whole file; None where it makes no sense."""
    first, *others = terms_of(edit, b"").plain
    return made_of(first.new, others)


def could_be_made(edit: Edit, data: bytes) -> bool:
    """Whether a file has what the edit was to bring about."""
    if not edit.changes[0].old:
        return _is_written(edit, data)
    terms = terms_of(edit, data)
    return bool(terms.parts) and could_precede(terms.text, terms.parts)


def is_present(edit: Edit, data: bytes) -> bool:
    """Whether a file has what the edit was to bring about, and none of what it was to replace."""
    if not could_be_made(edit, data):
        return False
    terms = terms_of(edit, data)
    return not edit.changes[0].old or not any(has_old(terms.text, part) for part in terms.parts)


def rival_reason(edit: Edit, data: bytes, others: Iterable[Edit], applied: bool) -> str:
    """Why another edit explains the file as well; "" where none does.

    `applied`: the file looks as if the edit had been carried out; else as if it had not.
    """
    return next((why for other in others if (why := _reason(edit, data, other, applied))), "")


def _reason(edit: Edit, data: bytes, other: Edit, applied: bool) -> str:
    if other.changes == edit.changes:
        return MADE_AGAIN if applied else ""
    is_whole, is_other_whole = not edit.changes[0].old, not other.changes[0].old
    if is_whole and is_other_whole:
        return ""
    if is_whole:
        return MADE_TOO if applied and is_present(other, data) else ""
    terms, theirs = terms_of(edit, data), terms_of(other, data)
    if applied and all(_only_removes(part, theirs.plain) for part in terms.parts):
        return NEVER_THERE
    if is_other_whole:
        looks = could_precede if applied else could_follow
        return REWRITTEN if looks(theirs.plain[0].new, terms.parts) else ""
    if applied and _lacks_its_ground(terms, theirs):
        return NEVER_THERE
    if applied:
        return _made_by(terms, theirs.parts, could_be_made(other, data))
    taken_back = any(_takes_back(part, that) for part in terms.parts for that in theirs.parts)
    return UNDONE if taken_back and could_be_made(other, data) else ""


def _made_by(terms: ComparedTexts, theirs: list[Part], is_made: bool) -> str:
    """Why what looks as if it was carried out may be due to another edit."""
    if any(
        part.old in that.new and part.new in that.old for part in terms.parts for that in theirs
    ):
        return UNDONE
    explained = all(
        any(_makes_too(part, that, terms.text) for that in theirs) for part in terms.parts
    )
    return MADE_TOO if is_made and explained else ""


def _lacks_its_ground(terms: ComparedTexts, theirs: ComparedTexts) -> bool:
    """Whether the other edit was to bring the old text, and looks as if it was not made itself."""
    needed = any(part.old in that.new for part in terms.parts for that in theirs.parts)
    return needed and could_follow(theirs.text, theirs.parts)


def _only_removes(part: Part, theirs: list[Part]) -> bool:
    """Whether a change takes away text that another was to bring, and brings none of its own."""
    return part.new in part.old and any(part.old in that.new for that in theirs)


def _takes_back(part: Part, that: Part) -> bool:
    """Whether another change, made after this one, leaves the file as if this one was not made."""
    if that.old not in part.new:
        return part.old in that.new and part.new in that.old
    after = part.new.replace(that.old, that.new)
    return has_old(after, part) and not has_new(after, part)


def _makes_too(part: Part, that: Part, text: bytes) -> bool:
    """Whether the new text is where another change brought its own, and the old one is gone."""
    if part.new and part.new in text.replace(that.new or part.new, b"\0"):
        return False
    if not part.new and part.old in that.new:
        return False
    return part.old in part.new or part.old in that.old


def _is_written(edit: Edit, data: bytes) -> bool:
    content = content_of(edit)
    return content is not None and bare(content) == bare(data)
