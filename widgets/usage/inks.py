"""The colours of usage: one for each part of the tokens, one for everything else."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style

from ..base.palette import Palette
from .bars import Cell
from .words import PARTS

INKS = {"usage--cached", "usage--input", "usage--output", "usage--one", "usage--quiet"}
"""Component classes of whatever draws bars."""

INK_STYLES = """
    & > .usage--cached { color: $primary 45%; }
    & > .usage--input { color: $primary; }
    & > .usage--output { color: $accent; }
    & > .usage--one { color: $primary; }
    & > .usage--quiet { color: $text-muted; }
"""


def inks_of(parts: int) -> tuple[str, ...]:
    """The component classes of a bar of so many parts."""
    return tuple(f"usage--{name}" for name in PARTS) if parts == len(PARTS) else ("usage--one",)


def drawn(cell: Cell, inks: tuple[str, ...], palette: Palette, ground: Style | None) -> Style:
    """The style of a cell of a bar, on a ground of its own where there is one."""
    style = ground or Style()
    if cell.ink is not None:
        style += palette.ink(inks[cell.ink])
    if cell.paper is not None:
        style += Style(bgcolor=palette.ink(inks[cell.paper]).color)
    return style


def segments(cells: list[Cell], inks: tuple[str, ...], palette: Palette) -> list[Segment]:
    """A lying bar."""
    return [Segment(cell.text, drawn(cell, inks, palette, None)) for cell in cells]
