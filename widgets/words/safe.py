"""Makes foreign text fit for the screen: safe, as `Content`, and cut to columns.

The resulting `Content` is never parsed as markup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from ...storage.text.safe_text import MARK, ONE_LINE, exact_name, one_line, safe_text, shown_name

if TYPE_CHECKING:
    from textual.content import Content

__all__ = [
    "MARK",
    "ONE_LINE",
    "exact_name",
    "fit",
    "one_line",
    "safe",
    "safe_text",
    "shown_name",
]


def safe(text: str, limit: int | None = None) -> Content:
    """Return foreign text as `Content` that Textual shows literally."""
    from textual.content import Content  # Imported late: commands without a UI do not need Textual

    return Content(safe_text(text, limit).expandtabs(4))


def fit(text: str, cells: int, align: str = "left") -> str:
    """Return safe text truncated with `…` or padded with spaces to exactly `cells` cells."""
    if cells <= 0:
        return ""
    text = text[: cells * 8]
    width = cell_len(text)
    if width > cells:
        return set_cell_size(set_cell_size(text, cells - 1).rstrip() + "…", cells)
    padding = " " * (cells - width)
    return padding + text if align == "right" else text + padding
