"""What a file's contents say about an interrupted edit. Pure: from bytes to a suggestion.

Certain knowledge takes precedence over text comparison: the file was not modified since it was
read, or a backup shows its previous contents. If two answers explain the file equally well, neither
is suggested.

The file overrides any other evidence (`_held_to_file`): an edit is never *not applied* if the new
text is present and the old one is not, and never *applied* if the new text is not present. A text
is present if it occurs outside the other text of its change: after an insertion the old text
remains inside the new one and does not count; before a shortening the new text is inside the old
one and does not count either. A deletion's new text is present if the old one is absent. If there
are several changes, all must be present; one whose text was replaced by a later change of the same
call is present if that one is. A file written whole must contain all of the contents. Line endings
and a byte order mark are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..model.edits import Edit
from ..model.evidence import TOLERANCE, Before, Holds, Suggestion
from .changes import (
    ComparedTexts,
    TooLarge,
    could_follow,
    could_precede,
    has_new,
    has_old,
    made_of,
    terms_of,
)
from .reasons import (
    AS_BEFORE,
    BEGINNING,
    BINARY,
    EMPTY,
    GONE,
    ILL_FORMED,
    IN_FULL,
    IN_FULL_BEFORE,
    LEFTOVER,
    MISSING,
    NO_DIFFERENCE,
    NO_TIME,
    NOT_PRESENT,
    NOT_THERE,
    OTHER_ENCODING,
    SOMETHING_ELSE_ABOUT,
    SOMETHING_ELSE_AFTER,
    SOMETHING_ELSE_BEFORE,
    SOMETHING_ELSE_NEW,
    STANDS_ALONE,
    TOO_LARGE,
    UNWRITTEN,
    WITH_CHANGE,
    of_changes,
    though_older,
    though_present,
)
from .rivals import bare, content_of, could_be_made, is_present, rival_reason


@dataclass(frozen=True, slots=True)
class Finding:
    """A suggestion, its reason, and the texts in the file that it rests on."""

    suggests: Suggestion
    reason: str
    places: tuple[tuple[bytes, bytes, Holds], ...] = ()
    """Each: the text to look for, the text inside which it does not count, and which side it is."""


def judge(edit: Edit, data: bytes | None, known: Before) -> Finding:
    """Return what a file (None if missing) suggests about an edit of it that has no result."""
    try:
        judgement = _supported(edit, data, known)
        return judgement if data is None else _held_to_file(judgement, edit, data, known)
    except UnicodeEncodeError:
        return Finding("unknown", ILL_FORMED)
    except TooLarge:
        return Finding("unknown", TOO_LARGE)


def _supported(edit: Edit, data: bytes | None, known: Before) -> Finding:
    """Return the suggestion that all the evidence supports."""
    if edit.changes[0].old:
        judgement = _judge_changes(edit, data, known)
    else:
        judgement = _judge_whole(edit, data, known)
    return _doubted(_settled_by_leftover(judgement, known), known)


def _held_to_file(judgement: Finding, edit: Edit, data: bytes, known: Before) -> Finding:
    """Return the finding unless the file rules it out: the last step, never bypassed."""
    suggests, reason = judgement.suggests, judgement.reason
    if suggests == "not-applied" and is_present(edit, data):
        return replace(judgement, suggests="ambiguous", reason=though_present(reason))
    if suggests == "applied" and not _may_be_applied(edit, data, known):
        return replace(judgement, suggests="unknown", reason=NOT_PRESENT)
    if suggests in ("applied", "not-applied"):
        rival = rival_reason(edit, data, known.others, suggests == "applied")
        if rival:
            return replace(judgement, suggests="ambiguous", reason=rival)
    return judgement


def _may_be_applied(edit: Edit, data: bytes, known: Before) -> bool:
    """Return whether the edit may have produced the file."""
    terms = terms_of(edit, data)
    if edit.changes[0].old and terms.plain[-1].new not in terms.text:
        return False  # the call leaves nothing after its last text, even if that is a no-op
    if could_be_made(edit, data):
        return True
    if known.before is None or not edit.changes[0].old:
        return False
    return made_of(terms_of(edit, known.before).text, terms.plain) == terms.text


def _judge_whole(edit: Edit, data: bytes | None, known: Before) -> Finding:
    """Judge a call that writes the whole contents, or creates the file."""
    content = content_of(edit)
    if content is None:
        return Finding("unknown", STANDS_ALONE)
    if data is None:
        if known.existed:
            return Finding("unknown", GONE)
        return Finding("not-applied", NOT_THERE)
    if b"\0" in data:
        return Finding("unknown", BINARY)
    return _judge_content(bare(content), bare(data), known)


def _judge_content(content: bytes, now: bytes, known: Before) -> Finding:
    before = None if known.before is None else bare(known.before)
    if known.unwritten:
        return Finding("not-applied", UNWRITTEN)
    if now == content:
        # A backup made after the write has the same contents and does not show the state before.
        if before == content and known.is_alone:
            return Finding("ambiguous", IN_FULL_BEFORE)
        return Finding("applied", IN_FULL)
    if now == before and not known.others:
        return Finding("not-applied", AS_BEFORE)
    if known.at is None or known.modified_at is None:
        return Finding("unknown", NO_TIME)
    if content.startswith(now) and known.modified_at >= known.at - TOLERANCE:
        return Finding("ambiguous", BEGINNING if now else EMPTY)
    changed_after = known.modified_at > known.at + TOLERANCE
    if not changed_after and known.existed is not False:
        if known.modified_at >= known.at - TOLERANCE:
            return Finding("ambiguous", SOMETHING_ELSE_ABOUT)
        return Finding("not-applied", SOMETHING_ELSE_BEFORE)
    if not _is_searchable([content], now):
        return Finding("unknown", OTHER_ENCODING)
    return Finding("changed-since", SOMETHING_ELSE_AFTER if changed_after else SOMETHING_ELSE_NEW)


def _judge_changes(edit: Edit, data: bytes | None, known: Before) -> Finding:
    """Judge a call that replaces texts in a file."""
    if data is None:
        return Finding("unknown", MISSING)
    if b"\0" in data:
        return Finding("unknown", BINARY)
    if not all(change.old for change in edit.changes):
        return Finding("unknown", STANDS_ALONE)
    terms = terms_of(edit, data)
    if not terms.parts:
        return Finding("unknown", NO_DIFFERENCE)
    judgement = _certain(edit, terms, known) or _judge_text(terms)
    return replace(judgement, places=_places(terms))


def _certain(edit: Edit, terms: ComparedTexts, known: Before) -> Finding | None:
    """Return what the file's contents before the call settle; None if that is not known."""
    if known.unwritten:
        return Finding("not-applied", UNWRITTEN)
    if known.before is None:
        return None
    start = terms_of(edit, known.before)
    after = made_of(start.text, start.plain)
    # Contents to which the edit could not be applied are not the state before it.
    if after is None or after == start.text:
        return None
    if not known.is_alone and not could_follow(start.text, start.parts):
        return None
    if terms.text == after:
        return Finding("applied", WITH_CHANGE)
    if terms.text != start.text:
        return None
    is_after_another = bool(known.others) and could_precede(start.text, start.parts)
    return None if is_after_another else Finding("not-applied", AS_BEFORE)


