"""Wraps text to a number of cells: between words, and inside Chinese or Japanese."""

from __future__ import annotations

from rich.cells import cell_len, split_graphemes

_NEVER_FIRST = frozenset("、。，．！？）」』】》〉”’：；…ー々")
_NEVER_LAST = frozenset("（「『【《〈“‘")


def wrap(line: str, cells: int) -> list[str]:
    """Return the lines of a safe line without newlines; linear in its length."""
    cells = max(2, cells)
    if line.isascii():
        return _wrap_narrow(line, cells)
    return [line] if cell_len(line) <= cells else _wrap_wide(line, cells)


def _wrap_narrow(line: str, cells: int) -> list[str]:
    lines, begin = [], 0
    while len(line) - begin > cells:
        # A space just after the last cell also ends a line, and is not shown.
        cut = line.rfind(" ", begin + 1, begin + cells + 1)
        if cut == -1 or not line[begin:cut].strip():
            cut = begin + cells
        lines.append(line[begin:cut])
        begin = cut + 1 if line[cut] == " " else cut
    lines.append(line[begin:])
    return lines


def _wrap_wide(line: str, cells: int) -> list[str]:
    lines, begin, width, may_break, last = [], 0, 0, 0, ("", 0)
    for start, end, size in split_graphemes(line)[0]:
        character = line[start]
        if _may_break(last, (character, size)):
            may_break = start
        if width + size > cells:
            if character == " ":
                lines.append(line[begin:start])
                begin, width, last = end, 0, ("", 0)
                continue
            # The word that moves to the next line must leave room there for this character.
            moves = may_break > begin and cell_len(line[may_break:start]) + size <= cells
            cut = may_break if moves else start
            lines.append(line[begin:cut])
            begin, width = cut, cell_len(line[cut:start])
        width += size
        last = (character, size)
    lines.append(line[begin:])
    return lines


def _may_break(last: tuple[str, int], this: tuple[str, int]) -> bool:
    """Return whether a line may end between two characters, given with their widths."""
    if last[0] == " ":
        return this[0] != " "
    if last[1] != 2 and this[1] != 2:
        return False
    return bool(last[0]) and last[0] not in _NEVER_LAST and this[0] not in _NEVER_FIRST
