"""Bars: as long as they should be, never nothing for something, never more than two colours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.widgets.usage.bars import (
    EIGHTHS,
    EMPTY,
    LYING,
    UPRIGHT,
    Cell,
    scale_end,
    stacked,
    ticks,
)


@pytest.mark.parametrize(
    ("parts", "top", "cells", "text"),
    [
        ((8,), 8, 2, "██"),
        ((4,), 8, 2, "█ "),
        ((3,), 8, 2, "▆ "),
        ((5,), 8, 2, "█▂"),
        ((0,), 8, 2, "  "),
        ((1,), 1_000_000, 2, "▁ "),
        ((9,), 8, 2, "██"),
        ((1,), 0, 2, "██"),
        ((1,), 1, 0, ""),
        ((), 1, 2, "  "),
        ((-5,), 8, 2, "  "),
        ((10**18,), 10**18, 3, "███"),
    ],
)
def test_upright(parts: tuple[int, ...], top: int, cells: int, text: str) -> None:
    assert "".join(cell.text for cell in stacked(parts, top, cells)) == text


def test_lying() -> None:
    assert "".join(cell.text for cell in stacked((12,), 16, 3, LYING)) == "██▎"


def test_two_parts_share_a_cell() -> None:
    assert stacked((4, 12), 16, 2) == [Cell("▄", 0, 1), Cell("█", 1)]


def test_of_three_parts_in_a_cell_the_larger_are_shown() -> None:
    assert stacked((3, 1, 4), 8, 1) == [Cell("▃", 0, 2)]


def test_a_cell_that_is_not_full_has_the_colour_of_its_largest_part() -> None:
    assert stacked((1, 3), 8, 1) == [Cell("▄", 1)]


PARTS = st.lists(st.integers(0, 10**9), min_size=1, max_size=4)


@given(parts=PARTS, more=st.integers(0, 10**9), cells=st.integers(1, 30))
def test_any_bar(parts: list[int], more: int, cells: int) -> None:
    top = max(1, sum(parts) + more)
    bar = stacked(parts, top, cells)
    assert len(bar) == cells
    filled = sum(EIGHTHS if cell.paper is not None else UPRIGHT.index(cell.text) for cell in bar)
    exact = cells * EIGHTHS * sum(parts) / top
    assert abs(filled - exact) <= 1
    assert (filled > 0) == (sum(parts) > 0)
    first_empty = next((at for at, cell in enumerate(bar) if cell == EMPTY), cells)
    assert all(cell == EMPTY for cell in bar[first_empty:])
    inks = [cell.ink for cell in bar[:first_empty] if cell.ink is not None]
    assert inks == sorted(inks)


@pytest.mark.parametrize(
    ("most", "end"),
    [(0, 1), (1, 1), (2, 2), (7, 8), (9, 10), (11, 20), (99, 100), (26_000_000, 30_000_000)],
)
def test_scales_end_round(most: int, end: int) -> None:
    assert scale_end(most) == end


@pytest.mark.parametrize(
    ("top", "rows", "numbers"),
    [
        (8_000, 12, {2: 2_000, 5: 4_000, 8: 6_000, 11: 8_000}),
        (30_000_000, 12, {5: 15_000_000, 11: 30_000_000}),  # a quarter takes three digits
        (30_000_000, 8, {3: 15_000_000, 7: 30_000_000}),
        (3, 8, {7: 3}),  # there is no half a call
        (8_000, 4, {3: 8_000}),
        (1, 1, {0: 1}),
        (10, 5, {4: 10}),
    ],
)
def test_ticks(top: int, rows: int, numbers: dict[int, int]) -> None:
    assert ticks(top, rows) == numbers
