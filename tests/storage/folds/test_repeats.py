"""Records that are delivered again: known as such however many came between."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.agents.codebuddy.sieve import key
from sessions_tui.storage.folds import repeats as module
from sessions_tui.storage.folds.repeats import Repeats
from sessions_tui.storage.index.index import Index
from sessions_tui.storage.model.event import Place
from sessions_tui.storage.transcript.overview import overview_of
from sessions_tui.storage.transcript.transcript import Transcript

AT = 1_795_953_600_000


def thought(number: int, at: int | None = None) -> dict[str, Any]:
    return {
        "id": f"i{number}",
        "timestamp": AT + 1000 * (number if at is None else at),
        "type": "reasoning",
        "rawContent": [{"type": "reasoning_text", "text": "."}],
        "sessionId": "s",
    }


def block(length: int) -> list[dict[str, Any]]:
    """So many records; one call of the last of them has no result."""
    args = json.dumps({"file_path": "/srv/a.py", "old_string": "1", "new_string": "2"})
    usage = {"prompt_tokens": 1000, "completion_tokens": 0}
    call = {"type": "function_call", "callId": "e1", "name": "Edit", "arguments": args}
    extra = {"providerData": {"messageId": "m1", "model": "hy3", "rawUsage": usage}}
    return [*map(thought, range(length - 1)), thought(length - 1) | call | extra]


def append(path: Path, records: Iterable[dict[str, Any]]) -> None:
    with path.open("a") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def counted(transcript: Transcript) -> tuple[int, int, int | None]:
    """Open calls, events, tokens."""
    known = overview_of(transcript)
    calls = sum(map(len, known.facts.open_calls.values()))
    return calls, known.events or 0, known.facts.tokens.input if known.facts.tokens else None


@pytest.mark.parametrize("length", [3, 999, 1000, 1001, 5000, 12_000])
def test_a_replay_of_any_length_counts_once(tmp_path: Path, length: int) -> None:
    path = tmp_path / "s.jsonl"
    append(path, block(length))
    append(path, [thought(length, 3 * length), *block(length), *block(length)])
    transcript = Transcript(path, "s")
    transcript.read()
    assert counted(transcript) == (1, length + 1, 1000)
    events = list(transcript.events())
    assert {event.kind for event in events[length + 1 :]} == {"meta"}
    assert transcript.event(length + 2) == events[length + 2]


def test_a_replay_that_is_read_later_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    append(path, block(3000))
    with closing(Index(tmp_path / "cache")) as index:
        for more in ([thought(9000)], block(3000)[:1500], block(3000)[1500:], [thought(9001)]):
            transcript = index.load(path, "s") or Transcript(path, "s")
            transcript.read()
            index.save([(transcript, overview_of(transcript))])
            before = transcript.bytes_read
            append(path, more)
            transcript = index.load(path, "s") or Transcript(path, "s")
            transcript.read()
            assert transcript.bytes_read < max(before, 1_000_000)
            index.save([(transcript, overview_of(transcript))])
        again = index.load(path, "s")
        assert again is not None
        assert counted(again) == (1, 3002, 1000)
    anew = Transcript(path, "s")
    anew.read()
    assert anew.positions.kinds == again.positions.kinds


def test_one_more_record_stores_the_last_digests_only(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    append(path, block(5000))
    transcript = Transcript(path, "s")
    transcript.read()
    assert [number for number, _ in transcript.folds.sieve.changed_chunks()] == [0, 1, 2, 3, 4]
    transcript.folds.sieve.stored()
    assert not [*transcript.folds.sieve.changed_chunks()]
    append(path, [thought(9000)])
    transcript.read()
    assert [number for number, _ in transcript.folds.sieve.changed_chunks()] == [4]


def test_records_in_order_are_not_searched_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Repeats, key: int) -> bool:
        raise AssertionError("searched")

    monkeypatch.setattr(Repeats, "_has", refuse)
    path = tmp_path / "s.jsonl"
    append(path, [thought(number, number // 3) for number in range(300)])
    transcript = Transcript(path, "s")
    transcript.read()
    assert overview_of(transcript).events == 300


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), max_size=300), st.integers(0, 300)
)
def test_it_is_a_set_of_all_that_came(records: list[tuple[int, int]], stop: int) -> None:
    few, module._FEW = module._FEW, 8
    try:
        seen: set[tuple[int, int]] = set()
        repeats = Repeats(key)
        for count, (number, at) in enumerate(records):
            if count == stop:
                chunks = [data for _, data in repeats.changed_chunks()]
                before, repeats = repeats, Repeats(key)
                repeats.restore(before.as_json(), chunks)
            event = AGENTS["product"].reader.read(thought(number, at), Place("s", 1, 0, 100))
            assert (repeats.take(event) == "repeated") == ((number, at) in seen)
            seen.add((number, at))
    finally:
        module._FEW = few
