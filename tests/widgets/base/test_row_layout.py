"""From rows to lines and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.widgets.base.row_layout import Even, Layout, Mixed


def check(layout: Layout, heights: list[int]) -> None:
    """Compare with a plain walk over all lines."""
    line = 0
    for row, height in enumerate(heights):
        assert layout.top(row) == line
        for inside in range(height):
            assert layout.at(line + inside) == (row, inside)
        line += height
    assert layout.lines == layout.top(len(heights)) == line


@given(st.lists(st.integers(1, 5), max_size=30))
def test_mixed(heights: list[int]) -> None:
    check(Mixed(heights), heights)


@given(st.integers(0, 30), st.integers(1, 3), st.lists(st.integers(0, 40), max_size=5))
def test_even(rows: int, height: int, taller: list[int]) -> None:
    heights = [height + (row in taller) for row in range(rows)]
    check(Even(rows, height, taller), heights)
