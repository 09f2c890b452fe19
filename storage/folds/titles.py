"""Which of a session's titles to show."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..text.folding import well_formed

if TYPE_CHECKING:
    from ..model.event import TitleSource

LENGTH = 200
"""Maximum length of a title in characters; longer ones end in an ellipsis."""

_EXCERPT = 4000
"""Characters of a text that are examined: a pasted file of megabytes must not cost its length."""

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)"  # OSC: window title, links
    r"|\x1b[@-Z\\-_]"
)
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_PICTURES = re.compile(r"\[image(?: [^\]\n]*)?\]|@image#\d+:")
_COMMAND = re.compile(r"/[a-z][\w:.-]*(?!\S)", re.IGNORECASE)
_BLOCK = re.compile(
    r"\s*<([\w:.-]+)(?:\s[^<>]*)?>[ \t]*\r?\n.*?\n[ \t]*</\1>[ \t]*(?=[\r\n]|\Z)", re.DOTALL
)
"""An unknown wrapper before what was typed: a block whose tags are on lines of their own."""
_SHORT = 40
"""Maximum length of a prompt that only tells the agent to continue, in characters."""

_BLOCKS = 8
"""Maximum number of such blocks that are skipped."""

_CONTINUE = re.compile(
    r"(?:please |ok(?:ay)?,? |yes,? )?"
    r"(?:continue|go on|go ahead|proceed|resume|carry on|keep going)(?: please)?"
    r"|(?:请|請)?(?:继续|繼續|接着做?|接著做?)(?:吧|做)?"
    r"|続けて(?:ください)?|続行|계속(?:해(?:줘|주세요)?)?",
    re.IGNORECASE,
)

_PLACEHOLDERS = re.compile(
    r"|\(no content\)"
    r"|/[\w:.-]+"  # a slash command without arguments
    r"|(?:[a-z]:[\\/]|[~./\\])[^\n]*\.(?:png|jpe?g|gif|webp|bmp|svg|heic|tiff?)",
    re.IGNORECASE,
)


def choose(
    order: Sequence[TitleSource],
    titles: Mapping[str, str],
    app_custom: str | None,
    app_title: str | None,
    first_prompt: str,
    file_name: str,
) -> tuple[str, TitleSource]:
    """Return the title to show, and its source.

    `order`: the sources in the agent's order of preference. `titles`: the transcript's own, the
    last of each source. The two `app` ones are from the agent's database; a custom one takes
    precedence over all others. Meaningless titles are skipped; `file_name` is the last resort.
    """
    found: dict[TitleSource, str] = {
        "app": naming_words(app_title or ""),
        "summary": naming_words(titles.get("summary") or ""),
        "prompt": _PICTURES.sub(" ", first_prompt[:_EXCERPT]),
    }
    candidates: list[tuple[TitleSource, str | None]] = [("app", app_custom)]
    candidates += [(one, found[one] if one in found else titles.get(one)) for one in order]
    for source, text in candidates:
        if text and not is_placeholder(text):
            return one_line(text), source
    return one_line(file_name), "file"


def naming_words(prompt: str) -> str:
    """Return the words of a prompt that can name its session; "" for a command or "continue"."""
    words = prompt
    for _ in range(_BLOCKS):
        block = _BLOCK.match(words) if words.lstrip().startswith("<") else None
        if block is None or not words[block.end() :].strip():
            break
        words = words[block.end() :]
    words = _PICTURES.sub(" ", words[:_EXCERPT]).strip()
    says_nothing = is_placeholder(words) or _COMMAND.match(words) or is_continuation(words)
    return "" if says_nothing else words


def is_continuation(prompt: str) -> bool:
    """Return whether a prompt only tells the agent to continue."""
    return len(prompt) < _SHORT and _CONTINUE.fullmatch(prompt.strip(" \t\r\n.!…。！")) is not None


def is_placeholder(text: str) -> bool:
    """Return whether a title is meaningless: blank, `(No content)`, bare command, image path."""
    return _PLACEHOLDERS.fullmatch(one_line(text)) is not None


def one_line(text: str, length: int = LENGTH) -> str:
    """Return text as one truncated line without control, escape and bidi characters."""
    plain = _ESCAPES.sub("", text.lstrip()[:_EXCERPT])
    plain = " ".join(_UNSEEN.sub(_space, plain).split())
    plain = well_formed(plain)
    return plain if len(plain) <= length else plain[: length - 1].rstrip() + "…"


def _space(match: re.Match[str]) -> str:
    return " " if match.group().isspace() else ""
