"""Keeps rows intact when the terminal's width of a character differs from the expected one.

Terminals know emoji up to the year they were released, and differ on joined emoji and on combining
marks. So after each such character the cursor is positioned explicitly, and its cells are cleared
beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len, split_graphemes

_AGREED = (
    "\x00-\u02ff\u0370-\u0482\u048a-\u0530\u1e00-\u1fff"  # Latin, Greek, Cyrillic, Armenian
    "\u2000-\u200a\u2010-\u2027\u202f-\u205f\u20a0-\u20bf\u2100-\u2199"
    "\u2500-\u25fc\u2605\u2713\u2717\u2800-\u28ff"  # what the screen is drawn with
    "\u2e80-\u3029\u3030-\u303c\u3041-\u3096\u309b-\u3247\u3250-\u3296\u329a-\ua4cf"
    "\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\uffe0-\uffe6"  # Chinese, Japanese, Korean
    "\U00020000-\U0003fffd"
)
_DISPUTED = re.compile(f"[^{_AGREED}]")
_PLACE = re.compile("(\x1b\\[[0-9]+;[0-9]+H)")
_SEQUENCE = re.compile(
    "(\x1b\\[[0-9;:?<>=]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b.|[\r\n])"
)
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")


def positioned(data: str) -> str:
    """Return output for the terminal with the cursor repositioned after disputed characters."""
    if not _DISPUTED.search(data):
        return data
    pieces = _PLACE.split(data)
    for at in range(2, len(pieces), 2):
        if _DISPUTED.search(pieces[at]):
            column = int(pieces[at - 1][2:-1].partition(";")[2])
            pieces[at] = "".join(_row(pieces[at], column))
    return "".join(pieces)


def _row(data: str, column: int) -> Iterator[str]:
    """Yield the output up to the next cursor position; `column` is 1-based."""
    for number, piece in enumerate(_SEQUENCE.split(data)):
        if number % 2:
            column = 1 if piece in ("\r", "\n") else column
            yield piece
        elif not _DISPUTED.search(piece):
            column += cell_len(piece)
            yield piece
        else:
            for cluster, width in _clusters(piece):
                is_disputed = _DISPUTED.search(cluster)
                end = f"\x1b[{column + width}G"
                blank = f"{' ' * width}\x1b[{column}G" if is_disputed and width else ""
                yield f"{blank}{cluster}{end}" if is_disputed else cluster
                column += width


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """Yield each grapheme with its width in cells; Rich treats a flag as two."""
    at = 0
    while at < len(text):
        if flag := _FLAG.match(text, at):
            yield flag[0], cell_len(flag[0])
            at = flag.end()
            continue
        following = _FLAG.search(text, at)
        end = following.start() if following else len(text)
        spans, _ = split_graphemes(text[at:end])
        yield from ((text[at + first : at + last], width) for first, last, width in spans)
        at = end
