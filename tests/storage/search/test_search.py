"""Search in all sessions: what was said is found, newest first, and little is looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_tui.storage.files import lines as framing
from sessions_tui.storage.index.index import Index
from sessions_tui.storage.index.texts import Piece
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.event import Kind
from sessions_tui.storage.search.query import SAID, folded, parse_query
from sessions_tui.storage.search.search import FEW, Search
from sessions_tui.storage.stores.roots import find_roots
from sessions_tui.storage.transcript.transcript import Transcript
from tests.storage.talks import AT, Said, library, lines, record, search, talk

CASES = Path(__file__).parents[2] / "cases"
SAYS: list[Said] = [
    ("prompt", "stock.py 里的 reserve() 会超卖，帮我修好", 1),
    ("reasoning", "I should look for a needle", 2),
    ("result", "one needle in the output\x1b[0m", 3),
    ("answer", "修好了：用SQLite存 reserve_stock", 4),
    ("answer", "The Kelvin sign and a straße", 5),
    ("prompt", "Two\n  words, and some more", 6),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store with an old session and a new one."""
    talk(tmp_path, "old", SAYS)
    talk(tmp_path, "new", [("prompt", "reserve a needle", 10), ("answer", "I will reserve it", 11)])
    return tmp_path


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("reserve", [("new", 1), ("new", 0), ("old", 3), ("old", 0)]),
        ("needle", [("new", 0)]),
        ("超卖", [("old", 0)]),
        ("好了", [("old", 3)]),
        ("sqlite", [("old", 3)]),
        ("用sqlite存", [("old", 3)]),
        ("reserve 超卖", [("old", 0)]),
        ('"two words"', [("old", 5)]),
        ("STRASSE", [("old", 4)]),
        ("kelvin", [("old", 4)]),
        ("res*", [("new", 1), ("new", 0), ("old", 3), ("old", 0)]),
        ("res", []),
        ("reserve kind:prompt", [("new", 0), ("old", 0)]),
        ("kind:prompt", [("new", 0), ("old", 5), ("old", 0)]),
        ("sessionid", []),
        ("output_text", []),
    ],
)
def test_what_was_said_is_found(home: Path, query: str, expected: list[tuple[str, int]]) -> None:
    with library(home) as found:
        assert search(found, query) == expected
        assert search(found, query, limit=1) == expected[:1]
        assert search(found, query, limit=0) == []


def test_thoughts_and_outputs_are_asked_for(home: Path) -> None:
    with library(home) as found:
        assert search(found, "needle", kinds=["reasoning"]) == [("new", 0), ("old", 1)]
        assert search(found, "needle", kinds=["result"]) == [("new", 0), ("old", 2)]
        assert search(found, "kind:result needle", kinds=["result"]) == [("old", 2)]
        assert search(found, "kind:thought", kinds=["reasoning"]) == [("old", 1)]
        assert search(found, "kind:thought") == []


def test_calls_are_searched_in_all_that_they_were_given(home: Path) -> None:
    args = {"command": "cd app\npytest -q 卖光", "more": [{"deep": 'in "here"'}], "timeout": 417}
    call = {"type": "function_call", "timestamp": AT + 9_000, "callId": "c", "name": "Bash"}
    path = talk(home, "called", [])
    path.write_text(json.dumps({**call, "arguments": json.dumps(args)}) + "\n")
    with library(home) as found:
        for word in ("pytest", '"app pytest -q"', "卖光", "here", "417"):
            assert search(found, word, kinds=["call"]) == [("called", 0)], word
            assert search(found, word) == []
        for word in ("command", "deep", "ytest", "arguments"):
            assert search(found, word, kinds=["call"]) == []
        slices = Search(found, parse_query("pytest"), [path], frozenset({"call"})).run(1)
        (hit,) = [hit for hits in slices for hit in hits]
        snippet = hit.quotation.snippet
        assert snippet.text[snippet.start :].startswith("pytest -q 卖光")


def test_a_call_is_found_once_though_its_start_repeats_it(tmp_path: Path) -> None:
    case = CASES / "mycodeagent" / "a04_blank_lines_between.jsonl"
    path = tmp_path / "memory" / "transcripts" / "transcript-s-adv.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(case.read_bytes())
    with library(tmp_path) as found:
        assert len(search(found, '"a.py" kind:call', kinds=["call"])) == 1


def test_only_what_is_since_a_moment_is_found(home: Path) -> None:
    with library(home) as found:
        query = parse_query("since:then", lambda _: AT + 5_000)
        hits = [hit for hit in Search(found, query, found.newest_first()).hits() if hit]
        assert [hit.record for hit in hits] == [1, 0, 5, 4]


def test_sessions_are_found_by_the_files_that_they_edited(home: Path) -> None:
    talk(home, "edits", [("edit", "app/Stock.py", 20), ("answer", "reserve is mended", 21)])
    with library(home) as found:
        assert search(found, "reserve file:stock.py") == [("edits", 1)]
        assert search(found, "reserve file:other") == []


