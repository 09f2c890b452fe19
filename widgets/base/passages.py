"""Long text in pages: passages of one style each, split where a page is full.

A page is sanitised and wrapped when it is shown, so 30 MB of text open as fast as 30 kB.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.cells import cell_len

from ..words.safe import safe_text
from ..words.wrapping import wrap

PAGE = 32_768
"""Characters of a page: wrapping them takes some milliseconds."""

SLACK = 2_048
"""How much longer a page may get so that it ends with a line."""


class Passage(NamedTuple):
    """Foreign text in one style: plain, muted, heading, label, added, removed, hunk or error."""

    text: str
    look: str = "plain"
    bullet: str = ""
    """Stands before its first line; the others are set below the text of that."""


class Line(NamedTuple):
    """A line on the screen."""

    text: str
    look: str
    joint: str = "\n"
    """What stands in the text between the line before and this one: "", a blank, a line end."""


Page = list[Passage]


def pages(passages: Iterable[Passage]) -> list[Page]:
    """Return the pages of a text, at least one. Only passages across pages are copied."""
    result: list[Page] = [[]]
    room = PAGE
    for passage in passages:
        start, end = 0, len(passage.text)
        while end - start > room + SLACK:
            cut = _cut(passage.text, start + room)
            result[-1].append(passage._replace(text=passage.text[start:cut].removesuffix("\n")))
            result.append([])
            start, room = cut, PAGE
        result[-1].append(passage._replace(text=passage.text[start:]) if start else passage)
        room -= end - start
        if room <= 0:
            result.append([])
            room = PAGE
    return result if result[-1] or len(result) == 1 else result[:-1]


def lines(page: Page, cells: int) -> list[Line]:
    """Return the lines of a page for a width in cells."""
    result: list[Line] = []
    for text, look, bullet in page:
        before, room = bullet, cells - cell_len(bullet)
        for line in safe_text(text).split("\n"):
            result.extend(_wrapped(line.expandtabs(4), room, look, before))
            before = " " * cell_len(bullet)
    return result


def _wrapped(line: str, room: int, look: str, before: str) -> Iterable[Line]:
    """Wrap a line of text; the first resulting line follows `before`."""
    at, joint = 0, "\n"
    for part in wrap(line, room):
        if joint != "\n":
            joint = "" if line.startswith(part, at) else " "
        yield Line(before + part, look, joint)
        at += len(part) + len(joint.strip("\n"))
        joint, before = "", " " * cell_len(before)


def _cut(text: str, at: int) -> int:
    """Return where a page ends: after the next newline, if one is near."""
    newline = text.find("\n", at, at + SLACK)
    return at if newline == -1 else newline + 1
