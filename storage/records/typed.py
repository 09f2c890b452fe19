"""What the user typed, separated from what the harness added or wrote in the user's name."""

from __future__ import annotations

import re
from typing import Any

from .prose import image, is_image, prose
from .wrappers import SUMMARIES, begins_with_block, inner_of_whole, without_wrappers

TASK = "teammate-message"
"""Wrapper of a message between members of a team."""

_SUMMARY_TAGS = re.compile(
    r"</?(?:cb_summary|conversation_history_summary|summary|analysis|user_query|omitted"
    r"|previous_(?:user|assistant)_message)(?:\s[^<>]*)?>"
)
_LEAD = 'teammate_id="team-lead"'


def typed_text(content: Any) -> str:
    """Return what was typed in a user message, with placeholders for images; "" if nothing was."""
    if type(content) is not list:
        return _unwrapped(prose(content))
    return "\n".join(part for part in map(_typed_block, content) if part)


def is_summary(text: str) -> bool:
    """Return whether a text is a compaction. Check first, as it quotes entire prompts."""
    return begins_with_block(text, SUMMARIES)


def summary_words(text: str) -> str:
    """Return the text of a compaction without its tags."""
    return _SUMMARY_TAGS.sub("", text).strip()


def task_of(text: str) -> tuple[str, str] | None:
    """Return the task given by a team's lead, and its summary; None for other texts."""
    found = inner_of_whole(text, TASK) if _LEAD in text else None
    if found is None or _LEAD not in found[0]:
        return None
    summary = found[0].partition('summary="')[2].partition('"')[0]
    return found[1].strip(), summary.strip()


def _typed_block(block: Any) -> str:
    if is_image(block):
        return image(block)
    return _unwrapped(_shown(block))


def _shown(block: Any) -> str:
    """Return the text of a block; for an expanded command, the command as typed."""
    extra = block.get("providerData") if type(block) is dict else None
    typed = extra.get("content") if type(extra) is dict else None
    return typed if type(typed) is str and typed.strip() else prose(block)


def _unwrapped(text: str) -> str:
    if "<" not in text:
        return text.strip()
    if is_summary(text):
        return ""
    task = task_of(text)
    return task[0] if task else without_wrappers(text)