def test_copies_in_forks_count_once(home: Path) -> None:
    copied = lines(SAYS, "old")
    talk(home, "fork", [("answer", "reserve again", 7)], before=copied)
    talk(home, "fork-of-fork", [], before=copied + lines([("answer", "reserve again", 7)], "fork"))
    with library(home) as found:
        hits = search(found, "reserve")
        assert hits == [("new", 1), ("new", 0), ("fork", 6), ("old", 3), ("old", 0)]
        forks = [path for path in found.newest_first() if path.stem.startswith("fork")]
        assert [record for _, record in search(found, "reserve", wanted=forks)] == [6, 3, 0]


def test_copied_stores_are_two_stores(home: Path, tmp_path: Path) -> None:
    (home / "projects" / "again").mkdir()
    old = home / "projects" / "shop" / "old.jsonl"
    (home / "projects" / "again" / "old.jsonl").write_bytes(old.read_bytes())
    with library(home) as found:
        assert search(found, "超卖") == [("old", 0), ("old", 0)]


def test_the_last_record_needs_no_line_end(home: Path) -> None:
    path = home / "projects" / "shop" / "old.jsonl"
    last = json.dumps(record("answer", "the very last", 7, "old"))
    path.write_text(path.read_text() + last)
    with library(home) as found:
        assert search(found, "very") == [("old", 6)]
        running = Search(found, parse_query("very"), found.newest_first()).run(1)
        (hit,) = [hit for slice in running for hit in slice]
        assert hit.quotation.event.place.number == 7
    path.write_text(path.read_text()[:-9])
    with library(home) as found:
        assert search(found, "very") == []


def test_what_changed_since_is_not_told_as_found(home: Path) -> None:
    with library(home) as found:
        path = home / "projects" / "shop" / "old.jsonl"
        path.write_text(path.read_text().replace("sqlite", "other!").replace("SQLite", "Other!"))
        assert search(found, "sqlite") == []
        path.unlink()
        assert search(found, "reserve") == [("new", 1), ("new", 0)]


def test_what_is_not_indexed_is_told(home: Path) -> None:
    with library(home) as found:
        path = talk(home, "later", [("answer", "reserve", 30)])
        found.rescan()
        running = Search(found, parse_query("reserve"), found.newest_first())
        assert running.unsearched == [path]
        found.read_all()
        assert Search(found, parse_query("reserve"), found.newest_first()).unsearched == []
        assert search(found, "reserve")[0] == ("later", 0)


def test_snippets_are_in_the_words_of_the_transcript(home: Path) -> None:
    talk(home, "long", [("answer", "x " * 500 + "Straße\n\n\tNeedle" + " ſee" * 500, 40)])
    with library(home) as found:
        for words, match in (
            ("strasse", "Straße"),
            ('"STRASSE needle"', "Straße Needle"),
            ("needle see", "Needle"),
        ):
            running = Search(found, parse_query(words), found.newest_first()).run(1)
            (hit,) = [hit for slice in running for hit in slice]
            snippet = hit.quotation.snippet
            assert snippet.text[snippet.start : snippet.end] == match
            assert "\n" not in snippet.text
            assert snippet.text.startswith("…x x")
            assert snippet.text.endswith("…")
            assert len(snippet.text) <= 160


