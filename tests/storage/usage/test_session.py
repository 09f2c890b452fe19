"""What one session used: course and totals agree, growing costs what grew, nothing counts twice."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.usage import SessionUse
from sessions_tui.storage.stores.roots import find_roots
from sessions_tui.storage.usage import session as module
from sessions_tui.storage.usage.session import SessionUsage

CASES = Path(__file__).parents[2] / "cases"
NOW = 1_795_600_000_000
START = 1_778_508_120_000  # 2026-05-11, 14:02 UTC
MINUTE = 60_000


@contextmanager
def library(root: Path, cache: Path) -> Iterator[Library]:
    """A library that has read everything, and keeps it."""
    roots = find_roots([root], {}, Path.cwd(), Path.home()).found
    with closing(Library(roots, cache)) as found:
        bring_up_to_date(found)
        yield found


def bring_up_to_date(found: Library) -> None:
    found.rescan()
    for path in found.pending():
        found.read(path)
    found.save()


def counted(using: SessionUsage) -> SessionUse:
    found = [use for use in using.count(NOW) if use is not None]
    assert len(found) == 2
    return found[-1]


def tokens(use: SessionUse) -> Usage:
    return sum((moment.tokens for moment in use.course.moments), Usage())


def calls(use: SessionUse) -> int:
    return sum(moment.calls for moment in use.course.moments)


def used(number: int, session: str, **more: Any) -> bytes:
    """A call, and a hundred tokens for it."""
    extra = {"messageId": f"m{number}", "rawUsage": {"prompt_tokens": 100}, "model": "hy3"}
    fields = {"type": "function_call", "callId": f"c{number}", "name": "Bash", "arguments": "{}"}
    at = START + number * MINUTE
    record = {**fields, "sessionId": session, "timestamp": at, "providerData": extra, **more}
    return json.dumps(record).encode() + b"\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "home" / "projects" / "shop"
    place.mkdir(parents=True)
    return place


@pytest.mark.parametrize("store", ["product-store"])
def test_course_and_totals_agree(tmp_path: Path, store: str) -> None:
    shutil.copytree(CASES / store, tmp_path / store)
    with library(tmp_path / store, tmp_path / "cache") as found:
        sessions = [one for one in found.sessions(NOW) if one.parent is None and one.started_at]
        assert len(sessions) > 3
        uses = [counted(SessionUsage(found, session.path)) for session in sessions]
    for use in uses:
        totals = use.report.totals
        assert (tokens(use), calls(use)) == (totals.tokens, totals.calls)
    assert any(tokens(use) != Usage() for use in uses)
    assert any(calls(use) for use in uses)


def test_what_grew_is_folded_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SLICE", 1)
    path = folder / "s.jsonl"
    path.write_bytes(b"".join(used(number, "s") for number in range(50)))
    with library(folder.parents[1], tmp_path / "cache") as found:
        using = SessionUsage(found, path)
        first = list(using.count(NOW))
        with path.open("ab") as file:
            file.write(used(50, "s"))
        bring_up_to_date(found)
        second = list(using.count(NOW))
    assert len(first) - len(second) == 49
    use = second[-1]
    assert use is not None
    assert (tokens(use), calls(use)) == (Usage(5_100), 51)
    assert len(use.course.moments) == 51


def test_what_was_copied_counts_where_it_was_used(folder: Path, tmp_path: Path) -> None:
    (folder / "first.jsonl").write_bytes(b"".join(used(number, "first") for number in range(3)))
    fork = folder / "fork.jsonl"
    fork.write_bytes(b"".join(used(number, "first") for number in range(3)) + used(9, "fork"))
    with library(folder.parents[1], tmp_path / "cache") as found:
        uses = [counted(SessionUsage(found, path)) for path in (folder / "first.jsonl", fork)]
        assert [use.report.totals.tokens for use in uses] == [Usage(300), Usage(100)]
        assert [tokens(use) for use in uses] == [Usage(300), Usage(100)]
        assert [calls(use) for use in uses] == [3, 1]
        (folder / "first.jsonl").unlink()
        bring_up_to_date(found)
        use = counted(SessionUsage(found, fork))
        assert (tokens(use), calls(use), use.report.totals.calls) == (Usage(400), 4, 4)


def test_tokens_that_a_trace_tells_stand_in_their_hour(tmp_path: Path) -> None:
    source = CASES / "mycodeagent" / "c22_uncertain_then_later_run.jsonl"
    path = tmp_path / "app" / "memory" / "transcripts" / "transcript-s-1.jsonl"
    trace = tmp_path / "app" / "memory" / "traces" / "trace-s-1.jsonl"
    path.parent.mkdir(parents=True)
    trace.parent.mkdir()
    shutil.copy(source, path)
    at = json.loads(source.read_bytes().splitlines()[0])["timestamp"]
    payload = {"usage": {"prompt_tokens": 70, "completion_tokens": 7}}
    trace.write_text(json.dumps({"ts": at, "event": "model_output", "payload": payload}) + "\n")
    with library(tmp_path / "app", tmp_path / "cache") as found:
        use, session = counted(SessionUsage(found, path)), found.session(path, NOW)
    assert session is not None
    assert tokens(use) == use.report.totals.tokens == Usage(70, 0, 7)
    assert calls(use) == use.report.totals.calls == 1
    assert use.course.moments[0].at // 1_000 == (session.started_at or 0) // 1_000


def test_a_file_that_is_gone(folder: Path, tmp_path: Path) -> None:
    path = folder / "s.jsonl"
    path.write_bytes(used(1, "s"))
    with library(folder.parents[1], tmp_path / "cache") as found:
        path.unlink()
        use = counted(SessionUsage(found, path))
        assert use.report.totals.calls == 1
        assert not use.course.moments
