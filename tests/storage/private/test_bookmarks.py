"""Bookmarks: kept between runs, shared between programs, never in the way."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from sessions_tui.storage.private.bookmarks import FILE, Bookmark, Bookmarks

SAMPLES = {
    Path("/store/a.jsonl"): Bookmark(None, None, 1),
    Path("/store/修复.jsonl"): Bookmark(120, 4_096, 2),
    Path(os.fsdecode(b"/store/\xff\xfe.jsonl")): Bookmark(0, 0, 3),
}


def test_what_was_kept_is_there_in_the_next_run(tmp_path: Path) -> None:
    first = Bookmarks(tmp_path / "data", 1_000)
    assert first.all() == {}
    first.keep(SAMPLES.items())
    first.keep([(Path("/store/a.jsonl"), Bookmark(7, 8, 9))])
    first.close()
    again = Bookmarks(tmp_path / "data", 2_000)
    assert again.all() == SAMPLES | {Path("/store/a.jsonl"): Bookmark(7, 8, 9)}
    assert again.first_run_at == 1_000
    assert not again.notice
    again.close()


def test_nothing_is_made_before_there_is_something_to_keep(tmp_path: Path) -> None:
    marks = Bookmarks(tmp_path / "data", 1_000)
    assert (marks.all(), marks.first_run_at) == ({}, 1_000)
    marks.close()
    assert not (tmp_path / "data").exists()


def test_two_programs_see_each_others_bookmarks(tmp_path: Path) -> None:
    one, two = Bookmarks(tmp_path, 1_000), Bookmarks(tmp_path, 2_000)
    one.open()
    two.open()
    one.keep(SAMPLES.items())
    assert two.all() == SAMPLES
    assert two.first_run_at == 1_000
    one.close()
    two.close()


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    marks = Bookmarks(tmp_path / "data", 1_000)
    marks.keep(SAMPLES.items())
    for path in (tmp_path / "data", *(tmp_path / "data").iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path
    marks.close()


def test_without_a_place_they_last_as_long_as_the_program(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    marks = Bookmarks(tmp_path / "data", 1_000)
    marks.open()
    assert marks.notice.startswith("places in sessions are not remembered: ")
    marks.keep(SAMPLES.items())
    assert marks.all() == SAMPLES
    assert marks.first_run_at == 1_000
    marks.close()


def test_a_broken_database_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database, but perhaps somebody's only copy" * 100)
    before = (tmp_path / FILE).read_bytes()
    marks = Bookmarks(tmp_path, 1_000)
    marks.keep(SAMPLES.items())
    assert marks.notice
    assert marks.all() == SAMPLES
    marks.close()
    assert (tmp_path / FILE).read_bytes() == before


def test_a_locked_database_costs_a_notice_only(tmp_path: Path) -> None:
    marks = Bookmarks(tmp_path, 1_000)
    marks.keep(SAMPLES.items())
    marks.open().execute("pragma busy_timeout = 10")
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("begin exclusive")
    marks.keep([(Path("/store/a.jsonl"), Bookmark(7, 8, 9))])
    assert marks.notice == "places in sessions are not remembered: database is locked"
    other.rollback()
    other.close()
    assert marks.all() == SAMPLES
    marks.close()
