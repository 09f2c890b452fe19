"""One growing file: read in any pieces, put away and taken up again, cut, replaced, damaged."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_tui.storage.files import fingerprint, lines
from sessions_tui.storage.index.index import Index
from sessions_tui.storage.model.event import KINDS, Event
from sessions_tui.storage.transcript import format, transcript
from sessions_tui.storage.transcript.overview import overview_of
from sessions_tui.storage.transcript.transcript import Transcript, open_at_end

CASES = Path(__file__).parents[2] / "cases"
PATHS = sorted(path for path in CASES.glob("**/*.jsonl") if path.name != "history.jsonl")
LONG = [path for path in PATHS if path.read_bytes().count(b"\n") > 12]
SMALL = [path for path in PATHS if path.stat().st_size < 200_000]
AT = 1_795_320_000_000


def session_of(path: Path) -> str:
    return path.stem.removeprefix("transcript-")


def name(path: Path) -> str:
    return str(path.relative_to(CASES))


def whole(path: Path, session: str | None = None) -> Transcript:
    read = Transcript(path, session or session_of(path))
    read.read()
    return read


def all_known(read: Transcript) -> dict[str, Any]:
    """Everything that a transcript says of what it read."""
    positions = read.positions
    return {
        "dialect": read.agent.name,
        "inner": read.format.inner if read.format else None,
        "positions": (list(positions.offsets), bytes(positions.kinds), list(positions.links)),
        "lines": read.folds.lines,
        "facts": read.facts.as_json(),
        "pairing": read.folds.pairing.as_json(),
        "open": read.facts.open_calls,
        "integrity": read.integrity(),
        "offset": read.fingerprint.offset,
        "checksum": read.fingerprint.checksum,
        "tail": [told(event) for event in read.tail()],
        "events": [told(read.event(index)) for index in range(len(positions))],
    }


def told(event: Event) -> tuple[Any, ...]:
    return event.kind, event.place, event.event_id, event.at, event.text, event.problem


def record(number: int, text: str = "x", **more: Any) -> bytes:
    """A prompt as the product writes it, with its line end."""
    content = [{"type": "input_text", "text": text}]
    fields = {"id": f"r{number}", "timestamp": AT + number, "type": "message", "role": "user"}
    return json.dumps({**fields, "content": content, "sessionId": "s", **more}).encode() + b"\n"


def texts(read: Transcript) -> list[str]:
    return [read.event(index).text for index in range(len(read.positions))]


@settings(max_examples=150, deadline=None)
@given(path=st.sampled_from(SMALL), data=st.data())
def test_growth_in_any_pieces_equals_reading_at_once(path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=6), label="cuts"))
    put_away = data.draw(st.booleans(), label="put away")
    with TemporaryDirectory() as directory, closing(Index(None)) as index:
        growing = Path(directory) / path.name
        growing.touch()
        read = Transcript(growing, session_of(path))
        seen: list[Event] = []
        for start, end in zip([0, *cuts], [*cuts, len(content)], strict=True):
            with growing.open("ab") as file:
                file.write(content[start:end])
            if put_away:
                read = taken_up(index, read)
            seen = events_after(read, seen)
            read.integrity()
        expected = whole(growing)
        assert all_known(read) == all_known(expected)
        assert [told(event) for event in seen] == all_known(expected)["events"]


def taken_up(index: Index, read: Transcript) -> Transcript:
    """The transcript out of an index that it was put into."""
    index.save([(read, overview_of(read))])
    again = index.load(read.path, read.session)
    assert again is not None
    return again


def events_after(read: Transcript, seen: list[Event]) -> list[Event]:
    """The events of the file as it is now: those seen, unless the file was begun anew."""
    generation = read.generation
    new = [event for events in read.advance() for event in events]
    return [*seen, *new] if read.generation == generation else new


@pytest.mark.parametrize("path", PATHS, ids=name)
def test_every_record_of_every_case_has_a_kind(path: Path) -> None:
    read = whole(path)
    assert {read.event(index).kind for index in range(len(read.positions))} <= set(KINDS)
    assert all(0 <= link <= len(read.positions) for link in read.positions.links)


@pytest.mark.parametrize("path", sorted(CASES.glob("envelope/*.jsonl")), ids=name)
def test_the_verdict_on_envelope_cases(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    verdict = whole(path).integrity()
    assert verdict.state == expected["verdict"].replace("_", "-")
    if verdict.state == "corrupt":
        assert verdict.kind == expected["kind"]
        assert verdict.line == expected.get("line", verdict.line)


@pytest.mark.parametrize("path", sorted(CASES.glob("mycodeagent*/**/*.jsonl")), ids=name)
def test_the_verdict_on_mycodeagent_cases(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    error = expected.get("error")
    verdict = whole(path).integrity()
    if error is None or "has no events" in error["message"]:
        assert verdict.state in ("ok", "partial-tail")
        return
    # A character cut at the very end is mended by the next append, so it is not called corrupt.
    cut = "unexpected end of data" in error["message"]
    assert verdict.state == ("partial-tail" if cut else "corrupt")
    assert verdict.line is not None


@pytest.mark.parametrize(
    ("case", "state", "kind", "line"),
    [
        ("01-ordinary-edits", "ok", None, None),
        ("03c-torn-last-line", "partial-tail", None, 13),
        ("10a-third-party-rewrite", "damaged", "bad_json", 8),
        ("10b-empty", "ok", None, None),
        ("10c-bad-utf8-lone-surrogate", "damaged", "encoding", 1),
    ],
)
def test_the_verdict_on_product_cases(case: str, state: str, kind: str, line: int) -> None:
    verdict = whole(CASES / "product" / f"{case}.jsonl").integrity()
    assert (verdict.state, verdict.kind, verdict.line) == (state, kind, line)


@pytest.mark.parametrize(
    ("tail", "state", "events"),
    [
        (b"", "ok", 0),
        (b"  \t", "ok", 0),
        (b'{"type": "mess', "partial-tail", 0),
        ('{"text": "中'.encode()[:-1], "partial-tail", 0),
        (b"\0\0\0", "partial-tail", 0),
        (record(9)[:-1], "ok", 1),
    ],
)
def test_a_tail_without_line_end(tmp_path: Path, tail: bytes, state: str, events: int) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(record(1) + tail)
    read = whole(path)
    assert (len(read.positions), len(read.tail())) == (1, events)
    assert read.integrity().state == state
    assert read.tail_bytes() == len(tail)


Change = Callable[[Path], object]


def renamed_over(content: bytes) -> Change:
    def change(path: Path) -> None:
        other = path.with_suffix(".new")
        other.write_bytes(content)
        other.replace(path)

    return change


def rewritten(content: bytes) -> Change:
    def change(path: Path) -> None:
        with path.open("r+b") as file:
            file.write(content)
            file.truncate()

    return change


OLD = record(1, "one") + record(2, "two")


@pytest.mark.parametrize(
    ("change", "expected", "anew"),
    [
        (renamed_over(OLD + record(3, "three")), ["one", "two", "three"], False),
        (renamed_over(OLD), ["one", "two"], False),
        (renamed_over(record(7, "other")), ["other"], True),
        (renamed_over(record(1, "one") + record(2, "TWO") + record(3)), ["one", "TWO", "x"], True),
        (rewritten(OLD.replace(b"two", b"TWO")), ["one", "TWO"], True),
        (rewritten(record(1, "one")), ["one"], True),
        (rewritten(b""), [], True),
        (lambda path: os.utime(path, ns=(1, 1)), ["one", "two"], False),
    ],
)
def test_a_changed_file(tmp_path: Path, change: Change, expected: list[str], anew: bool) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(OLD)
    read = whole(path)
    change(path)
    os.utime(path)
    new = [event for events in read.advance() for event in events]
    assert texts(read) == expected
    assert (read.generation > 0) == anew
    assert len(new) == (len(expected) if anew else len(expected) - 2)
    assert all_known(read) == all_known(whole(path))


def test_a_failed_append_that_is_taken_back_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(OLD)
    read = whole(path)
    for size in (10, 100, 0):
        path.write_bytes(OLD + record(3, "y" * 200)[:size])
        read.read()
    path.write_bytes(OLD + record(3, "three"))
    read.read()
    assert (texts(read), read.generation) == (["one", "two", "three"], 0)


def test_a_file_that_vanished_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(OLD)
    read = whole(path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        read.read()
    assert len(read.positions) == 2
    path.write_bytes(OLD + record(3, "three"))
    read.read()
    assert (texts(read), read.generation) == (["one", "two", "three"], 0)


@pytest.mark.parametrize("case", ["product/01-ordinary-edits", "mycodeagent/c05_started_only"])
def test_an_empty_file_takes_the_dialect_of_what_comes(tmp_path: Path, case: str) -> None:
    source = CASES / f"{case}.jsonl"
    path = tmp_path / source.name
    path.touch()
    read = whole(path)
    assert (read.agent.name, read.integrity().state) == ("envelope", "ok")
    path.write_bytes(source.read_bytes())
    read.read()
    assert all_known(read) == all_known(whole(path))
    assert (f"{read.agent.name}/" in case, read.generation) == (True, 0)


def test_a_head_that_tells_nothing_is_not_read_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    legacy = json.dumps({"type": "message", "role": "user", "content": "y" * 20_000}).encode()
    path.write_bytes((legacy + b"\n") * 5)
    read = whole(path)
    assert read.format is not None
    assert read.format.settled
    with path.open("ab") as file:
        file.write(b"{}\n")
    assert bytes_read_by(monkeypatch, read) < 8 * fingerprint.EDGE


@pytest.mark.parametrize(
    ("content", "kinds", "lines"),
    [
        (b'\xef\xbb\xbf{"event_id": "transcript:s:1"}\n', ["damaged"], 1),
        (b"\xef\xbb\xbf" + record(1), ["prompt"], 1),
        (b'{"sequence": 1, "schema_version": 1}\r\n{}\r\n\r\n', ["unknown", "unknown"], 3),
        (b'{"sequence": 1, "schema_version": 1}\r{}\n', ["unknown", "unknown"], 2),
        ((record(1) + record(2)).replace(b"\n", b"\r\n"), ["prompt", "prompt"], 2),
        (record(1) + b"\0\0\0\n" + record(2), ["prompt", "damaged", "prompt"], 3),
        (record(1) + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"\n", ["prompt", "damaged"], 2),
        (record(1) + b"[" * 100_000 + b"\n", ["prompt", "damaged"], 2),
        (record(1) + "\u3000\u00a0\n".encode() + record(2), ["prompt", "prompt"], 3),
    ],
    ids=["bom", "bom-product", "crlf", "lone-cr", "crlf-product", "nul", "deep", "deeper", "blank"],
)
def test_odd_lines(tmp_path: Path, content: bytes, kinds: list[str], lines: int) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    read = whole(path)
    assert [read.positions.kind(index) for index in range(len(read.positions))] == kinds
    assert [read.event(index).kind for index in range(len(kinds))] == kinds
    assert read.folds.lines == lines


def test_a_line_of_thirty_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(record(1) + record(2, "y" * 30_000_000) + record(3))
    read = whole(path)
    assert [len(text) for text in texts(read)] == [1, 30_000_000, 1]


def test_a_line_beyond_what_is_held_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (lines, transcript, format):
        monkeypatch.setattr(module, "LONGEST", 600_000)
    path = tmp_path / "s.jsonl"
    path.write_bytes(record(1, "one") + record(2, "y" * 1_000_000) + record(3, "three"))
    read = whole(path)
    one, long, three = texts(read)
    assert (one, three) == ("one", "three")
    assert "1 MB long" in long
    assert read.event(1).kind == "damaged"
    assert read.integrity().state == "damaged"


@pytest.mark.parametrize("path", LONG, ids=name)
def test_opened_at_its_end_it_tells_the_same_last_records(path: Path) -> None:
    full = whole(path)
    late = open_at_end(path, session_of(path), lines=10, limit=1 << 20)
    late.read()
    count = len(late.positions)
    assert late.origin > 0
    assert list(late.positions.offsets) == list(full.positions.offsets[-count:])
    for back in range(1, count + 1):
        mine, other = late.event(count - back), full.event(len(full.positions) - back)
        assert (mine.kind, mine.text, mine.at) == (other.kind, other.text, other.at)
        assert mine.place.number is None


def test_opened_at_its_end_and_replaced_it_begins_at_a_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(record(n, "y" * 300) for n in range(50)))
    read = open_at_end(path, "s", lines=5, limit=1 << 20)
    read.read()
    renamed_over(b"".join(record(n, "z" * 470) for n in range(60)))(path)
    read.read()
    assert read.generation == 1
    assert {event.kind for event in map(read.event, range(len(read.positions)))} == {"prompt"}
    assert len(read.positions) >= 5


def bytes_read_by(monkeypatch: pytest.MonkeyPatch, read: Transcript) -> int:
    """How many bytes one `read` fetches from the file."""
    fetched = []

    def counted(fd: int, length: int, offset: int) -> bytes:
        data = os.pread(fd, length, offset)
        fetched.append(len(data))
        return data

    with monkeypatch.context() as patch:
        for module in (lines, fingerprint, format, transcript):
            patch.setattr(module, "pread", counted)
        read.read()
    return sum(fetched)


@pytest.mark.parametrize("records", [10, 5_000])
def test_one_more_record_costs_that_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, records: int
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(record(n, "y" * 100) for n in range(records)))
    read = whole(path)
    assert bytes_read_by(monkeypatch, read) == 0
    new = record(records, "z" * 1000)
    with path.open("ab") as file:
        file.write(new)
    before = read.bytes_read
    assert bytes_read_by(monkeypatch, read) <= len(new) + 4 * fingerprint.EDGE
    assert read.bytes_read - before == len(new)
    assert bytes_read_by(monkeypatch, read) == 0


def test_between_two_slices_what_was_read_can_be_shown(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(record(n, f"{n} " + "y" * 900) for n in range(2000)))
    read = Transcript(path, "s")
    slices = read.advance()
    first = next(slices)
    assert read.event(len(first) - 1).text.startswith(f"{len(first) - 1} ")
    del slices
    read.read()
    assert all_known(read) == all_known(whole(path))
