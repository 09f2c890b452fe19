"""How usage is spoken of: what is measured, how much it is, and which sessions a bar stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal, NamedTuple

from ...storage.model.usage import PERIODS, Share, Totals, UsageReport
from ..words import amounts
from ..words.folders import folder_name
from ..words.safe import one_line

Measure = Literal["tokens", "calls", "edits", "sessions"]
MEASURES: tuple[Measure, ...] = ("tokens", "calls", "edits", "sessions")

Kind = Literal["workspaces", "models", "tools"]
KINDS: tuple[Kind, ...] = ("workspaces", "models", "tools")

PARTS = ("cached", "input", "output")
"""The tokens in a bar, from its foot: what was new stands on what was not."""

PERIOD_NAMES = {days: f"{days} days" if days else "all" for days in PERIODS}

UNKNOWN = {"workspaces": "no workspace", "models": "unknown model", "tools": "unknown tool"}
"""What stands for a name that no record gives."""

COMPACT = 100_000
"""Counts from which on they are shortened as tokens are."""


class Bar(NamedTuple):
    """A share as a bar: its name, foreign and whole, how it is called here, and its parts."""

    name: str
    label: str
    parts: tuple[int, ...]
    totals: Totals

    @property
    def amount(self) -> int:
        """All parts together."""
        return sum(self.parts)


def parts_of(totals: Totals, measure: Measure) -> tuple[int, ...]:
    """What a bar of some totals is made of: tokens of three parts, all else of one."""
    tokens = totals.tokens
    match measure:
        case "tokens":
            return tokens.cached, tokens.input, tokens.output
        case "calls":
            return (totals.calls,)
        case "edits":
            return (totals.edits,)
        case _:
            return (len(totals.sessions),)


def amount_of(totals: Totals, measure: Measure) -> int:
    """How much there is of what is measured."""
    return sum(parts_of(totals, measure))


def shown(amount: int) -> str:
    """A count in at most six cells."""
    return f"{amount:,}" if amount < COMPACT else amounts.tokens(amount)


def shown_as(amount: int, measure: Measure) -> str:
    """An amount of what is measured."""
    return amounts.tokens(amount) if measure == "tokens" else shown(amount)


def period_of(report: UsageReport, days: int) -> str:
    """The period of a report within a sentence."""
    first = report.first
    return f"in the last {days} days" if days else f"since {first.day} {first:%B %Y}"


def measured(kind: Kind, measure: Measure) -> Measure:
    """What a list shows: tokens are not told by tool, nor calls and edits by model."""
    if kind == "tools":
        return "calls" if measure == "tokens" else measure
    if kind == "models":
        return "tokens" if measure in ("calls", "edits") else measure
    return measure


def shares_of(report: UsageReport, kind: Kind) -> Sequence[Share]:
    """The shares of a list."""
    match kind:
        case "workspaces":
            return report.workspaces
        case "models":
            return report.models
        case _:
            return report.tools


def bars_of(report: UsageReport, kind: Kind, measure: Measure) -> list[Bar]:
    """The bars of a list, longest first; those of nothing are left out."""
    shares = [s for s in shares_of(report, kind) if amount_of(s.totals, measure)]
    labels = _labels([share.name for share in shares], kind)
    bars = [
        Bar(share.name, label, parts_of(share.totals, measure), share.totals)
        for share, label in zip(shares, labels, strict=True)
    ]
    return sorted(bars, key=lambda bar: (-bar.amount, bar.label))


def _labels(names: Sequence[str], kind: Kind) -> Iterable[str]:
    """Names as they are called on the screen: of a workspace its folder, if that tells it."""
    if kind != "workspaces":
        return [one_line(name, 80) or UNKNOWN[kind] for name in names]
    folders = [folder_name(name) for name in names]
    return [
        one_line(folder if folders.count(folder) == 1 else _longer(name), 80) or UNKNOWN[kind]
        for name, folder in zip(names, folders, strict=True)
    ]


def _longer(name: str) -> str:
    """A workspace with the folder above it, where others are called alike."""
    parts = name.replace("\\", "/").rstrip("/").split("/")
    return "/".join(parts[-2:])


def words_for(kind: Kind, name: str, since: date | None) -> str:
    """The filter that finds the sessions of a share in the list of sessions, of all time or not."""
    quoted = '"' + one_line(name).replace('"', "") + '"'
    words = f"{kind.removesuffix('s')}:{quoted}"
    return words if since is None else f"{words} since:{since}"


def words_for_days(first: date, last: date) -> str:
    """The filter that finds the sessions of some days."""
    return f"day:{first}" if first == last else f"day:{first}..{last}"
