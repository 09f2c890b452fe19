"""Whatever is done to a transcript's bytes, it is read, judged, folded and shown."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from sessions_tui.storage.insight.recover import recover_of
from sessions_tui.storage.memory.fold import MemoryFold
from sessions_tui.storage.memory.render import render
from sessions_tui.storage.records.fields import mapping
from sessions_tui.storage.review.actions import actions_of
from sessions_tui.storage.timeline.annotated import Annotator
from sessions_tui.storage.timeline.rows import Rows
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[1] / "cases"
SMALL = 60_000
SOURCES = [p for p in sorted(CASES.glob("*/**/*.jsonl")) if 0 < p.stat().st_size < SMALL]
SEEDS = range(200)
"""Each seed takes some cases and mutates each several times: some seconds in all."""

PIECES = [
    *(b"\x00", b"\xff\xfe", b"\r", b"\n", b'"', b"}", b"{", b"]", b"[", b":", b"null", b"true"),
    *(b"1e999", b"NaN", b"\\ud800", b"-1", b'"\\u0000"', b"9" * 400, b"[" * 1200, b"{}", b'""'),
    "\u2028字".encode(),
]

Mutation = Callable[[random.Random, bytes], bytes]


def splice(dice: random.Random, data: bytes) -> bytes:
    at, length = dice.randrange(len(data)), dice.choice([0, 0, 1, 5, 60])
    return data[:at] + dice.choice(PIECES) + data[at + length :]


def cut(dice: random.Random, data: bytes) -> bytes:
    return data[: dice.randrange(len(data))]


def shuffle(dice: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    dice.shuffle(lines)
    return b"".join(lines)


def repeat(dice: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    return b"".join([*lines[:at], *lines[at : at + 3] * 2, *lines[at + 3 :]])


def swap_value(dice: random.Random, data: bytes) -> bytes:
    """Another type where a string stood: what a careless writer leaves."""
    quotes = [at for at in range(len(data)) if data[at : at + 1] == b'"'][:2000]
    if len(quotes) < 2:
        return data
    at = dice.randrange(len(quotes) - 1)
    return data[: quotes[at]] + dice.choice(PIECES) + data[quotes[at + 1] + 1 :]


MUTATIONS: list[Mutation] = [splice, splice, swap_value, swap_value, cut, shuffle, repeat]


def everything(path: Path) -> None:
    """All that is ever asked of a transcript."""
    transcript = Transcript(path, path.stem.removeprefix("transcript-"))
    transcript.read()
    digests = [chunk for _, chunk in transcript.folds.sieve.changed_chunks()]
    again = Transcript.from_json(path, transcript.session, transcript.as_json(), digests)
    assert again.as_json() == transcript.as_json()
    integrity, tail = transcript.ending()
    fold = MemoryFold(transcript.session, transcript.agent)
    for event in [*transcript.events(), *tail]:
        fold.add(event)
        assert isinstance(event.text, str)
        mapping(event.args)
    assert len(render(fold.memory(), 500)) <= 500
    recovery = recover_of(transcript)
    assert (recovery.restored is None) == (integrity.state in ("corrupt", "unreadable"))
    assert len(list(Annotator(transcript, alive=False).events())) >= len(transcript.positions)
    rows = Rows(transcript, depth=4)
    assert all(rows[at].kind for at in range(len(rows)))
    list(actions_of(transcript, alive=False, all=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_cases(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    for number, source in enumerate(dice.sample(SOURCES, 12)):
        data = source.read_bytes()
        for _ in range(dice.randrange(1, 5)):
            data = dice.choice(MUTATIONS)(dice, data) or b"\n"
        path = tmp_path / f"{number}-{source.name}"
        path.write_bytes(data)
        everything(path)
        assert path.read_bytes() == data
