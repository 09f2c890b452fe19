"""What a person typed, told from what the harness wrapped round it or wrote in their name."""

from __future__ import annotations

import re
from typing import Any

from .prose import image, is_image, prose

SUMMARY_TAGS = ("<cb_summary", "<conversation_history_summary")
"""How the text of a compaction begins. It quotes whole prompts, so it is tested for first."""

_QUERY, _QUERY_END = "<user_query>", "</user_query>"
_REMINDER = re.compile(r"<system-reminder\b.*?(?:</system-reminder>|\Z)", re.DOTALL)
_IMAGE_PATH = re.compile(r"<image_local_path>.*?(?:</image_local_path>|\Z)", re.DOTALL)
_HARNESS = re.compile(
    r"<(?:command-(?:name|message|args)|local-command-(?:stdout|stderr|caveat)"
    r"|user-prompt-submit-hook|teammate-message|task-notification|agent-notification"
    r"|cb_summary|conversation_history_summary|previous_(?:user|assistant)_message|omitted"
    r"|user_info|project_context|project_layout|environment)"
)


def typed_text(content: Any) -> str:
    """The typed words of a user message's content, pictures named; "" if none were typed."""
    if type(content) is not list:
        return _unwrapped(prose(content))
    return "\n".join(part for part in map(_typed_block, content) if part)


def _typed_block(block: Any) -> str:
    if is_image(block):
        return image(block)
    return _unwrapped(_shown(block))


def _shown(block: Any) -> str:
    """A block's text; where a command was expanded, the command as it was typed."""
    extra = block.get("providerData") if type(block) is dict else None
    typed = extra.get("content") if type(extra) is dict else None
    return typed if type(typed) is str and typed.strip() else prose(block)


def _unwrapped(text: str) -> str:
    if "<" not in text:
        return text.strip()
    if text.lstrip().startswith(SUMMARY_TAGS):
        return ""
    start = text.rfind(_QUERY)
    if start >= 0:
        return text[start + len(_QUERY) :].partition(_QUERY_END)[0].strip()
    rest = _IMAGE_PATH.sub("", _REMINDER.sub("", text)).strip()
    return "" if _HARNESS.match(rest) else rest
