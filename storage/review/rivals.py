"""Pure: what an edit leaves in a file, and other edits that explain the same contents.

Edits of one file that run in parallel, or come later, may have written the same text as the edit in
question, or undone it. If one of them explains the file equally well, the file is no evidence for
this edit.
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
    """Return contents with line endings unified and the byte order mark removed."""
    return unified(data.removeprefix(_BOM))


def content_of(edit: Edit) -> bytes | None:
    """Return the contents written by a whole-file edit; None if its changes cannot be applied."""
    first, *others = terms_of(edit, b"").plain
    return made_of(first.new, others)


def could_be_made(edit: Edit, data: bytes) -> bool:
    """Return whether a file contains the result of an edit."""
    if not edit.changes[0].old:
        return _is_written(edit, data)
    terms = terms_of(edit, data)
    return bool(terms.parts) and could_precede(terms.text, terms.parts)


def is_present(edit: Edit, data: bytes) -> bool:
    """Return whether a file contains the result of an edit, and none of the text it replaces."""
    if not could_be_made(edit, data):
        return False
    terms = terms_of(edit, data)
    return not edit.changes[0].old or not any(has_old(terms.text, part) for part in terms.parts)


def rival_reason(edit: Edit, data: bytes, others: Iterable[Edit], applied: bool) -> str:
    """Return why another edit explains the file equally well; "" if none does.

    `applied`: the file looks as if the edit was applied; otherwise as if it was not.
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
    """Return why an edit that looks applied may be the work of another one."""
    if any(
        part.old in that.new and part.new in that.old for part in terms.parts for that in theirs
    ):
        return UNDONE
    explained = all(
        any(_makes_too(part, that, terms.text) for that in theirs) for part in terms.parts
    )
    return MADE_TOO if is_made and explained else ""


def _lacks_its_ground(terms: ComparedTexts, theirs: ComparedTexts) -> bool:
    """Return whether the other edit was to add the old text, but looks unapplied itself."""
    needed = any(part.old in that.new for part in terms.parts for that in theirs.parts)
    return needed and could_follow(theirs.text, theirs.parts)


def _only_removes(part: Part, theirs: list[Part]) -> bool:
    """Return whether a change only removes text that another change was to add."""
    return part.new in part.old and any(part.old in that.new for that in theirs)


def _takes_back(part: Part, that: Part) -> bool:
    """Return whether a later change leaves the file as if this one had never been applied."""
    if that.old not in part.new:
        return part.old in that.new and part.new in that.old
    after = part.new.replace(that.old, that.new)
    return has_old(after, part) and not has_new(after, part)


def _makes_too(part: Part, that: Part, text: bytes) -> bool:
    """Return whether another change accounts for the new text and for the missing old one."""
    if part.new and part.new in text.replace(that.new or part.new, b"\0"):
        return False
    if not part.new and part.old in that.new:
        return False
    return part.old in part.new or part.old in that.old


def _is_written(edit: Edit, data: bytes) -> bool:
    content = content_of(edit)
    return content is not None and bare(content) == bare(data)
