"""The rows of a session of several parts: one list, whichever parts are loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions_tui.storage.timeline.session_rows import SessionRows
from sessions_tui.storage.transcript.continuations import address
from sessions_tui.storage.transcript.transcript import Transcript
from tests.storage.parts import AT, Part


def transcript(part: Part) -> Transcript:
    found = Transcript(part.path, part.session)
    found.read()
    return found


@pytest.fixture
def parts(tmp_path: Path) -> list[Part]:
    first = Part(tmp_path, "s").asks("one").calls("c1").calls("c2").answers("said")
    second = Part(tmp_path, "s_2", "s", AT + 60_000).returns("c1").asks("two").answers("done")
    third = Part(tmp_path, "s_3", "s_2", AT + 120_000).asks("three").calls("c3")
    return [first, second, third]


def texts(rows: SessionRows) -> list[str]:
    return [rows[row].text for row in range(len(rows))]


def test_rows_of_all_parts_are_one_list(parts: list[Part]) -> None:
    rows = SessionRows([transcript(part) for part in parts])
    assert [text for text in texts(rows) if "/" not in text] == [
        *("one", "said", "done", "two", "done", "three")
    ]
    assert [rows[row].state for row in (1, 2, 8)] == ["completed", "uncertain", "uncertain"]
    assert rows.begins == {address(1, 0): "s_2", address(2, 0): "s_3"}
    assert [rows.place_of(one) for one in rows.begins] == [4, 7]
    assert rows.complete
    addresses = [rows[row].offset for row in range(len(rows))]
    assert addresses == sorted(addresses)
    assert [rows.place_of(one) for one in addresses] == [*range(9)]
    assert [rows.row_showing(one) for one in addresses] == [*range(9)]
    assert rows.end == addresses[-1]
    assert rows.place_of(addresses[3] + 1) == 4
    assert rows.place_of(addresses[-1] + 1) is None


def test_addresses_stay_when_older_parts_are_loaded(parts: list[Part]) -> None:
    read = [transcript(part) for part in parts]
    all_rows = SessionRows(read)
    some = SessionRows(read[2:], first=2)
    assert [some[row] for row in range(2)] == [all_rows[row] for row in (7, 8)]
    assert (some.complete, some.is_first_whole) == (False, True)
    assert some.row_showing(address(0, 0)) is None
    assert some.place_of(address(0, 0)) == 0


def test_jumps_go_across_parts(parts: list[Part]) -> None:
    rows = SessionRows([transcript(part) for part in parts])
    prompts = [rows.next_of("prompt", start, 1) for start in (0, 5, 7)]
    assert prompts == [5, 7, None]
    assert [rows.next_of("prompt", start, -1) for start in (8, 7, 5, 0)] == [7, 5, 0, None]
    assert [rows.next_of("uncertain", start, 1) for start in (0, 2, 8)] == [2, 8, 2]
    rows.match([address(0, 0), address(1, 2), address(2, 0)])
    assert [rows.next_of("match", start, 1) for start in (0, 6, 7)] == [6, 7, 0]
    assert [rows.next_of("match", start, -1) for start in (0, 7, 6)] == [7, 6, 0]
    assert [row for row in range(9) if rows.is_match(row)] == [0, 6, 7]
    rows.match([address(0, 0)])
    assert rows.next_of("match", 0, 1) == 0
    rows.settle({"transcript:s:3": "verified"})
    assert rows.next_of("uncertain", 0, 1) == 8


def test_a_late_result_changes_the_row_of_its_call(parts: list[Part]) -> None:
    read = [transcript(part) for part in parts]
    rows = SessionRows(read)
    assert rows[2].state == "uncertain"
    parts[2].returns("c2").returns("c3", "built")
    read[2].read()
    assert rows.grow() == [2, 8]
    assert [rows[row].state for row in (2, 8)] == ["completed", "completed"]
    late = rows.where(2).late
    assert late is not None
    assert late.text == "done"


def test_calls_are_awaited_until_a_later_part_moves_on(parts: list[Part]) -> None:
    rows = SessionRows([transcript(part) for part in parts], alive=True)
    assert [rows[row].state for row in (2, 8)] == ["uncertain", "running"]


def test_growing_costs_the_newest_part_alone(parts: list[Part]) -> None:
    read = [transcript(part) for part in parts]
    before = SessionRows(read)
    older = [before.where(0).transcript, before.where(4).transcript]
    new = transcript(Part(parts[0].path.parent, "s_4", "s_3", AT + 180_000).asks("four"))
    rows = SessionRows([*read, new], before=before)
    assert texts(rows)[-1] == "four"
    assert [rows.where(0).transcript, rows.where(4).transcript] == older
    assert [one.bytes_read for one in read] == [part.path.stat().st_size for part in parts]
