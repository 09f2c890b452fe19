"""What an edit call would change: old and new text, the same for all tools and formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..text.paths import named_path

_FIELDS = ("file_path", "old_string", "new_string", "replace_all", "content", "edits")


@dataclass(frozen=True, slots=True)
class Change:
    """One replacement in a file; `old` is None if the whole content is written."""

    old: str | None
    new: str
    everywhere: bool = False
    """Whether every occurrence is replaced."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The changes of one call to one file."""

    path: str
    changes: tuple[Change, ...]


def edit_of(tool: str | None, args: Any) -> Edit | None:
    """Return the edit described by a call's arguments; None if none, or described incompletely.

    Supports Edit and MultiEdit (`old_string`, `new_string`, `edits`), Write (`content`) and
    MyCodeAgent's Edit (`edits`, `create_content`).
    """
    if tool not in ("Edit", "MultiEdit", "Write") or not isinstance(args, dict):
        return None
    if _is_repaired(args):
        return None
    path = named_path(args)
    if path is None:
        return None
    content = args.get("content" if tool == "Write" else "create_content")
    if isinstance(content, str):
        return Edit(path, (Change(None, content),))
    edits = args.get("edits")
    found = [_change(edit) for edit in (edits if isinstance(edits, list) else [args])]
    changes = tuple(change for change in found if change)
    # If any of several is malformed, the effect of the call is unknown.
    return Edit(path, changes) if changes and len(changes) == len(found) else None


def lines_changed(edit: Edit) -> tuple[int, int]:
    """Return the numbers of lines added and removed, ignoring common lines at both ends."""
    added = removed = 0
    for change in edit.changes:
        old, new = (change.old or "").splitlines(), change.new.splitlines()
        same = _common(old, new)
        same += _common(old[same:][::-1], new[same:][::-1])
        added, removed = added + len(new) - same, removed + len(old) - same
    return added, removed


def _is_repaired(args: dict[Any, Any]) -> bool:
    """Return whether the arguments were cut off inside a field name, recorded with the value null.

    The fields before it may be incomplete as well.
    """
    cut = (key for key, value in args.items() if value is None and isinstance(key, str))
    return any(field != key and field.startswith(key) for key in cut for field in _FIELDS)


def _change(edit: Any) -> Change | None:
    if not isinstance(edit, dict) or _is_repaired(edit):
        return None
    old, new = edit.get("old_string"), edit.get("new_string")
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    return Change(old, new, everywhere=edit.get("replace_all") is True)


def _common(one: list[str], other: list[str]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
