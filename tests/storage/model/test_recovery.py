"""What is restored beyond the cases: windows, branches, compactions, tails; event by event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_tui.storage.insight.recover import fold_for, recover_of
from sessions_tui.storage.model.event import Event
from sessions_tui.storage.model.recovery import Recovery, Restored
from sessions_tui.storage.review.actions import actions_of
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
RESENT = "projects/Users-lin-code-inventory-api/2a028bbf-e1e7-4ebb-9ef6-76912d7320f7.jsonl"
AT = 1_795_000_000_000


def read(path: Path) -> Transcript:
    transcript = Transcript(path, path.stem)
    transcript.read()
    return transcript


def recovered(path: Path, data: bytes, max_items: int = 1000) -> Recovery:
    path.write_bytes(data)
    return recover_of(read(path), max_items)


def restored(path: Path, data: bytes, max_items: int = 1000) -> Restored:
    found = recovered(path, data, max_items).restored
    assert found is not None
    return found


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def said(text: str, **more: Any) -> dict[str, Any]:
    """A message of the envelope, without one."""
    return {"type": "message", "role": "user", "content": text, **more}


def product(kind: str, number: int, **more: Any) -> dict[str, Any]:
    record = {"id": f"id-{number}", "timestamp": AT + number, "type": kind, "sessionId": "s"}
    return {**record, "parentId": f"id-{number - 1}", "cwd": "/src", "providerData": {}, **more}


def message(number: int, role: str, text: str, **extra: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    more = {"status": extra.pop("status")} if "status" in extra else {}
    return product(
        "message",
        number,
        role=role,
        content=content,
        providerData={"agent": "cli", **extra},
        **more,
    )


def called(number: int, call_id: str, tool: str = "Edit") -> dict[str, Any]:
    arguments = json.dumps({"file_path": "a.py"})
    return product("function_call", number, callId=call_id, name=tool, arguments=arguments)


def texts(found: Restored) -> list[str]:
    return [message["content"][0]["text"] for message in found.messages]


@pytest.mark.parametrize(
    ("max_items", "expected"), [(1, ["3"]), (2, ["3"]), (3, ["2", "3"]), (1000, ["1", "2", "3"])]
)
def test_the_window_counts_events(tmp_path: Path, max_items: int, expected: list[str]) -> None:
    thought = {"type": "reasoning", "content": "hm"}
    data = lines(
        {"type": "ai-title", "title": "T"},
        {"type": "file-history-snapshot", "path": "a.py", "hash": "h"},
        said("1"),
        said("2"),
        thought,
        said("3"),
    )
    found = restored(tmp_path / "s.jsonl", data, max_items)
    assert [message["content"] for message in found.messages] == expected
    assert (found.title, found.reasoning_count, found.total_events) == ("T", 1, 6)
    assert found.file_snapshots == ({"path": "a.py", "hash": "h"},)


def test_an_unterminated_record_counts_and_a_torn_one_does_not(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    whole = recovered(path, lines(said("1"), said("2")).removesuffix(b"\n"))
    assert whole.restored is not None
    assert whole.restored.total_events == 2
    assert not whole.ignored_partial_tail
    torn = recovered(path, lines(said("1"), said("2"))[:-4])
    assert torn.restored is not None
    assert torn.restored.next_sequence == 2
    assert torn.ignored_partial_tail


def test_a_damaged_transcript_keeps_what_is_readable_and_says_that_its_tail_is_torn(
    tmp_path: Path,
) -> None:
    data = lines(message(1, "user", "hello")) + b"{broken\n" + lines(message(2, "user", "on"))
    recovery = recovered(tmp_path / "s.jsonl", data + b'{"id": "id-3", "ty')
    assert recovery.integrity.state == "damaged"
    assert recovery.ignored_partial_tail
    assert recovery.restored is not None
    assert texts(recovery.restored) == ["hello", "on"]
    assert (recovery.restored.total_events, recovery.restored.next_sequence) == (2, 4)


SUMMARY = {"isSummary": True, "isCompacted": True, "compactType": "user-command"}
COMPACTED = [
    message(1, "user", "before"),
    called(2, "c1"),
    message(3, "user", "compact!", agent="compact"),
    message(4, "assistant", "<conversation_history_summary>", **SUMMARY),
    message(5, "user", "after"),
]


def test_a_compaction_replaces_what_stood_before_it(tmp_path: Path) -> None:
    found = restored(tmp_path / "s.jsonl", lines(*COMPACTED))
    assert texts(found) == ["<conversation_history_summary>", "after"]
    assert [action.call_id for action in found.uncertain] == ["c1"]
    assert found.total_events == 5


def test_a_compaction_that_was_broken_off_replaces_nothing(tmp_path: Path) -> None:
    broken = message(4, "assistant", "Interrupted by user", status="incomplete", **SUMMARY)
    found = restored(tmp_path / "s.jsonl", lines(COMPACTED[0], *COMPACTED[2:3], broken))
    assert texts(found) == ["before", "compact!", "Interrupted by user"]


def test_a_branch_that_was_left_is_not_restored() -> None:
    recovery = recover_of(read(CASES / "product-store" / RESENT))
    assert recovery.restored is not None
    assert texts(recovery.restored)[1:] == [
        "共有 12 个接口。",
        "把它们导出成 Excel",
        "已导出 api.xlsx。",
    ]
    assert recovery.restored.total_events == 13


def test_a_call_on_a_branch_that_was_left_is_still_uncertain(tmp_path: Path) -> None:
    notice = product("resend-fork-notice", 9, parentId="id-1")
    records = [
        message(1, "assistant", "ready"),
        called(2, "lost"),
        called(3, "done"),
        product("function_call_result", 4, callId="done", status="completed", output="ok"),
        notice,
        message(10, "user", "again") | {"parentId": "id-1"},
    ]
    found = restored(tmp_path / "s.jsonl", lines(*records))
    assert texts(found) == ["ready", "again"]
    assert [action.call_id for action in found.uncertain] == ["lost"]
    assert found.completed == ()


def test_product_calls_and_results_are_blocks(tmp_path: Path) -> None:
    output = {"type": "text", "text": "no such file"}
    result = product("function_call_result", 2, callId="c1", status="failed", output=output)
    found = restored(tmp_path / "s.jsonl", lines(called(1, "c1"), result))
    assert found.messages == (
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "c1", "name": "Edit", "input": {"file_path": "a.py"}}
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "content": output}],
        },
    )
    assert (found.completed, found.failed) == ((), ("c1",))


def test_a_file_is_named_once_however_often_it_was_tracked(tmp_path: Path) -> None:
    def snapshot(number: int, **backups: Any) -> dict[str, Any]:
        tracked = {"trackedFileBackups": backups}
        return product("file-history-snapshot", number, snapshot=tracked)

    first, second = {"backupFileName": "aa@v1"}, {"backupFileName": "bb@v2"}
    data = lines(snapshot(1, a=first), snapshot(2, a=second, b={"version": 1}))
    found = restored(tmp_path / "s.jsonl", data)
    assert found.file_snapshots == ({"path": "a", "hash": "bb@v2"}, {"path": "b", "hash": None})


def test_a_corrupt_transcript_restores_nothing(tmp_path: Path) -> None:
    recovery = recovered(tmp_path / "s.jsonl", lines(said("1")) + b"{broken\n" + lines(said("2")))
    assert recovery.integrity.state == "corrupt"
    assert recovery.restored is None


STREAMS = [
    read(path)
    for path in (
        CASES / "product-store" / RESENT,
        CASES / "product" / "04-compaction.jsonl",
        CASES / "product" / "10a-third-party-rewrite.jsonl",
        CASES / "envelope" / "004_six_types.jsonl",
        CASES / "envelope" / "136_orphan_result_and_open_call.jsonl",
        *sorted(CASES.glob("mycodeagent/fuzz/fuzz_0[0-4]*.jsonl")),
        *sorted(CASES.glob("mycodeagent/c*.jsonl")),
    )
]
EVENTS = [[stream.event(index) for index in range(len(stream.positions))] for stream in STREAMS]


def folded(transcript: Transcript, events: list[Event], max_items: int) -> Restored:
    fold = fold_for(transcript, max_items)
    for event in events:
        fold.add(event)
    return fold.result()


@pytest.mark.parametrize(
    "path", sorted(CASES.glob("**/*.jsonl")), ids=lambda path: path.relative_to(CASES).as_posix()
)
def test_the_events_of_a_transcript_are_those_read_one_by_one(path: Path) -> None:
    transcript = read(path)
    one_by_one = [transcript.event(index) for index in range(len(transcript.positions))]
    # As text: NaN is not equal to itself.
    assert repr(list(transcript.events())) == repr(one_by_one)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(range(len(STREAMS))),
    st.integers(1, 12),
    st.sets(st.integers(0, 40)),
)
def test_what_was_asked_for_on_the_way_changes_nothing(
    which: int, max_items: int, asked: set[int]
) -> None:
    stream, events = STREAMS[which], EVENTS[which]
    fold = fold_for(stream, max_items)
    for index, event in enumerate(events):
        if index in asked:
            assert fold.result() == folded(stream, events[:index], max_items)
        fold.add(event)
    assert fold.result() == folded(stream, events, max_items)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([stream.path for stream in STREAMS]),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), max_size=6),
    st.integers(0, 20_000),
)
def test_no_bytes_make_it_fail(
    tmp_path_factory: pytest.TempPathFactory,
    path: Path,
    changes: list[tuple[int, int]],
    cut: int,
) -> None:
    data = bytearray(path.read_bytes())
    for place, byte in changes:
        data[place % len(data)] = byte
    broken = tmp_path_factory.mktemp("broken") / path.name
    broken.write_bytes(data[: len(data) - cut % len(data)])
    transcript = read(broken)
    recovery = recover_of(transcript, 5)
    assert (recovery.restored is None) == (recovery.integrity.state == "corrupt")
    assert all(action.state for action in actions_of(transcript, alive=False, all=True))
