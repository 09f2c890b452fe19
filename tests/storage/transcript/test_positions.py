"""Packed positions: stored in chunks, restored whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.model.event import CODE
from sessions_tui.storage.transcript.positions import CHUNK, Positions


def filled(count: int) -> Positions:
    positions = Positions()
    for index in range(count):
        positions.add(index * 10, index % len(CODE), 0)
    return positions


def stored(chunks: dict[int, tuple[bytes, bytes, bytes]]) -> Positions:
    positions = Positions()
    for _, chunk in sorted(chunks.items()):
        positions.load(*chunk)
    return positions


@given(counts=st.lists(st.integers(1, 1500), min_size=1, max_size=4))
def test_chunks_saved_at_any_moments_give_the_whole(counts: list[int]) -> None:
    positions, chunks = Positions(), {}
    for count in counts:
        for _ in range(count):
            index = len(positions)
            positions.add(index * 10, index % len(CODE), 0)
            if index % 7 == 6:
                positions.link(index - 5, index + 1)
        chunks.update({number: tuple(rest) for number, *rest in positions.changed_chunks()})
        positions.stored()
    again = stored(chunks)  # type: ignore[arg-type]
    assert (again.offsets, again.kinds, again.links) == (
        positions.offsets,
        positions.kinds,
        positions.links,
    )


def test_one_more_record_writes_one_chunk() -> None:
    positions = filled(5 * CHUNK)
    positions.stored()
    positions.add(10**9, 0, 0)
    assert [number for number, *_ in positions.changed_chunks()] == [5]
    positions.link(7, len(positions))
    assert [number for number, *_ in positions.changed_chunks()] == [0, 5]
    positions.stored()
    assert list(positions.changed_chunks()) == []


def test_a_cut_forgets_links_beyond_it() -> None:
    positions = filled(100)
    positions.link(3, 90)
    positions.link(4, 40)
    positions.cut(50)
    assert (len(positions), positions.links[3], positions.links[4]) == (50, 0, 40)


def test_records_are_found_by_offset_and_by_kind() -> None:
    positions = filled(50)
    assert [positions.index_at(at) for at in (-1, 0, 9, 10, 495)] == [-1, 0, 0, 1, 49]
    wanted = [None, 0, None, 1, None]
    assert [positions.index_of(at) for at in (-1, 0, 9, 10, 495)] == wanted
    answers = positions.having(frozenset({CODE["answer"]}), 0, 50)
    assert list(answers) == [2, 18, 34]
    assert {positions.kind(index) for index in answers} == {"answer"}
