"""`sessions candidate`: proposed, approved, rejected, put in other words, taken back, exported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sessions = Callable[..., Any]

FIELDS = [
    *("candidate", "source_id", "source_type", "session_id", "sequence", "event_type"),
    *("captured_at", "summary", "selection_reason", "status", "decided_at", "created_at", "path"),
    *("source_sha256", "source_metadata"),
]
WORDS = ("--summary", "It works", "--reason", "The user said so")


@pytest.fixture
def talk(own_home: Path) -> Path:
    """A session with a question, a call, an answer and an answer without a time."""
    path = own_home / "store" / "projects" / "work" / "talk.jsonl"
    path.parent.mkdir(parents=True)
    records: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": "SECRET BODY"},
        {"type": "function_call", "name": "Bash", "arguments": {}, "callId": "c"},
        {"type": "message", "role": "assistant", "content": "Done."},
    ]
    lines = [
        json.dumps(record | {"recorded_at": f"2026-05-11T14:02:1{n}.250000+00:00"})
        for n, record in enumerate(records)
    ]
    lines.append(json.dumps({"type": "message", "role": "user", "content": "when?"}))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def candidate(sessions: Sessions, talk: Path) -> Sessions:
    """Runs `sessions candidate` on that store, with --json."""

    def run(verb: str, *words: object) -> Any:
        return sessions("candidate", verb, *words, "--json", "--root", talk.parents[2])

    return run


def test_its_life(candidate: Sessions, talk: Path) -> None:
    new = candidate("add", "transcript:talk:3", *WORDS).document
    assert list(new) == FIELDS
    assert (new["status"], new["decided_at"], new["sequence"]) == ("proposed", None, 3)
    assert (new["source_type"], new["event_type"]) == ("transcript", "message")
    assert new["path"] == str(talk)
    assert new["captured_at"] == "2026-05-11T14:02:12.250Z"
    assert new["source_metadata"] == {
        "source_id": "transcript:talk:3",
        "source_type": "transcript",
        "title": "talk event 3",
        "captured_at": "2026-05-11T14:02:12.250Z",
    }
    id = new["candidate"]
    approved = candidate("approve", id).document
    assert approved["status"] == "approved"
    assert approved["decided_at"] is not None
    assert candidate("approve", id).document == approved  # the same decision twice is one
    edited = candidate("edit", id, "--summary", " It  really\nworks ").document
    assert (edited["summary"], edited["selection_reason"]) == ("It really works", WORDS[3])
    assert edited["status"] == "approved"
    assert candidate("undo", id).document == approved
    assert candidate("undo", id).document == new
    assert candidate("reject", id[:6]).document["status"] == "rejected"
    assert [one["status"] for one in candidate("list").document] == ["rejected"]
    again = candidate("add", "transcript:talk:3", *WORDS).document
    assert (again["candidate"], again["status"]) == (id, "proposed")


def test_adding_twice_is_adding_once(candidate: Sessions) -> None:
    first = candidate("add", "transcript:talk:1", *WORDS).document
    assert candidate("add", "transcript:talk:1", *WORDS).document == first
    other = candidate("add", "transcript:talk:1", "--summary", "else", "--reason", "why").document
    assert [one["candidate"] for one in candidate("list").document] == [
        first["candidate"],
        other["candidate"],
    ]


@pytest.mark.parametrize(
    ("event", "words", "code", "said"),
    [
        ("transcript:talk:3", ("--summary", " ", "--reason", "why"), 1, "summary is blank"),
        ("transcript:talk:3", ("--summary", "what", "--reason", "\t"), 1, "reason is blank"),
        ("transcript:talk:3", ("--summary", "x" * 2_001, "--reason", "y"), 1, "2,001 characters"),
        ("transcript:talk:3", ("--summary", "x", "--reason", "y" * 1_001), 1, "1,001 characters"),
        ("transcript:talk:2", WORDS, 1, "a tool call is no message"),
        ("transcript:talk:4", WORDS, 1, "no time"),
        ("transcript:talk:9", WORDS, 2, "no event"),
        ("nonsense", WORDS, 2, "no event"),
    ],
)
def test_refusals(
    candidate: Sessions, event: str, words: tuple[str, ...], code: int, said: str
) -> None:
    ran = candidate("add", event, *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert candidate("list").document == []


def test_a_corrupt_transcript_is_refused(candidate: Sessions, talk: Path) -> None:
    with talk.open("a") as file:
        file.write("not json\n")
    ran = candidate("add", "transcript:talk:3", *WORDS)
    assert (ran.code, "cannot be trusted" in ran.err) == (1, True)


@pytest.mark.parametrize("verb", ["approve", "reject", "undo", "edit"])
def test_an_unknown_candidate(candidate: Sessions, verb: str) -> None:
    words = ("--summary", "x") if verb == "edit" else ()
    ran = candidate(verb, "c-000000000000", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "no candidate" in ran.err


def test_an_edit_needs_words(candidate: Sessions) -> None:
    id = candidate("add", "transcript:talk:1", *WORDS).document["candidate"]
    ran = candidate("edit", id)
    assert (ran.code, "--summary, --reason or both" in ran.err) == (2, True)


def test_a_number_names_an_event_of_a_session(candidate: Sessions) -> None:
    new = candidate("add", "3", "--session", "talk", *WORDS).document
    assert new["source_id"] == "transcript:talk:3"
    for number in ("0", "9", "³", "-1"):
        assert candidate("add", "--session=talk", *WORDS, "--", number).code == 2
    ran = candidate("add", "3", *WORDS)
    assert (ran.code, "add --session" in ran.err) == (2, True)


def test_nothing_to_take_back(candidate: Sessions) -> None:
    id = candidate("add", "transcript:talk:1", *WORDS).document["candidate"]
    ran = candidate("undo", id)
    assert (ran.code, "Nothing to undo" in ran.err) == (1, True)


def test_an_ambiguous_candidate_or_event(candidate: Sessions, talk: Path, own_home: Path) -> None:
    for number in (1, 3):
        candidate("add", f"transcript:talk:{number}", *WORDS)
    assert candidate("approve", "c-").code == 2
    copy = own_home / "store" / "projects" / "copy" / "talk.jsonl"
    copy.parent.mkdir()
    copy.write_bytes(talk.read_bytes())
    ran = candidate("add", "transcript:talk:1", *WORDS)
    assert (ran.code, str(copy) in ran.err, str(talk) in ran.err) == (2, True, True)
    assert candidate("add", "transcript:talk:1", *WORDS, "--session", talk).code == 0


def test_export(sessions: Sessions, candidate: Sessions, talk: Path, own_home: Path) -> None:
    ids = [
        candidate("add", f"transcript:talk:{number}", *WORDS).document["candidate"]
        for number in (1, 3)
    ]
    assert candidate("export").objects == []
    candidate("approve", ids[1])
    candidate("approve", ids[0])
    ran = candidate("export")
    assert [one["candidate"] for one in ran.objects] == ids
    assert candidate("export").out == ran.out
    assert "SECRET" not in ran.out
    words = ("candidate", "export", "--markdown", "--root", talk.parents[2])
    markdown = sessions(*words).out
    assert "transcript:talk:3" in markdown
    assert sessions(*words).out == markdown
    assert candidate("export", "--markdown").code == 2
    path = own_home / "out.jsonl"
    assert candidate("export", "--output", path).out == ""
    assert path.read_text() == ran.out
    nowhere = candidate("export", "--output", own_home / "absent" / "out.jsonl")
    assert (nowhere.code, "absent/out.jsonl cannot be written" in nowhere.err) == (1, True)
    again = candidate("export", "--output", path)
    assert (again.code, "use --force to overwrite it" in again.err) == (1, True)
    assert candidate("export", "--output", path, "--force").code == 0
    assert path.read_text() == ran.out


def test_an_export_goes_nowhere_else(candidate: Sessions, talk: Path, own_home: Path) -> None:
    (own_home / ".codebuddy" / "projects").mkdir(parents=True)
    (own_home / "code" / "memory" / "transcripts").mkdir(parents=True)
    id = candidate("add", "transcript:talk:1", *WORDS).document["candidate"]
    (decisions,) = own_home.rglob("decisions.db")
    (own_home / "link").symlink_to(decisions)
    before = decisions.read_bytes()
    for path in (
        talk.parent / "out.jsonl",
        own_home / ".codebuddy" / "projects" / "x.jsonl",
        own_home / "code" / "memory" / "transcripts" / "transcript-x.jsonl",
        decisions,
        own_home / "link",
        own_home,
        Path("/dev/null"),
    ):
        ran = candidate("export", "--output", path, "--force")
        assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert decisions.read_bytes() == before
    assert [item.name for item in talk.parent.iterdir()] == ["talk.jsonl"]
    assert candidate("approve", id).code == 0


def test_a_changed_record_is_left_out_of_the_export(candidate: Sessions, talk: Path) -> None:
    for number in (1, 3):
        id = candidate("add", f"transcript:talk:{number}", *WORDS).document["candidate"]
        candidate("approve", id)
    talk.write_text(talk.read_text().replace("Done.", "Gone."))
    ran = candidate("export")
    assert [one["source_id"] for one in ran.objects] == ["transcript:talk:1"]
    assert (ran.code, "record has changed" in ran.err) == (6, True)


def test_the_list_can_be_narrowed(candidate: Sessions) -> None:
    id = candidate("add", "transcript:talk:1", *WORDS).document["candidate"]
    candidate("add", "transcript:talk:3", *WORDS)
    candidate("approve", id)
    assert [one["candidate"] for one in candidate("list", "--status", "approved").document] == [id]
    assert len(candidate("list", "--session", "talk").document) == 2
    assert candidate("list", "--session", "other").code == 2


def test_text_is_safe_to_print(sessions: Sessions, candidate: Sessions, talk: Path) -> None:
    hostile = "\x1b]0;owned\x07 \u202eright [b]'; drop table decisions; --"
    ran = sessions(
        *("candidate", "add", "transcript:talk:1", "--root", talk.parents[2]),
        *("--summary", hostile, "--reason", hostile),
    )
    assert ran.code == 0
    assert not {"\x1b", "\x07", "\u202e"} & set(ran.out)
    assert candidate("list").document[0]["summary"] == " ".join(hostile.split())


def test_the_list_counts_them(sessions: Sessions, candidate: Sessions, talk: Path) -> None:
    id = candidate("add", "transcript:talk:1", *WORDS).document["candidate"]
    listed = sessions("list", "--root", talk.parents[2], "--json").document["sessions"][0]
    assert listed["candidates"] == 1
    candidate("reject", id)
    listed = sessions("list", "--root", talk.parents[2], "--json").document["sessions"][0]
    assert listed["candidates"] == 0
