"""Makes foreign text safe to display, print or pass to an agent.

Whatever a transcript contains, the result can neither control a terminal (control characters, ANSI
and OSC sequences), nor reorder or hide text (bidi controls, zero-width and tag characters), nor
spill into other lines (stacked combining marks).
"""

from __future__ import annotations

import re

from .diacritics import without_stacks

MARK = "�"
"""Replaces removed characters that should be noticed."""

ONE_LINE = 400
"""Characters that the widest line can show; the rest of a text is not processed."""

LONGEST_NAME = 4_000
"""Maximum length of a path or id on screen: the longest path on most systems."""

_SEQUENCE = re.compile(
    r"\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS and similar
    r"|\x1b\[[0-?]*[ -/]*[@-~]?"  # CSI
    r"|\x1b[ -/]*[0-~]?"
    # As a single C1 character; unterminated it is more likely a wrongly decoded quotation mark.
    r"|[\x90\x98\x9d-\x9f][^\x07\x1b\x90\x98\x9c-\x9f\n]*+(?:\x07|\x1b\\|\x9c)"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
"""ANSI escape sequences; one that begins with ESC and is unterminated extends to its line's end."""

_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_JOINERS = re.compile("[\u200c\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]+")
"""Characters that only affect the shape of their neighbours. Terminals disagree on the width of
joined emoji, while the separate parts are two cells everywhere. Persian and Hindi words remain
readable without them."""

HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U00013440\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
    "\ud800-\udfff"
    "]+"
)
"""Characters without a glyph: control, format, filler and tag characters, and lone surrogates."""

_BLANKS = re.compile(r"\s+")


def safe_text(text: str, limit: int | None = None) -> str:
    """Return text that is safe to display, truncated to `limit`; keeps newlines and tabs."""
    clipped = limit is not None and len(text) > limit
    if clipped:
        text = text[:limit]
    if not (text.isascii() and text.isprintable()):
        text = _SEQUENCE.sub("", text)
        text = _LINE_END.sub("\n", text)
        text = _JOINERS.sub("", text)
        text = HIDDEN.sub(MARK, text)
        text = without_stacks(text)
    return text + "…" if clipped else text


def one_line(text: str, limit: int = ONE_LINE) -> str:
    """Return the beginning of a text on one line, with white space collapsed."""
    # Sequences and blanks shrink, so take more than is shown, but never all of a huge text.
    head = text[: 4 * limit + 64]
    line = _BLANKS.sub(" ", safe_text(head)).strip()
    if len(line) > limit or len(head) < len(text):
        return line[:limit].rstrip() + "…"
    return line


def exact_name(name: str, limit: int = LONGEST_NAME) -> str:
    """Return a path or id for use in a command: unchanged if safe to show, else shell-quoted.

    `$'/tmp/a\\x1bb'` is recognisable as quoted, and a shell evaluates it to exactly that name. A
    name longer than any path is truncated, for display only.
    """
    line = one_line(name, limit)
    if line == name or len(name) > limit:
        return line
    quoted = "$'" + "".join(map(_quoted, name)) + "'"
    if one_line(quoted, len(quoted)) == quoted:
        return quoted
    # Because of neighbours: runs of blanks, marks on one letter.
    return "$'" + "".join(_quoted(one, is_plain=False) for one in name) + "'"


def shown_name(name: str, limit: int = LONGEST_NAME) -> str:
    """Return a path or id for use in a sentence, with a note if it cannot be shown unchanged."""
    exact = exact_name(name, limit)
    if not exact.startswith("$'") or exact == name:
        return exact
    return f"{one_line(name, limit)} (not shown as it is; its real name is {exact})"


def _quoted(character: str, is_plain: bool = True) -> str:
    """Return a character for use in quotes; unless `is_plain`, escape blanks and non-ASCII."""
    code = ord(character)
    if character in "\\'":
        return "\\" + character
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    is_shown = character == " " or one_line(character) == character
    if is_shown and character != MARK and (is_plain or "!" <= character <= "~"):
        return character
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
