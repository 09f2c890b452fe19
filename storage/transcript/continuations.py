"""Which transcripts are parts of one session: files that continue where another ended. Pure.

The first record of a further part names the previous session, which is in the same directory. A
session continues in one file: if two claim to, the one that began earlier is the part, and the
other is a session of its own that originates from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..folds.facts import Facts, OpenCall
from ..model.integrity import Integrity
from ..model.store import TranscriptFile
from .overview import Overview

SHIFT = 40
"""Bits of an address that tell where in its part a record stands; those above tell the part."""

BROKEN = ("corrupt", "damaged")
"""States of evidence that count for the whole session; how a part ends does not."""


def address(part: int, offset: int) -> int:
    """Return an address in a session: its part, counted from the oldest, and the address there.

    It does not change when parts grow or are added. In a session of one part it is the address in
    the file.
    """
    return part << SHIFT | offset


def place(address: int) -> tuple[int, int]:
    """Return the part and the address in its file."""
    return address >> SHIFT, address & ((1 << SHIFT) - 1)


class Links(NamedTuple):
    """The links between some transcripts, according to their first records."""

    before: dict[Path, Path]
    """Of a further part, the part before."""
    claims: dict[Path, Path]
    """Of a session whose predecessor goes on in another file, that predecessor."""


def links_of(files: Mapping[Path, TranscriptFile], known: Mapping[Path, Overview]) -> Links:
    """Return the links between the parts among these transcripts."""
    named = _without_circles(dict(_named(files, known)))
    after: dict[Path, list[Path]] = defaultdict(list)
    for path, before in named.items():
        after[before].append(path)
    links = Links({}, {})
    for before, paths in after.items():
        first, *others = sorted(paths, key=lambda path: _begun(known[path].facts, path))
        links.before[first] = before
        links.claims.update(dict.fromkeys(others, before))
    return links


def _named(
    files: Mapping[Path, TranscriptFile], known: Mapping[Path, Overview]
) -> Iterator[tuple[Path, Path]]:
    """Yield each transcript that continues another one, with that one if it exists."""
    wanted = {path: one for path in files if (one := known.get(path))}
    by_name = {
        (file.directory, file.session): path for path, file in files.items() if path in wanted
    }
    for path, one in wanted.items():
        session = one.facts.ancestry.continues
        before = by_name.get((files[path].directory, session)) if session else None
        if before is not None and wanted[before].agent is one.agent:
            yield path, before


def _without_circles(named: dict[Path, Path]) -> dict[Path, Path]:
    """Return the links without those that make a transcript its own predecessor."""
    settled: set[Path] = set()
    for path in [*named]:
        trail: list[Path] = []
        at: Path | None = path
        while at is not None and at not in settled and at not in trail:
            trail.append(at)
            at = named.get(at)
        if at in trail:
            for one in trail[trail.index(at) :]:
                del named[one]
        settled.update(trail)
    return named


def _begun(facts: Facts, path: Path) -> tuple[float, Path]:
    return facts.started_at if facts.started_at is not None else float("inf"), path


# What the parts come to, taken together.


def joined(before: Overview, after: Overview) -> Overview:
    """Return the overview of a session with its next part, given that of its earlier parts."""
    events = None if before.events is None or after.events is None else before.events + after.events
    broken = before.integrity.state in BROKEN and after.integrity.state != "corrupt"
    return replace(
        after,
        facts=_facts(before.facts, after.facts),
        integrity=before.integrity if broken else after.integrity,
        events=events,
        whole=before.whole and after.whole,
    )


def judged(parts: Sequence[tuple[Path, Integrity]]) -> Integrity:
    """Return the integrity of a session, given that of its parts, oldest first."""
    *older, (_, newest) = parts
    broken = [named_after(state, path) for path, state in older if state.state in BROKEN]
    if not broken or newest.state == "corrupt":
        return newest
    return min(broken, key=lambda state: BROKEN.index(state.state))


def named_after(integrity: Integrity, path: Path) -> Integrity:
    """Return the integrity of a part, naming the file in which it is broken."""
    if integrity.state not in BROKEN:
        return integrity
    return replace(integrity, detail=f"in {path.name}, {integrity.detail}")


def _facts(before: Facts, after: Facts) -> Facts:
    base = before.records + before.damaged
    started = before.started_at if before.started_at is not None else after.started_at
    used = (before.tokens, after.tokens)
    return replace(
        after,
        records=before.records + after.records,
        repeated=before.repeated + after.repeated,
        damaged=before.damaged + after.damaged,
        too_long=before.too_long + after.too_long,
        newest_at=max(before.newest_at or 0, after.newest_at or 0) or None,
        started_at=started,
        updated_at=before.updated_at if after.updated_at is None else after.updated_at,
        cwd=before.cwd or after.cwd,
        last_cwd=after.last_cwd or before.last_cwd,
        model=after.model or before.model,
        titles={**before.titles, **after.titles},
        first_prompt=before.first_prompt or after.first_prompt,
        title_prompt=before.title_prompt or after.title_prompt,
        summary=before.summary or after.summary,
        last_prompt=after.last_prompt or before.last_prompt,
        prompted_at=after.prompted_at or before.prompted_at,
        tokens=used[0] + used[1] if used[0] and used[1] else used[0] or used[1],
        tools=_summed(before.tools, after.tools),
        last=after.last or before.last,
        inner_session=before.inner_session,
        moved_on=base + after.moved_on if after.moved_on else before.moved_on,
        notices=before.notices + after.notices,
        forks=before.forks + after.forks,
        delegations=[*before.delegations, *after.delegations],
        spawned=[*before.spawned, *after.spawned],
        open_calls=_open_calls(before, after, base),
    )


def _summed(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    return {name: before.get(name, 0) + after.get(name, 0) for name in {**before, **after}}


def _open_calls(before: Facts, after: Facts, base: int) -> dict[str, list[OpenCall]]:
    """Return the open calls of both, numbered throughout the session."""
    found = {key: list(calls) for key, calls in before.open_calls.items()}
    for key in after.ancestry.late:
        if calls := found.get(key):
            calls.pop()
    batch = max((call.batch for calls in found.values() for call in calls), default=0)
    # Calls of one response may stand on both sides of where a session went on in a new file.
    batch -= batch > 0 and not after.moved_on
    for key, calls in after.open_calls.items():
        key = f"#{base + calls[0].number}" if key.startswith("#") else key
        found.setdefault(key, []).extend(
            call._replace(number=base + call.number, batch=batch + call.batch) for call in calls
        )
    return {key: calls for key, calls in found.items() if calls}


class Late(NamedTuple):
    """Where a call of an earlier part continues: part, counted from the oldest, and address."""

    part: int
    offset: int


def late_records(parts: Sequence[Facts]) -> dict[tuple[int, int], Late]:
    """Return the records in later parts of calls open in their own, by part and number."""
    waiting: dict[str, list[tuple[int, int]]] = defaultdict(list)
    found: dict[tuple[int, int], Late] = {}
    for part, facts in enumerate(parts):
        for key, offset in [*facts.ancestry.late.items()]:
            if waiting[key]:
                found[waiting[key].pop()] = Late(part, offset)
        for key, calls in [*facts.open_calls.items()]:
            waiting[key] += [(part, call.number) for call in [*calls]]
    return found


class Joining:
    """Joins the overviews of the parts of sessions; each again only after a change."""

    def __init__(self) -> None:
        self._kept: dict[Path, tuple[Overview | None, Overview, Overview]] = {}
        """By the path of a part: what it was joined from, and what that came to."""

    def joined(self, paths: Iterable[Path], known: Mapping[Path, Overview]) -> Overview | None:
        """Return the overview of a session, given its parts, oldest first; None for no parts."""
        before: Overview | None = None
        for path in paths:
            one = known[path]
            kept = self._kept.get(path)
            if kept is None or kept[0] is not before or kept[1] is not one:
                named = replace(one, integrity=named_after(one.integrity, path))
                kept = before, one, named if before is None else joined(before, named)
                self._kept[path] = kept
            before = kept[2]
        return before

    def forget(self, path: Path) -> None:
        """Forget a transcript that no longer exists."""
        self._kept.pop(path, None)
