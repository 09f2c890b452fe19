"""Candidates: which events may be one, what one holds, and whether its source still stands."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.candidates.export import checked, write
from sessions_tui.storage.candidates.proposals import Refused, proposal, sourced, words_of
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.library.locate import locate
from sessions_tui.storage.model.candidate import REASON_MOST, SUMMARY_MOST, Candidate
from sessions_tui.storage.stores.roots import find_roots
from sessions_tui.storage.transcript.transcript import Transcript
from tests.opened import opened

CASES = Path(__file__).parents[2] / "cases"
ENVELOPE = [
    path
    for path in sorted((CASES / "envelope").glob("*.jsonl"))
    if "eligible" in json.loads(path.with_suffix(".expected.json").read_text())
]
NOW = 1_778_508_131_000


def read(path: Path) -> Transcript:
    transcript = Transcript(path, path.stem)
    transcript.read()
    return transcript


def library(root: Path) -> Library:
    found = opened(Library(find_roots([root], {}, root, root).found, None))
    found.rescan()
    found.read_all()
    return found


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with the session `talk`: a question, a call, an answer."""
    folder = tmp_path / "store" / "projects" / "work"
    folder.mkdir(parents=True)
    records: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": "SECRET BODY"},
        {"type": "function_call", "name": "Bash", "arguments": {}, "callId": "c"},
        {"type": "message", "role": "assistant", "content": "Done."},
    ]
    lines = [
        record | {"recorded_at": f"2026-05-11T14:02:1{n}+00:00"} for n, record in enumerate(records)
    ]
    (folder / "talk.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path / "store"


def propose(found: Library, event_id: str = "transcript:talk:3") -> Candidate:
    (located,) = locate(found, event_id)
    transcript = found.transcript(located.path)
    return proposal(transcript, located.event, "It works", "The user said so", NOW)


@pytest.mark.parametrize("path", ENVELOPE, ids=lambda path: path.stem)
def test_the_envelope_cases(path: Path) -> None:
    transcript = read(path)
    accepted = []
    for event in [*transcript.events(), *transcript.tail()]:
        try:
            candidate = proposal(transcript, event, "summary", "reason", NOW)
        except Refused:
            continue
        accepted.append(candidate.source_id)
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    assert accepted == expected["eligible"]


@pytest.mark.parametrize(
    ("summary", "reason", "said"),
    [
        ("", "why", "summary is blank"),
        (" \t\u3000\n", "why", "summary is blank"),
        ("what", "  ", "reason is blank"),
        ("", "", "summary is blank"),
        ("w" * (SUMMARY_MOST + 1), "why", "2,001 characters"),
        ("what", "y" * (REASON_MOST + 1), "1,001 characters"),
        ("w" * (SUMMARY_MOST + 1), " ", "reason is blank"),
    ],
)
def test_words_are_asked_for_first(summary: str, reason: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        words_of(summary, reason)


def test_white_space_is_collapsed_before_it_is_counted() -> None:
    summary = " a\u00a0 b\n" + " " * 5_000 + "c"
    assert words_of(summary, "y" * REASON_MOST) == ("a b c", "y" * REASON_MOST)
    assert words_of("half \ud83d", "why") == ("half �", "why")


def test_a_candidate_holds_no_body(store: Path) -> None:
    candidate = propose(library(store), "transcript:talk:1")
    assert "SECRET" not in json.dumps(asdict(candidate), default=str)
    assert {field.name for field in fields(Candidate)} == {
        *("candidate", "source_id", "session_id", "sequence", "event_type", "captured_at"),
        *("summary", "selection_reason", "status", "created_at", "decided_at", "path"),
        "source_sha256",
    }
    assert (candidate.sequence, candidate.event_type) == (1, "message")
    assert (candidate.status, candidate.decided_at) == ("proposed", None)


def test_the_same_words_for_the_same_event_are_the_same_candidate(store: Path) -> None:
    found = library(store)
    one, other = propose(found), propose(found, "transcript:talk:1")
    assert one.candidate == propose(found).candidate != other.candidate


def test_refusals_name_the_event(store: Path) -> None:
    with pytest.raises(Refused, match="transcript:talk:2 cannot be remembered: a tool call"):
        propose(library(store), "transcript:talk:2")


def test_a_source_that_is_there(store: Path) -> None:
    found = library(store)
    item = sourced(found, propose(found))
    assert (item.source, item.text, item.is_numbered) == ("there", "Done.", False)
    assert item.file is not None
    assert item.file.name == "talk.jsonl"


def test_a_source_follows_its_transcript_when_the_folder_is_renamed(store: Path) -> None:
    candidate = propose(library(store))
    (store / "projects" / "work").rename(store / "projects" / "elsewhere")
    item = sourced(library(store), candidate)
    assert (item.source, item.text) == ("there", "Done.")
    assert item.file != candidate.path


def test_a_changed_record_is_noticed(store: Path) -> None:
    candidate = propose(library(store))
    path = store / "projects" / "work" / "talk.jsonl"
    path.write_text(path.read_text().replace("Done.", "Undone."))
    item = sourced(library(store), candidate)
    assert (item.source, item.text) == ("changed", "Undone.")


def test_a_shorter_transcript_has_changed_too(store: Path) -> None:
    candidate = propose(library(store))
    path = store / "projects" / "work" / "talk.jsonl"
    path.write_text(path.read_text().partition("\n")[0] + "\n")
    assert sourced(library(store), candidate).source == "changed"


def test_a_source_that_is_gone(store: Path) -> None:
    candidate = propose(library(store))
    (store / "projects" / "work" / "talk.jsonl").unlink()
    item = sourced(library(store), candidate)
    assert (item.source, item.text, item.file) == ("gone", "", None)


def test_a_log_that_broke_since(store: Path) -> None:
    candidate = propose(library(store))
    with (store / "projects" / "work" / "talk.jsonl").open("a") as file:
        file.write("not json\n")
    assert sourced(library(store), candidate).source == "corrupt"


def test_a_copied_store_keeps_the_record_that_was_meant(store: Path, tmp_path: Path) -> None:
    candidate = propose(library(store))
    shutil.copytree(store, tmp_path / "copy")
    path = tmp_path / "copy" / "projects" / "work" / "talk.jsonl"
    path.write_text(path.read_text().replace("Done.", "Undone."))
    roots = find_roots([tmp_path / "copy", store], {}, store, store).found
    both = opened(Library(roots, None))
    both.rescan()
    item = sourced(both, candidate)
    assert (item.source, item.file) == ("there", candidate.path)


def test_only_approved_ones_that_stand_are_exported(store: Path) -> None:
    found = library(store)
    approved = replace(propose(found), status="approved")
    changed = replace(
        propose(found, "transcript:talk:1"), status="approved", source_sha256="0" * 64
    )
    proposed = replace(approved, status="proposed")
    kept, refusals = checked(found, [approved, changed, proposed])
    assert kept == [approved]
    assert refusals == ["transcript:talk:1 is left out: the record has changed since"]


def test_a_file_is_written_whole_or_not(tmp_path: Path) -> None:
    path = tmp_path / "候选.jsonl"
    write(path, "one\n")
    write(path, "two\r\n")
    assert path.read_bytes() == b"two\r\n"
    with pytest.raises(OSError, match=r"absent|folder"):
        write(tmp_path / "absent" / "file", "three")
    folder = tmp_path / "folder"
    (folder / "full").mkdir(parents=True)
    with pytest.raises(OSError, match=r"absent|folder"):
        write(folder, "four")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["folder", "候选.jsonl"]
