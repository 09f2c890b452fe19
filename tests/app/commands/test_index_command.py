"""`sessions index`: what is kept, and a word and an exit code where nothing is."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.storage.talks import talk

Sessions = Callable[..., Any]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store of three sessions."""
    for number in range(3):
        talk(tmp_path / "home", f"s{number}", [("prompt", "a needle", number)])
    return tmp_path / "home"


def device(path: Path) -> None:
    path.symlink_to(os.devnull)


def pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("place", [Path.mkdir, device, pipe])
def test_where_the_index_should_be_is_something_else(
    sessions: Sessions, home: Path, tmp_path: Path, place: Callable[[Path], None]
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    place(cache / "index.db")
    ran = sessions("index", "--root", home, "--cache-dir", cache)
    assert ran.code == 6
    assert ran.out.startswith("3 transcripts with 3 events: 3 read")
    said = f"sessions: the index cannot be saved in {cache}: it is not an ordinary file\n"
    assert ran.err == said
    ran = sessions("search", "needle", "--json", "--root", home, "--cache-dir", cache)
    assert (ran.code, len(ran.objects), ran.err) == (0, 3, said)


def test_an_index_that_cannot_be_deleted(sessions: Sessions, home: Path, tmp_path: Path) -> None:
    (tmp_path / "cache" / "index.db").mkdir(parents=True)
    ran = sessions("index", "--rebuild", "--root", home, "--cache-dir", tmp_path / "cache")
    assert (ran.code, ran.out) == (6, "")
    assert f"{tmp_path / 'cache' / 'index.db'} cannot be deleted" in ran.err


def test_an_index_that_another_program_holds(
    sessions: Sessions, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_tui.storage.index.file.WAIT_MS", 20)
    words = ("--root", home, "--cache-dir", tmp_path / "cache")
    assert sessions("index", *words).code == 0
    talk(home, "new", [("prompt", "a needle", 50)])
    with closing(sqlite3.connect(tmp_path / "cache" / "index.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        ran = sessions("index", "--json", *words)
        told = ran.document
        assert (ran.code, told["parsed"], told["unchanged"]) == (6, 1, 3)
        assert ran.err.startswith("sessions: another program holds the index")
        ran = sessions("search", "needle", "--json", *words)
        assert (ran.code, len(ran.objects)) == (0, 4)
        assert ran.err.startswith("sessions: another program holds the index")
    ran = sessions("index", *words)
    assert (ran.code, ran.err) == (0, "")
