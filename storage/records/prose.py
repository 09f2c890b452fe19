"""Text for a person out of content in whatever shape a writer chose."""

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
"""Characters of a preview among which it names the file of the whole."""

_WHOLE = re.compile(
    r"Full output(?: saved to)?: [^\n]*tool-results[/\\]([^/\\\n]+?)[ \t\r]*$", re.MULTILINE
)
_DEEPEST = 4
"""Levels of content within content; nothing real has more than two."""


def prose(value: Any, depth: int = _DEEPEST) -> str:
    """What content says: a string, blocks, an object with `text` or `content`, else its JSON."""
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
    """The name of the file that a preview says the whole output lies in; "" if it names none."""
    found = _WHOLE.search(text[:_PREVIEW])
    return found[1] if found else ""


def is_image(block: Any) -> bool:
    """Whether a block of content is a picture."""
    kind = block.get("type") if type(block) is dict else None
    return type(kind) is str and "image" in kind


def image(block: dict[str, Any]) -> str:
    """A picture in a bracketed word or two: by the name it had, else by its type."""
    path = string(block.get("original_filename")) or _stored_name(block)
    # The path may come from another system: Windows' rules split at both kinds of slash.
    name = PureWindowsPath(path).name if path else (string(block.get("mime")) or "")
    return f"[image {name.removeprefix('image/')}]" if name else "[image]"


def _stored_name(block: dict[str, Any]) -> str | None:
    """The stored file, unless it is named after its digest, which says nothing."""
    path, digest = string(block.get("blob_path")), string(block.get("blob_id"))
    return None if path and digest and digest in path else path


def dump(value: Any) -> str:
    """A value as JSON; "" where it is nested too deeply to be written."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


def label(args: Any) -> str:
    """One line that tells a call from others: the path, the command, the question."""
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
