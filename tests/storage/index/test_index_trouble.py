"""An index in trouble: what it cannot hold is searched all the same, or said not to have been."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.index.index import FILE, Index
from sessions_tui.storage.library import update as indexing
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.library.open_transcripts import HOT
from sessions_tui.storage.model.event import LIMIT, Usage
from sessions_tui.storage.search.query import parse_query
from sessions_tui.storage.search.search import Search
from sessions_tui.storage.stores.roots import find_roots
from sessions_tui.storage.transcript.overview import overview_of
from sessions_tui.storage.transcript.transcript import Transcript
from tests.full_disk import full_disk
from tests.storage.talks import AT, Said, library, search, talk


def read(path: Path) -> Transcript:
    transcript = Transcript(path, path.stem.removeprefix("transcript-"))
    transcript.read()
    return transcript


def response(number: int, prompt: Any, output: Any = 1) -> dict[str, Any]:
    usage = {"prompt_tokens": prompt, "completion_tokens": output}
    return {
        "timestamp": AT + number,
        "sessionId": "s",
        "type": "function_call",
        "callId": f"c{number}",
        "name": "Bash",
        "arguments": "{}",
        "providerData": {"messageId": f"m{number}", "model": "hy3", "rawUsage": usage},
    }


def written(path: Path, records: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def talks(home: Path, count: int, length: int = 3) -> None:
    for number in range(count):
        said: list[Said] = [("answer", f"a needle of {number} " + "hay " * length, number)]
        talk(home, f"s{number:02d}", said)


@contextmanager
def opened(home: Path, cache: Path) -> Iterator[Library]:
    """A library that has looked for transcripts and read nothing yet."""
    with closing(Library(find_roots([home], {}, home, home).found, cache)) as found:
        found.rescan()
        yield found


@contextmanager
def locked(cache: Path) -> Iterator[None]:
    """Another program that writes to the index and does not come to its end."""
    with closing(sqlite3.connect(cache / FILE, isolation_level=None)) as other:
        other.execute("begin immediate")
        yield


def changed(path: Path, text: bytes) -> None:
    """Another byte at the last place where a text stands in a file."""
    data = path.read_bytes()
    at = data.rindex(text)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes([data[at] ^ 0x80]))


# What cannot be stored.


@pytest.mark.parametrize("huge", [2**63, 2**64 - 1, 10**400, 10**15 + 1])
def test_a_count_that_nobody_could_use_is_none(tmp_path: Path, huge: int) -> None:
    path = written(tmp_path / "s.jsonl", [response(1, huge, 5), response(2, 7, huge)])
    transcript = read(path)
    assert transcript.facts.tokens == Usage(7, 0, 5)
    with closing(Index(tmp_path)) as index:
        assert index.save([(transcript, overview_of(transcript))])
        assert [used.tokens for used in index.usage()] == [Usage(7, 0, 5)]
        assert index.known(path) == overview_of(transcript)


def test_sums_stay_within_what_can_be_stored(tmp_path: Path) -> None:
    many = [response(number, 10**15, 10**15) for number in range(1_200)]
    path = written(tmp_path / "s.jsonl", many)
    with closing(Index(tmp_path)) as index:
        transcript = read(path)
        assert index.save([(transcript, overview_of(transcript))])
        written(path, many * 2)
        transcript.read()
        assert index.save([(transcript, overview_of(transcript))])
        assert [used.tokens for used in index.usage()] == [Usage(LIMIT, 0, LIMIT)]
        assert transcript.facts.tokens == Usage(LIMIT, 0, LIMIT)
        assert index.notice == ""


@pytest.mark.parametrize("step", [1e300, 2**63, -(2**70), 10**400, 3])
def test_a_step_beyond_64_bits_counts_nothing(tmp_path: Path, step: float) -> None:
    record = {
        "event_id": "evt-1",
        "timestamp": "2026-05-11T13:00:00Z",
        "session_id": "s",
        "run_id": "run-1",
        "step": step,
        "event_type": "tool_lifecycle",
        "payload": {"tool_call_id": "c", "tool_name": "Bash", "status": "requested", "args": {}},
        "schema_version": 1,
    }
    path = tmp_path / "memory" / "transcripts" / "transcript-s.jsonl"
    transcript = read(written(path, [record]))
    (call,) = [call for calls in transcript.facts.open_calls.values() for call in calls]
    assert call.step == (3 if step == 3 else None)
    with closing(Index(tmp_path)) as index:
        assert index.save([(transcript, overview_of(transcript))])
        assert index.load(path, "s") is not None
        assert index.notice == ""


def test_one_that_cannot_be_stored_fails_alone(tmp_path: Path) -> None:
    talk(tmp_path, "large", [("answer", "a needle in much " + "hay " * 9_000, 5)])
    talk(tmp_path, "small", [("answer", "a needle", 1)])
    with opened(tmp_path, tmp_path / "cache") as found:
        found.index._file.db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 20_000)
        found.read_all()
        assert search(found, "needle") == [("small", 0)]
        looking = Search(found, parse_query("needle"), found.newest_first())
        assert [path.stem for path in looking.unsearched] == ["large"]
        assert [path.stem for path in found.overviews.uncounted()] == ["large"]
        assert found.notice.count("large.jsonl cannot be kept in the index: ") == 1
        assert not found.transcripts.is_kept
    with library(tmp_path, tmp_path / "cache") as found:
        assert [path.stem for path in found.overviews.parsed] == ["large"]
        assert search(found, "needle") == [("large", 0), ("small", 0)]
        assert found.transcripts.is_kept


def test_a_file_that_is_not_understood_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talks(tmp_path, 2)

    def fails(transcript: Transcript) -> Iterator[Any]:
        if transcript.path.stem == "s00":
            raise OverflowError("too much")
        return advance(transcript)

    advance = Transcript.advance
    monkeypatch.setattr(Transcript, "advance", fails)
    with library(tmp_path) as found:
        (problem,) = found.unreadable.values()
        assert problem.path.stem == "s00"
        assert "too much" in problem.reason
        assert search(found, "needle") == [("s01", 0)]


# An index that fails.


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for files")
def test_a_disk_that_becomes_full_loses_no_hit(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    talks(home, 10)
    with library(home, cache):
        pass
    talks(home, 40, 4_000)
    with opened(home, cache) as found, full_disk(200_000):
        found.read_all()
        assert found.notice.startswith(f"the index cannot be saved in {cache}: ")
        assert not found.transcripts.is_kept
        assert len(search(found, "needle")) == 40
        assert Search(found, parse_query("needle"), found.newest_first()).unsearched == []
        assert found.overviews.uncounted() == found.pending() == []


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for files")
def test_an_index_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    talks(home, 10)
    with library(home, cache):
        pass
    with full_disk(16_384):
        with opened(home, cache) as found:
            found.read_all()
            assert found.overviews.parsed == set()
            assert (found.notice, found.transcripts.is_kept) == ("", True)
            assert len(search(found, "needle")) == 10
        talk(home, "new", [("answer", "a needle", 99)])
        with opened(home, cache) as found:
            found.read_all()
            assert [path.stem for path in found.overviews.parsed] == ["new"]
            assert found.notice.startswith(f"the index cannot be saved in {cache}: ")
            assert len(search(found, "needle")) == 11


def test_pages_that_break_while_in_use_are_read_again(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    talks(home, 30, 10_000)
    with library(home, cache):
        pass
    with opened(home, cache) as found:
        assert found.pending() == []
        database = cache / FILE
        middle = database.stat().st_size // 2
        with database.open("r+b") as file:
            file.seek(middle)
            file.write(b"\xff" * middle)
        looking = Search(found, parse_query("needle"), found.newest_first())
        hits = [hit for hit in looking.hits() if hit]
        assert len(hits) + len(looking.unsearched) >= 30
        assert looking.unsearched
        assert found.lost()
        found.read_all()
        assert len(search(found, "needle")) == 30
        assert found.lost() == found.overviews.uncounted() == []
        assert found.notice.startswith("the index was set aside and is made anew: ")
    with library(home, cache) as found:
        assert found.overviews.parsed == set()


def test_a_byte_that_changed_in_what_was_said_is_damage(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    talks(home, 9)
    with library(home, cache):
        pass
    changed(cache / FILE, b"a needle of 7")
    with library(home, cache) as found:
        looking = Search(found, parse_query("needle"), found.newest_first())
        hits = [hit for hit in looking.hits() if hit]
        assert {path.stem for path in looking.unsearched} >= {"s07"}
        assert len(hits) + len(looking.unsearched) >= 9
        assert "set aside" in found.notice
        found.read_all()
        assert len(search(found, "needle")) == 9
    with library(home, cache) as found:
        assert (found.notice, found.overviews.parsed) == ("", set())


def test_an_open_transcript_begins_anew_when_the_index_fails(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    talks(home, 1)
    with library(home, cache) as found:
        (path,) = found.newest_first()
        shown = found.transcript(path)
        generation = shown.generation
        found.index._file.fail(sqlite3.DatabaseError("malformed"))
        assert found.lost() == [path]
        found.read(path)
        assert found.transcript(path) is shown
        assert (shown.generation, len(shown.positions)) == (generation + 1, 1)
        assert found.lost() == []
        assert search(found, "needle") == [("s00", 0)]


# An index that another program holds.


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions_tui.storage.index.file.WAIT_MS", 20)


@pytest.mark.usefixtures("impatient")
def test_what_cannot_be_kept_yet_is_searched_in_memory(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    talks(home, HOT + 10)
    with library(home, cache):
        pass
    grown = talk(
        home, "s01", [("answer", "a needle of 1 hay hay hay ", 1), ("answer", "needle", 90)]
    )
    new = [talk(home, f"t{number}", [("prompt", "needle", number)]) for number in range(HOT + 10)]
    with opened(home, cache) as found:
        with locked(cache):
            found.read_all()
            for path in found.newest_first():  # more than are kept open
                found.transcript(path)
            hits = search(found, "needle", 200)
            assert hits[0] == ("s01", 1)
            assert len(hits) == len(set(hits)) == 2 * (HOT + 10) + 1
            assert Search(found, parse_query("needle"), found.newest_first()).unsearched == []
            assert found.notice.startswith("another program holds the index")
            assert set(found.overviews.uncounted()) == {grown, *new}
            assert not found.transcripts.is_kept
            waiting = found.index._file.db.execute("pragma busy_timeout").fetchone()
            assert waiting == (0,)
        found.save()
        assert (found.notice, found.transcripts.is_kept, found.overviews.uncounted()) == (
            "",
            True,
            [],
        )
    with library(home, cache) as found:
        assert found.overviews.parsed == set()
        assert search(found, "needle", 200) == hits


@pytest.mark.usefixtures("impatient")
def test_a_transcript_counts_as_read_once_however_often_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    talks(home, 8)
    with library(home, cache):
        pass
    talks(home, 8, 5)
    monkeypatch.setattr(indexing, "WORTH", 0)
    with opened(home, cache) as found, locked(cache):
        found.read_all()
        assert len(found.overviews.parsed) == 8
        assert len(search(found, "needle")) == 8
