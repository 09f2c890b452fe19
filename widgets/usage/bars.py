"""Bars out of block characters, upright or lying, of one part or of several on top of each other.

Pure: numbers in, cells out. An eighth of a cell is the least that can be seen, and what is not
nothing is never less.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

UPRIGHT = " ▁▂▃▄▅▆▇█"
LYING = " ▏▎▍▌▋▊▉█"

EIGHTHS = 8

NICE = (1, 2, 3, 4, 5, 6, 8, 10)
"""First digits at which a scale may end."""


class Cell(NamedTuple):
    """One character of a bar; `ink` and `paper` are places of its parts, None for the ground."""

    text: str
    ink: int | None = None
    paper: int | None = None


EMPTY = Cell(" ")


def stacked(parts: Sequence[int], top: int, cells: int, blocks: str = UPRIGHT) -> list[Cell]:
    """A bar of so many cells, from its foot, in which `top` would fill all of them."""
    edges = _edges(parts, top, cells * EIGHTHS)
    return [_cell(edges, place * EIGHTHS, blocks) for place in range(cells)]


def _edges(parts: Sequence[int], top: int, length: int) -> list[int]:
    """Where each part ends, in eighths from the foot."""
    total = sum(parts)
    if total <= 0 or length <= 0:
        return [0] * len(parts)
    whole = min(length, max(1, round(length * total / max(top, 1))))
    return [round(whole * upto / total) for upto in accumulate(parts)]


def _cell(edges: Sequence[int], foot: int, blocks: str) -> Cell:
    """The cell that begins so many eighths above the foot; it shows two parts at most."""
    inside = [min(max(edge - foot, 0), EIGHTHS) for edge in (0, *edges)]
    sizes = [upper - lower for lower, upper in pairwise(inside)]
    filled = inside[-1]
    if not filled:
        return EMPTY
    largest = max(range(len(sizes)), key=sizes.__getitem__)
    if filled < EIGHTHS:
        return Cell(blocks[filled], largest)
    first = next(part for part, size in enumerate(sizes) if size)
    others = [part for part, size in enumerate(sizes) if size and part != first]
    if not others:
        return Cell(blocks[EIGHTHS], first)
    return Cell(blocks[sizes[first]], first, max(others, key=sizes.__getitem__))


def scale_end(most: int) -> int:
    """The round number, not less than the most that is shown, at which a scale ends."""
    power = 1
    while power * NICE[-1] < most:
        power *= 10
    return next(power * digit for digit in NICE if power * digit >= most)


def ticks(top: int, rows: int) -> dict[int, int]:
    """The numbers beside a scale, by the row, counted from the foot, whose upper edge they mark."""
    fitting = (n for n in (4, 2) if rows % n == 0 and rows // n >= 3 and _is_round(top, n))
    steps = next(fitting, 1)
    return {rows * step // steps - 1: top * step // steps for step in range(1, steps + 1)}


def _is_round(top: int, steps: int) -> bool:
    """Whether every number beside the scale can be told in two digits."""
    numbers = [top * step / steps for step in range(1, steps + 1)]
    return all(number == int(number) == float(f"{number:.1e}") for number in numbers)
