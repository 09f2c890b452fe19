"""The measures as a table for people and as JSON for scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from .machine import BUSY, Machine
from .measured import Measured

HEAD = ("", "what", "measured", "yardstick", "×, +", "promise", "")


def table(measures: Sequence[Measured], on: Machine) -> str:
    """A line a measure, in columns, and the machine they were taken on."""
    rows = [HEAD, *(_row(measured) for measured in measures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = [_aligned(row, widths) for row in rows]
    return "\n".join([*lines, "", _about(on, measures)])


def document(measures: Iterable[Measured], on: Machine, short: bool) -> str:
    """All measures and the machine they were taken on."""
    listed = [asdict(measured) for measured in measures]
    told = {"short": short, "machine": asdict(on), "measures": listed}
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _about(on: Machine, measures: Sequence[Measured]) -> str:
    said = f"{on.system}, Python {on.python}, {on.cores} cores."
    if any(measured.others > BUSY for measured in measures):
        said += (
            " Other programs were busy: what they had so much of the machine of is slower for it."
        )
    return said


def _row(measured: Measured) -> tuple[str, ...]:
    return (
        _mark(measured),
        measured.what,
        _amount(measured.value, measured.unit),
        "" if measured.yardstick is None else _amount(measured.yardstick, measured.unit),
        _against(measured),
        measured.promise,
        _note(measured),
    )


def _note(measured: Measured) -> str:
    busy = f"others {measured.others:.0%}" if measured.others > BUSY else ""
    return "; ".join(part for part in (measured.note, busy) if part)


def _mark(measured: Measured) -> str:
    if not measured.promise:
        return "·"
    return "✓" if measured.kept else "✗"


def _against(measured: Measured) -> str:
    if measured.against is None:
        return ""
    if "more" in measured.promise:
        return f"{measured.against:+.3g}"
    return f"{measured.against:.2f} ×"


def _amount(value: float, unit: str) -> str:
    digits = {"s": 3, "ms": 1, "MB": 1, "%": 2, "GB/s": 2}.get(unit, 0)
    return f"{value:,.{digits}f} {unit}"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.rjust(width) if 2 <= column <= 4 else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()
