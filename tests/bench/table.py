"""The measures as a table for people and as JSON for scripts."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from .measured import Measured

HEAD = ("", "what", "measured", "yardstick", "×, +", "promise", "")


def table(measures: Sequence[Measured]) -> str:
    """A line a measure, in columns."""
    rows = [HEAD, *(_row(measured) for measured in measures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    return "\n".join(_aligned(row, widths) for row in rows)


def document(measures: Iterable[Measured], short: bool) -> str:
    """All measures and the machine they were taken on."""
    machine = {"system": platform.platform(), "python": platform.python_version()}
    listed = [asdict(measured) for measured in measures]
    return json.dumps({"short": short, "machine": machine, "measures": listed}, indent=2) + "\n"


def _row(measured: Measured) -> tuple[str, ...]:
    against = ""
    if measured.against is not None:
        against = f"{measured.against:+.3g}" if "more" in measured.promise else ""
        against = against or f"{measured.against:.2f} ×"
    return (
        "✓" if measured.kept else "✗",
        measured.what,
        _amount(measured.value, measured.unit),
        "" if measured.yardstick is None else _amount(measured.yardstick, measured.unit),
        against,
        measured.promise,
        measured.note,
    )


def _amount(value: float, unit: str) -> str:
    digits = {"s": 3, "ms": 1, "MB": 1, "%": 2}.get(unit, 0)
    return f"{value:,.{digits}f} {unit}"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.rjust(width) if 2 <= column <= 4 else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()
