"""What the parts of a session come to together: usage, memory and recovery, and what wrote them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.insight.insight import SLICE, Insight
from sessions_tui.storage.insight.recover import recover_of
from sessions_tui.storage.memory.fold import MemoryFold
from sessions_tui.storage.recording import EnvelopeRecorder, MyCodeAgentRecorder, resume
from sessions_tui.storage.transcript.neighbours import parts_beside
from sessions_tui.storage.transcript.parts import Parts
from sessions_tui.storage.transcript.transcript import Transcript
from sessions_tui.storage.usage.report import UsageReports
from sessions_tui.storage.usage.session import SessionUsage
from tests.storage.parts import AT, LATER, Part, by_id, library, store


def transcript(path: Path, session: str) -> Transcript:
    found = Transcript(path, session)
    found.read()
    return found


def folded(insight: Insight) -> Insight:
    while insight.advance():
        pass
    return insight


def memory_of(transcripts: Sequence[Transcript]) -> MemoryFold:
    fold = MemoryFold(transcripts[-1].session, AGENTS["envelope"])
    for event in Parts(transcripts).events():
        fold.add(event)
    return fold


@pytest.fixture
def parts(tmp_path: Path) -> list[Part]:
    """Three parts; the first ends in a whole record without line end."""
    first = Part(tmp_path, "s").asks("mend it").calls("c1").calls("c2")
    first.writes(first.line("message", role="assistant", content="on it")[:-1])
    second = Part(tmp_path, "s_2", "s", AT + 60_000).returns("c1")
    for number in range(SLICE):
        second.answers(f"step {number}")
    third = Part(tmp_path, "s_3", "s_2", AT + 1_000_000).asks("go on").answers("gone on")
    return [first, second, third]


def test_insight_is_of_all_parts(parts: list[Part]) -> None:
    read = [transcript(part.path, part.session) for part in parts]
    insight = folded(Insight(read[-1], read[:-1]))
    memory, whole = insight.memory(alive=False), memory_of(read).memory()
    assert memory.event_count == whole.event_count == SLICE + 7
    assert [item.text for item in memory.completed_work] == [
        item.text for item in whole.completed_work
    ]
    assert memory.session == "s_3"
    assert insight.share == 1.0
    now = insight.recovery(alive=False)
    then = recover_of(read[-1], older=read[:-1])
    assert now.restored is not None
    assert then.restored is not None
    assert now.restored.messages == then.restored.messages
    assert (now.restored.next_sequence, now.restored.total_events) == (3, SLICE + 7)
    assert [action.call_id for action in now.restored.uncertain] == ["c2"]


def test_insight_goes_on_in_a_new_part_without_folding_again(parts: list[Part]) -> None:
    read = [transcript(part.path, part.session) for part in parts]
    insight = folded(Insight(read[1], read[:1]))
    before = insight.memory(alive=False).event_count
    assert insight.goes_on_in(read)
    assert insight.share < 1.0
    assert insight.memory(alive=False).event_count == before
    assert not insight.advance() or not insight.advance()
    assert insight.memory(alive=False).event_count == SLICE + 7
    assert insight.memory(alive=False).session == "s_3"
    assert not insight.goes_on_in(read[1:])


def test_what_older_parts_used_counts_for_the_session(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("one").calls("c1").returns("c1").calls("c2", "Bash", command="ls")
    Part(folder, "s_2", "s", AT + 60_000).returns("c2").calls("c3").returns("c3").answers("x")
    with library(home, tmp_path / "cache") as found:
        found.read_all()
        index, sessions = found.index, found.sessions(LATER)
        counting = UsageReports(sessions, LATER)
        for _ in counting.count(index.usage(), index.calls(), index.edits()):
            pass
        totals = counting.reports()[0].totals
        path = folder / "s_2.jsonl"
        assert (totals.calls, totals.sessions) == (3, frozenset({path}))
        using = SessionUsage(found, path)
        *_, use = [use for use in using.count(LATER) if use]
        assert use.report.totals.calls == 3
        assert sum(moment.calls for moment in use.course.moments) == 3


def test_parts_beside_a_path(tmp_path: Path, parts: list[Part]) -> None:
    other = Part(tmp_path, "other", "elsewhere").asks("no")
    for part in parts:
        rest = {one.path for one in parts} - {part.path}
        assert set(parts_beside(part.path)) == rest
    assert parts_beside(other.path) == []
    assert parts_beside(tmp_path / "gone.jsonl") == []


# Written by the recorder.


def test_what_an_envelope_recorder_shards_is_one_session(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    with EnvelopeRecorder(folder / "s.jsonl", sync=False, limit=3) as recorder:
        recorder.message("user", "count")
        calls = [recorder.call("Bash", {"command": f"wc {number}"}) for number in range(4)]
        for call in calls[:3]:
            recorder.result(call.call_id, {"content": "12"})
        recorder.message("assistant", "counted")
    torn = recorder.path
    with torn.open("ab") as file:
        file.write(b'{"schema_version": 1, "seq')
    with EnvelopeRecorder.continuing(folder / "s.jsonl", sync=False) as recorder:
        recorder.message("user", "again")
    with library(home) as found:
        found.read_all()
        (session,) = found.sessions(LATER)
        assert session.part_ids == ("s", "s_2", "s_3")
        assert session.path == recorder.path
        assert (session.events, session.uncertain) == (10, 1)
        assert session.integrity.state == "ok"
        read = Parts([found.transcript(path) for path in session.paths])
        mine = recover_of(read.newest, older=read.older).restored
    state = resume(folder / "s.jsonl")
    assert mine is not None
    assert mine.messages == state.history
    assert [one.action for one in mine.uncertain] == [one.action for one in state.uncertain]
    assert list(session.paths) == list(state.files)


def test_what_a_mycodeagent_recorder_shards_is_one_session(tmp_path: Path) -> None:
    folder = tmp_path / "memory" / "transcripts"
    path = folder / "transcript-s-1.jsonl"
    with MyCodeAgentRecorder(path, sync=False, limit=3) as recorder:
        recorder.message("user", "edit both")
        for id in ("c1", "c2"):
            recorder.tool("requested", "Edit", id, args={"path": "a"})
            recorder.tool("started", "Edit", id, args={"path": "a"})
        recorder.tool("completed", "Edit", "c1", result={"status": "success", "text": "x"})
    with MyCodeAgentRecorder.continuing(path, sync=False, limit=3) as recorder:
        recorder.message("user", "go on")
    with library(tmp_path) as found:
        found.read_all()
        session = by_id(found, AT + 10 * 365 * 24 * LATER)["s-1_3"]
        assert session.part_ids == ("s-1", "s-1_2")
        assert (session.events, session.uncertain) == (7, 1)
        read = Parts([found.transcript(path) for path in session.paths])
        mine = recover_of(read.newest, older=read.older).restored
    state = resume(path)
    assert mine is not None
    assert mine.messages == state.history
    assert [one.call_id for one in mine.uncertain] == [one.call_id for one in state.uncertain]
