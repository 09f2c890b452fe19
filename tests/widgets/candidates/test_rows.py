"""Order, groups and second lines of the list of candidates."""

from __future__ import annotations

import random

import pytest

from sessions_tui.storage.model.candidate import Sourced
from sessions_tui.widgets.candidates.rows import (
    CandidateHeading,
    about,
    candidate_rows,
    moment,
    place_after,
)
from tests.widgets.candidate_samples import DAY, NOW, beside, candidate, samples


def told(items: list[Sourced]) -> list[str]:
    """Headings with their counts, and the numbers of the candidates."""
    return [
        f"{row.status} {row.count}"
        if isinstance(row, CandidateHeading)
        else str(row.candidate.sequence)
        for row in candidate_rows(items)
    ]


def test_the_open_ones_stand_first_and_the_newest_first_in_each() -> None:
    items = samples()
    expected = ["proposed 4", "45", "44", "31", "12", "approved 2", "50", "52", "rejected 1", "60"]
    assert told(items) == expected
    random.Random(1).shuffle(items)
    assert told(items) == expected


def test_a_status_without_candidates_has_no_heading() -> None:
    assert told([]) == []
    assert told([beside(candidate(1, status="rejected"))]) == ["rejected 1", "1"]


def test_those_of_one_moment_have_an_order_too() -> None:
    items = [beside(candidate(n, created_at=NOW, candidate=f"c-{n}")) for n in (3, 1, 2)]
    assert told(items) == ["proposed 3", "1", "2", "3"]


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (NOW, "12:02"),
        (NOW - DAY, "28 Nov 12:02"),
        (NOW + DAY, "30 Nov 12:02"),
        (NOW - 400 * DAY, "2025-10-25 12:02"),
        (10**30, "1970-01-01 00:00"),
    ],
)
def test_moments(at: int, text: str) -> None:
    assert moment(at, NOW) == text


@pytest.mark.parametrize(
    ("room", "several", "text"),
    [
        (50, True, "12:02 · message · Docs build fails on CI"),
        (30, True, "12:02 · message · Docs build…"),
        (20, True, "12:02 · message"),
        (50, False, "12:02 · message"),
        (8, True, "12:02 ·…"),
    ],
)
def test_the_second_line(room: int, several: bool, text: str) -> None:
    item = beside(candidate(1, captured_at=NOW), title="Docs build fails on CI")
    line = about(item, NOW, room, several=several)
    assert line.rstrip() == text
    assert len(line) == room


def test_a_session_that_is_gone_is_named_by_its_id() -> None:
    assert "· inventory-api" in about(beside(candidate(1), title=""), NOW, 60, several=True)


def test_a_snapshot_is_called_one() -> None:
    item = beside(candidate(1, event_type="file-history-snapshot"))
    assert "· snapshot" in about(item, NOW, 60, several=False)


@pytest.mark.parametrize(
    ("cursor", "settled", "place"),
    [
        (1, {"c-45"}, 2),
        (2, {"c-44"}, 3),
        (4, {"c-12"}, 3),  # none below: the nearest above
        (2, {"c-44", "c-31", "c-12"}, 1),
        (1, {"c-45", "c-44", "c-31", "c-12"}, 1),  # none left: it stays
        (1, {"c-31"}, 1),  # the one under the cursor is still to be decided
        (6, {"c-50"}, 7),  # an approved one is rejected: on to the next approved one
        (9, {"c-60"}, 9),
        (0, set(), 0),
    ],
)
def test_the_cursor_goes_on(cursor: int, settled: set[str], place: int) -> None:
    assert place_after(candidate_rows(samples()), cursor, settled) == place