def _judge_text(terms: ComparedTexts) -> Finding:
    text, parts = terms.text, terms.parts
    if not _is_searchable([sought for part in parts for sought in (part.old, part.new)], text):
        return Finding("unknown", OTHER_ENCODING)
    suggests = _suggested(terms)
    olds = any(has_old(text, part) for part in parts)
    return Finding(suggests, of_changes(suggests, parts, _there(terms), olds))


def _suggested(terms: ComparedTexts) -> Suggestion:
    text, parts = terms.text, terms.parts
    after = could_precede(text, parts)
    if could_follow(text, parts):
        return "ambiguous" if after or has_new(text, parts[-1]) else "not-applied"
    if after:
        return "applied"
    if any(has_new(text, part) for part in parts):
        return "ambiguous"
    # Changes that cancel each other out leave no parts that could be followed.
    return "changed-since" if made_of(text, terms.plain) is None else "not-applied"


def _there(terms: ComparedTexts) -> int:
    """Count the call's changes that are in the text and whose old text is gone."""
    done = (part for part in terms.parts if has_new(terms.text, part))
    return sum(part.changes for part in done if not has_old(terms.text, part))


def _is_searchable(texts: Sequence[bytes], text: bytes) -> bool:
    """Return whether a text that is not found as UTF-8 is really absent."""
    wide = [sought for sought in texts if not sought.isascii()]
    if not wide or any(sought in text for sought in wide):
        return True
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _places(terms: ComparedTexts) -> tuple[tuple[bytes, bytes, Holds], ...]:
    places: list[tuple[bytes, bytes, Holds]] = []
    for part in terms.parts:
        if part.new and has_new(terms.text, part):
            places.append((part.new, part.old, "new"))
        elif has_old(terms.text, part):
            places.append((part.old, part.new, "old"))
    return tuple(places)


def _settled_by_leftover(judgement: Finding, known: Before) -> Finding:
    """A write that left its temporary file behind was interrupted before it replaced the file."""
    if known.leftover and judgement.suggests in ("ambiguous", "not-applied"):
        reason = LEFTOVER.format(known.leftover)
        return replace(judgement, suggests="not-applied", reason=reason)
    return judgement


def _doubted(judgement: Finding, known: Before) -> Finding:
    """A file that was not modified after the call may have had its text before."""
    if judgement.suggests != "applied" or known.at is None or known.modified_at is None:
        return judgement
    if known.modified_at >= known.at - TOLERANCE:
        return judgement
    return replace(judgement, suggests="ambiguous", reason=though_older(judgement.reason))