def count(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Counts the pieces looked at and the bytes read from transcripts from now on."""
    counted = {"sessions": 0, "records": 0}
    pieces, event = Index.pieces, Transcript.event

    def counting_pieces(index: Index, path: Path) -> Iterator[tuple[Piece, int]]:
        counted["sessions"] += 1
        return pieces(index, path)

    def counting_event(transcript: Transcript, at: int) -> object:
        counted["records"] += 1
        return event(transcript, at)

    monkeypatch.setattr(Index, "pieces", counting_pieces)
    monkeypatch.setattr(Transcript, "event", counting_event)
    return counted


def test_little_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        said: list[Said] = [
            ("answer", f"common needle{number:02d}", 10 * number + n) for n in (1, 2)
        ]
        talk(tmp_path, f"s{number:02d}", said)
    with library(tmp_path, tmp_path / "cache"):
        pass
    with library(tmp_path, tmp_path / "cache") as found:
        assert len(found.overviews.parsed) == found.overviews.bytes_read == 0
        counted = count(monkeypatch)
        assert len(search(found, "common", limit=6)) == 6
        assert counted == {"sessions": 4, "records": 6}
        counted.update(sessions=0, records=0)
        assert search(found, "needle07", limit=1) == [("s07", 1)]
        assert counted["records"] == 1
        counted.update(sessions=0, records=0)
        assert search(found, "needle02") == [("s02", 1), ("s02", 0)]
        assert counted == {"sessions": FEW, "records": 2}
        counted.update(sessions=0, records=0)
        assert search(found, "nowhere") == []
        assert counted == {"sessions": FEW - 1, "records": 0}
        assert found.overviews.bytes_read == 0


def test_a_search_reads_no_more_than_its_hits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = talk(tmp_path, "s", [("result", "x" * 100_000, n) for n in range(20)])
    with path.open("a") as file:
        file.write(lines([("answer", "a needle", 30)], "s"))
    with library(tmp_path) as found:
        read: list[int] = []
        pread = framing.pread

        def counting(fd: int, length: int, offset: int) -> bytes:
            read.append(length)
            return pread(fd, length, offset)

        monkeypatch.setattr("sessions_tui.storage.transcript.transcript.pread", counting)
        assert search(found, "needle") == [("s", 20)]
        assert sum(read) < 1_000


WORDS = (
    "lock",
    "locked",
    "block",
    "用SQLite存",
    "超卖",
    "ſee",
    "Straße",
    "a",
    "reserve_stock",
    "\n",
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
KINDS = st.sampled_from(["prompt", "answer", "reasoning", "result"])
QUERIES = st.sampled_from(
    ["lock", "lock*", "sqlite", "超卖", "用sqlite存", "see", "strasse a", '"a lock"', "stock", "卖"]
)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.tuples(KINDS, TEXTS), max_size=8), min_size=1, max_size=4),
    QUERIES,
    st.sampled_from([(), ("reasoning",), ("reasoning", "result")]),
)
def test_a_search_finds_what_a_look_at_all_events_does(
    sessions: list[list[tuple[str, str]]], text: str, also: tuple[Kind, ...]
) -> None:
    query, kinds = parse_query(text), {*SAID, *also}
    with TemporaryDirectory() as folder:
        home, expected = Path(folder), []
        for session, said in enumerate(sessions):
            timed: list[Said] = [(*one, 4 * n + session) for n, one in enumerate(said)]
            talk(home, str(session), timed)
            expected += [
                (-at, str(session), n)
                for n, (kind, words, at) in enumerate(timed)
                if kind in kinds and words.strip() and query.matches(folded(words))
            ]
        with library(home) as found:
            hits = search(found, text, kinds=also)
        assert hits == [(session, n) for _, session, n in sorted(expected)]


def test_a_clock_that_was_set_back_hides_nothing(tmp_path: Path) -> None:
    padding = "hay " * 20_000
    talk(
        tmp_path,
        "back",
        [
            ("answer", "a needle " + padding, 1),
            ("answer", "a needle " + padding, 900),
            ("answer", "a needle " + padding, 2),
            ("answer", "a needle", 3),
        ],
    )
    talk(tmp_path, "other", [("answer", "a needle", 5), ("answer", "a needle", 800)])
    with library(tmp_path) as found:
        expected = [("back", 1), ("other", 1), ("other", 0), ("back", 3), ("back", 2), ("back", 0)]
        assert search(found, "needle") == expected
        query = parse_query("needle since:then", lambda _: AT + 850_000)
        hits = [hit for hit in Search(found, query, found.newest_first()).hits() if hit]
        assert [(hit.path.stem, hit.record) for hit in hits] == [("back", 1)]


def test_an_unended_line_is_not_older_than_the_others(home: Path) -> None:
    path = home / "projects" / "shop" / "old.jsonl"
    path.write_text(path.read_text() + json.dumps(record("answer", "the needle", 70, "old")))
    with library(home) as found:
        query = parse_query("needle since:then", lambda _: AT + 60_000)
        hits = [hit for hit in Search(found, query, found.newest_first()).hits() if hit]
        assert [(hit.path.stem, hit.record) for hit in hits] == [("old", 6)]


def test_what_came_after_the_look_is_no_gap(home: Path) -> None:
    roots = find_roots([home], {}, home, home).found
    path = home / "projects" / "shop" / "old.jsonl"
    with closing(Library(roots, None)) as found:
        found.rescan()
        with path.open("a") as file:
            file.write(lines([("answer", "reserve more", 8)], "old"))
        found.read_all()
        assert Search(found, parse_query("reserve"), found.newest_first()).unsearched == []
        path.write_text(path.read_text().replace("reserve", "RESERVE"))
        found.rescan()
        assert Search(found, parse_query("reserve"), found.newest_first()).unsearched == [path]


def test_a_line_too_long_to_be_searched_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("files.lines", "folds.facts", "transcript.transcript"):
        monkeypatch.setattr(f"sessions_tui.storage.{module}.LONGEST", 200_000)
    path = talk(home, "long", [("answer", "hay " * 100_000, 50), ("answer", "a needle", 51)])
    with library(home, home / "cache"):
        pass
    with library(home, home / "cache") as found:
        looking = Search(found, parse_query("needle"), found.newest_first())
        assert (looking.too_long, looking.unsearched) == ([path], [])
        assert search(found, "needle") == [("long", 1), ("new", 0)]
