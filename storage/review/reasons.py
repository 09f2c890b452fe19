"""The sentences that explain evidence."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.evidence import Suggestion
from .changes import Part

PATH_CUT = 200
"""Maximum characters of a path within a sentence."""

COMMAND = "What the command did is not known; it is never run again from here."
OTHER_CALL = "What the call did is not known; it is never repeated from here."
UNREADABLE_EDIT = "What the call was to change cannot be read from it, and it is never made again."

NO_PATH = "The call names no file."

MISSING = "The file that was to be changed is not there."
NOT_THERE = "The file is not there, so it was not written."
GONE = "The file was there before the call and is gone now."
BINARY = "The file is binary, so no text can be looked for in it."
ILL_FORMED = "The call's text holds half a character, which no file can hold as UTF-8."
TOO_LARGE = "The call's changes are too many or too large to be looked for."
TOO_MANY_EDITS = "Too many other calls edit the same file to say which of them took effect."
STANDS_ALONE = "One of the changes does not say which text it replaces."
NO_DIFFERENCE = "The old and the new text are the same, so the file cannot tell."
OTHER_ENCODING = "The file is not UTF-8, so the call's text cannot be looked for in it."

UNWRITTEN = "The file was not written since the agent read it before the call."
AS_BEFORE = "The file is exactly as it was before the call."
WITH_CHANGE = "The file is exactly as it was before the call but for the change."
EXPLAINS_ALL = frozenset({UNWRITTEN, AS_BEFORE, WITH_CHANGE})
"""Reasons that rule out any other change of the file."""
LOST_CALLS = "The response was cut off, so a call without a record may have changed it too."
LEFTOVER = "Its temporary file {} was left behind, so the edit was cut before it took effect."

IN_FULL = "The file holds what was to be written."
IN_FULL_BEFORE = "The file holds what was to be written, but it did so before the call too."
BEGINNING = "The file holds only the beginning of what was to be written."
EMPTY = "The file is empty, as a write leaves it that is cut at its very start."
NO_TIME = "The file holds something else, and whether it changed after the call is not known."
SOMETHING_ELSE_BEFORE = "The file holds something else and was last changed before the call."
SOMETHING_ELSE_ABOUT = (
    "The file holds something else and was last changed at about the time of the call."
)
SOMETHING_ELSE_AFTER = "The file holds something else and was changed after the call."
MADE_AGAIN = "The new text is there, but another call was to make the same change."
MADE_TOO = "The new text is there, but another call's change brings it about as well."
UNDONE = "Another call was to make the opposite change, so the file cannot tell."
NEVER_THERE = "The old text is gone, but only another call was to bring it; it may never have come."
REWRITTEN = "Another call wrote the whole file, so it cannot tell."
NOT_PRESENT = "The new text is not there."
SOMETHING_ELSE_NEW = "The file did not exist before the call and holds something else now."

_DELETION: dict[Suggestion, str] = {
    "applied": "The text that was to be deleted is gone.",
    "not-applied": "The text that was to be deleted is still there.",
}
_INSERTION: dict[Suggestion, str] = {
    "applied": "The new text is there.",
    "not-applied": "The new text is not there, and the place for it is as it was.",
    "ambiguous": "The new text is there, and so is the old one elsewhere.",
}
_SHORTENING: dict[Suggestion, str] = {
    "not-applied": "The text that was to be shortened is still there.",
}
_REPLACEMENT: dict[Suggestion, str] = {
    "applied": "The new text is there and the old one is gone.",
    "not-applied": "The old text is there and the new one is not.",
    "ambiguous": "The old and the new text are both there.",
    "changed-since": "Neither the old nor the new text is there.",
}


def of_changes(suggests: Suggestion, parts: Sequence[Part], there: int, olds: bool) -> str:
    """Return why the changes of a call support a suggestion.

    `there`: how many of the changes are in the file. `olds`: at least one of the old texts is.
    """
    total = sum(part.changes for part in parts)
    if total == 1:
        return _of_one(suggests, parts[0])
    match suggests:
        case "applied":
            return f"All {total} changes are there."
        case "not-applied":
            return f"None of the {total} changes is there, and the old texts are."
        case "ambiguous" if 0 < there < total:
            return f"{there} of {total} changes {'is' if there == 1 else 'are'} there."
        case "ambiguous":
            return f"Both old and new texts of the {total} changes are there."
    if olds:
        return f"None of the {total} changes is there, and not all of the old texts are."
    return f"Neither the old nor the new texts of the {total} changes are there."


def though_older(reason: str) -> str:
    """Return a reason qualified by the file being older than the call."""
    return f"{reason.removesuffix('.')}, though the file was last changed before the call."


def though_present(reason: str) -> str:
    """Return a reason qualified by the new text being present."""
    return f"The new text is there, though {reason[0].lower()}{reason[1:]}"


def of_link(target: str, reason: str) -> str:
    """Return a reason qualified by the path being a symbolic link to `target`."""
    return f"It is a link to {_cut(target)}: {reason[0].lower()}{reason[1:]}"


def of_unknown_directory(named: str) -> str:
    """Return why a call with a relative path cannot be judged."""
    return f"The call names {_cut(named)}, but where its agent ran is not known."


def of_expansion(named: str) -> str:
    """Return why a call whose path contains `~` or a variable cannot be judged."""
    return f"The call names {_cut(named)}; its agent may expand that, so the file is not known."


def _of_one(suggests: Suggestion, part: Part) -> str:
    return _special(part).get(suggests) or _REPLACEMENT[suggests]


def _special(part: Part) -> dict[Suggestion, str]:
    if not part.new:
        return _DELETION
    if part.old in part.new:
        return _INSERTION
    return _SHORTENING if part.new in part.old else {}


def _cut(path: str) -> str:
    return path if len(path) <= PATH_CUT else path[: PATH_CUT - 1] + "…"
