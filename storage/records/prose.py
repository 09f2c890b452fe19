"""Readable text from content of any shape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import PureWindowsPath
from typing import Any

from .fields import string

_LABELS = (
    "file_path",
    "notebook_path",
    "command",
    "pattern",
    "path",
    "query",
    "url",
    "description",
    "subject",
    "summary",
    "prompt",
    "question",
    "name",
)
_LABEL_LENGTH = 500
_PREVIEW = 4000
"""Characters at the start of a preview that are searched for the name of the full output file."""

_WHOLE = re.compile(
    r"Full output(?: saved to)?: [^\n]*tool-results[/\\]([^/\\\n]+?)[ \t\r]*$", re.MULTILINE
)
_DEEPEST = 4
"""Maximum nesting of content within content; real content has at most two levels."""


def prose(value: Any, depth: int = _DEEPEST) -> str:
    """Return the text of content: string, blocks, object with `text` or `content`, else JSON."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    if type(value) is list and depth:
        return "\n".join(part for part in (prose(item, depth - 1) for item in value) if part)
    if type(value) is dict and depth:
        return _block(value, depth)
    return dump(value)


def _block(block: dict[str, Any], depth: int) -> str:
    if is_image(block):
        return image(block)
    for key in ("text", "content", "output"):
        if key in block:
            return prose(block[key], depth - 1)
    return dump(block) if block else ""


def named_output(text: str) -> str:
    """Return the name of the full output file mentioned in a preview; "" if it mentions none."""
    found = _WHOLE.search(text[:_PREVIEW])
    return found[1] if found else ""


def is_image(block: Any) -> bool:
    """Return whether a block of content is an image."""
    kind = block.get("type") if type(block) is dict else None
    return type(kind) is str and "image" in kind


def image(block: dict[str, Any]) -> str:
    """Return a short placeholder for an image, with its original name, else its type."""
    path = string(block.get("original_filename")) or _stored_name(block)
    # The path may come from another system: Windows' rules split at both kinds of slash.
    name = PureWindowsPath(path).name if path else (string(block.get("mime")) or "")
    return f"[image {name.removeprefix('image/')}]" if name else "[image]"


def _stored_name(block: dict[str, Any]) -> str | None:
    """Return the name of the stored file, unless it is named after its digest."""
    path, digest = string(block.get("blob_path")), string(block.get("blob_id"))
    return None if path and digest and digest in path else path


def dump(value: Any) -> str:
    """Return a value as JSON; "" if it is nested too deeply."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


def label(args: Any) -> str:
    """Return a one-line label of a call: its path, command or question."""
    if type(args) is not dict:
        return _one_line(args) if type(args) is str else ""
    named = (args.get(key) for key in _LABELS)
    return _first_line(named) or _question(args) or _first_line(args.values())


def _question(args: dict[str, Any]) -> str:
    questions = args.get("questions")
    if type(questions) is not list or not questions or type(questions[0]) is not dict:
        return ""
    return _first_line([questions[0].get("question")])


def _first_line(values: Iterable[Any]) -> str:
    return next((line for value in values if type(value) is str and (line := _one_line(value))), "")


def _one_line(text: str) -> str:
    return " ".join(text.lstrip()[:_LABEL_LENGTH].split())
