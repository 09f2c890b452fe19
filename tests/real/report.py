"""Counts checks, and prints them as a table: a row per scenario, a column per kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .comparison import Check


@dataclass(slots=True)
class Tally:
    """The checks of one scenario."""

    name: str
    kills: int = 0
    ended: int = 0
    """Sessions that ended by themselves before their kill."""
    checks: list[Check] = field(default_factory=list)

    def cell(self, kind: str) -> str:
        """How many agreed, of how many; `~` counts the unsure, `✗` the wrong."""
        verdicts = [check.verdict for check in self.checks if check.kind == kind]
        if not verdicts:
            return "·"
        unsure, wrong = verdicts.count("unsure"), verdicts.count("wrong")
        marks = [f"~{unsure}"] * bool(unsure) + [f"✗{wrong}"] * bool(wrong)
        return " ".join([f"{verdicts.count('agreed')}/{len(verdicts)}", *marks])

    @property
    def wrong(self) -> list[Check]:
        """The statements that were wrong."""
        return [check for check in self.checks if check.verdict == "wrong"]


def total(tallies: Iterable[Tally]) -> Tally:
    """All of them together."""
    whole = Tally("all")
    for one in tallies:
        whole.kills += one.kills
        whole.ended += one.ended
        whole.checks += one.checks
    return whole


def table(tallies: Sequence[Tally]) -> str:
    """The tallies as text, with their sum where there are several."""
    rows = [*tallies, total(tallies)] if len(tallies) > 1 else list(tallies)
    kinds = list(dict.fromkeys(check.kind for one in rows for check in one.checks))
    lines = [["scenario", *(one.name for one in rows)]]
    if any(one.kills for one in rows):
        lines.append(["kills", *(str(one.kills) for one in rows)])
    lines += [[kind, *(one.cell(kind) for one in rows)] for kind in kinds]
    turned = list(zip(*lines, strict=True))
    widths = [max(map(len, column)) for column in zip(*turned, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in turned
    )
