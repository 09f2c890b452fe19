"""Tagged blocks that a harness puts around, before or after what the user typed. Pure.

A tag is a wrapper only if it has exactly one of these names and forms a block: closed, or at the
start of the text. Users may mention any of them inside a sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

SUMMARIES = frozenset({"cb_summary", "conversation_history_summary"})
"""Wrappers of a compaction."""

QUERY = "user_query"
"""Wraps what was typed; all other wrappers contain something else."""

REMINDER = "system-reminder"
"""May also lack an end tag."""

NAMES = SUMMARIES | {
    QUERY,
    REMINDER,
    "agent-notification",
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "command-args",
    "command-contents",
    "command-message",
    "command-name",
    "environment",
    "environment_context",
    "environment_details",
    "ide_diagnostics",
    "ide_opened_file",
    "ide_selection",
    "image_local_path",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "previous_assistant_message",
    "previous_user_message",
    "project_context",
    "project_layout",
    "recommended_plugins",
    "subagent_notification",
    "task-notification",
    "teammate-message",
    "turn_aborted",
    "user-prompt-submit-hook",
    "user_info",
    "user_instructions",
}

_TAG = re.compile(
    rf"<(/?)({'|'.join(sorted(NAMES, key=len, reverse=True))})(?![\w:.-])"
    r"((?:[^<>\"]|\"[^\"]*\")*)>"
)
_NEAR = 300
"""Characters checked on each side of a block, for a sentence that continues there."""


_MAY_BEGIN = frozenset({"<", " ", "\t", "\r", "\n", "\f", "\v", "\u3000", "\xa0", "\ufeff"})
"""Possible first characters of a text that begins with a block: white space may come first."""


class Block(NamedTuple):
    """A block in a text: its offsets, those of its content, and its opening tag."""

    name: str
    start: int
    inner: int
    inner_end: int
    end: int
    closed: bool
    tag: str


def without_wrappers(text: str) -> str:
    """Return the text without wrappers: the last query, if everything else is wrappers."""
    blocks = [block for block in _blocks(text) if _is_wrapper(text, block)]
    queries = [block for block in blocks if block.name == QUERY]
    outside = _without(text, blocks)
    if queries and (not outside or (outside[0] == "<" and outside[-1] == ">")):
        return text[queries[-1].inner : queries[-1].inner_end].strip()
    return _without(text, [block for block in blocks if block.name != QUERY])


def begins_with_block(text: str, names: frozenset[str]) -> bool:
    """Return whether a text begins with a block of one of these names."""
    if text[:1] not in _MAY_BEGIN:
        return False
    start = len(text) - len(text.lstrip())
    match = _TAG.match(text, start)
    if match is None or match[1] or match[2] not in names:
        return False
    return text.find(f"</{match[2]}", match.end()) >= 0 or _opens_block(text, match.end())


def inner_of_whole(text: str, name: str) -> tuple[str, str] | None:
    """Return tag and content of the block that makes up the whole text; None if none does."""
    block = next(_blocks(text), None)
    if block is None or block.name != name or not block.closed:
        return None
    outside = text[: block.start] + text[block.end :]
    return None if outside.strip() else (block.tag, text[block.inner : block.inner_end])


def _without(text: str, blocks: list[Block]) -> str:
    parts, at = [], 0
    for block in blocks:
        if block.start >= at or block.end > at:
            parts.append(text[at : block.start])
            at = block.end
    return ("".join(parts) + text[at:]).strip()


def _blocks(text: str) -> Iterator[Block]:
    """Yield the outermost blocks of a text in order; one without end tag extends to a query."""
    tags = [*_TAG.finditer(text)]
    last_end = {tag[2]: at for at, tag in enumerate(tags) if tag[1]}
    queries = [at for at, tag in enumerate(tags) if tag[2] == QUERY and not tag[1]]
    at = 0
    while at < len(tags):
        tag = tags[at]
        if tag[1] or tag[3].endswith("/"):
            at += 1
        elif last_end.get(tag[2], -1) > at:
            end = _end_of(tags, at, last_end[tag[2]])
            yield _block(tag, tags[end].start(), tags[end].end(), closed=True)
            at = end + 1
        else:
            following = bisect_right(queries, at)
            end_at = tags[queries[following]].start() if following < len(queries) else len(text)
            yield _block(tag, end_at, end_at, closed=False)
            at += 1


def _block(tag: re.Match[str], inner_end: int, end: int, closed: bool) -> Block:
    return Block(tag[2], tag.start(), tag.end(), inner_end, end, closed, tag[0])


def _end_of(tags: list[re.Match[str]], first: int, last: int) -> int:
    """Return the index of the closing tag of a block; the last such tag if they are unbalanced."""
    depth, name = 0, tags[first][2]
    for at in range(first, last + 1):
        tag = tags[at]
        if tag[2] == name and not tag[3].endswith("/"):
            depth += -1 if tag[1] else 1
            if not depth:
                return at
    return last


def _is_wrapper(text: str, block: Block) -> bool:
    """Return whether a block was added by the harness, rather than mentioned in a sentence."""
    before = _begins_line(text, block.start)
    if block.closed:
        behind = _ends_line(text, block.end)
        return before and behind if block.name == QUERY else before or behind
    if _is_first(text, block.start):
        return block.name in (REMINDER, QUERY) or _opens_block(text, block.inner)
    return block.name == REMINDER and before and _ends_line(text, block.inner)


def _is_first(text: str, at: int) -> bool:
    """Return whether only blocks precede an offset."""
    window = text[max(0, at - _NEAR) : at].rstrip()
    return not window if at <= _NEAR and not window else _ends_in_tag(window)


def _begins_line(text: str, at: int) -> bool:
    """Return whether only a block precedes an offset on its line."""
    window = text[max(0, at - _NEAR) : at]
    line = window[window.rfind("\n") + 1 :].rstrip()
    return not line or _ends_in_tag(line)


def _ends_line(text: str, at: int) -> bool:
    """Return whether only a block follows an offset on its line."""
    line = text[at : at + _NEAR].partition("\n")[0]
    rest = line.lstrip()
    return not rest or _TAG.match(text, at + len(line) - len(rest)) is not None


def _ends_in_tag(text: str) -> bool:
    """Return whether a text ends with a closing tag."""
    match = _TAG.match(text, max(0, text.rfind("<")))
    return match is not None and bool(match[1]) and match.end() == len(text)


def _opens_block(text: str, at: int) -> bool:
    """Return whether an opening tag is followed by its content, not by the rest of a sentence."""
    return _ends_line(text, at) or not text[at : at + 1].isspace()
