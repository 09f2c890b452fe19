"""What a person decided shows in the sessions, and only as long as it is about the same records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.candidates.proposals import proposal
from sessions_tui.storage.decisions.decisions import Decisions, RecordKey
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.library.locate import locate
from sessions_tui.storage.model.action import Action
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.records.digest import digest
from sessions_tui.storage.review.actions import actions_of
from sessions_tui.storage.review.cases import Review, cases_of, judged_actions
from sessions_tui.storage.stores.roots import find_roots
from tests.opened import opened

NOW = 1_778_508_131_000
HOUR = 3_600_000


def write_talk(store: Path, folder: str = "work") -> Path:
    """A session of the envelope whose Edit has no result."""
    path = store / "projects" / folder / "talk.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    edit = {"file_path": "/src/a.py", "old_string": "a", "new_string": "b"}
    records: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": "Rename it"},
        {"type": "function_call", "name": "Edit", "arguments": edit, "callId": "c"},
    ]
    lines = [
        json.dumps(record | {"recorded_at": f"2026-05-11T13:02:1{n}+00:00"})
        for n, record in enumerate(records)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


class Desk:
    """A store, and what its person decided."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "store"
        self.path = write_talk(self.store)
        self.decisions = opened(Decisions(folder / "data"))
        self.library = self.open(self.store)

    def open(self, *roots: Path) -> Library:
        found = find_roots(roots, {}, self.store, self.store).found
        library = opened(Library(found, None, decisions=self.decisions))
        library.rescan()
        library.read_all()
        return library

    def look(self) -> Session:
        (session,) = self.library.sessions(NOW)
        return session

    def action(self) -> Action:
        (action,) = actions_of(self.library.transcript(self.path), alive=False)
        return action

    def key(self) -> RecordKey:
        action = self.action()
        sha256 = digest(self.path, action.offset, action.size)
        return RecordKey("talk", action.action or "", sha256)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_verdict_settles_an_action(desk: Desk) -> None:
    assert (desk.look().uncertain, desk.look().needs_you) == (1, True)
    desk.decisions.judge(desk.key(), desk.path, "verified", None, None, NOW)
    session = desk.look()
    assert (session.uncertain, session.needs_you) == (0, False)
    assert session.verdicts == (("transcript:talk:2", "verified"),)
    desk.decisions.take_back(desk.key(), desk.path, NOW)
    assert (desk.look().uncertain, desk.look().needs_you) == (1, True)


def test_a_verdict_is_not_on_a_record_that_has_changed(desk: Desk) -> None:
    desk.decisions.judge(desk.key(), desk.path, "verified", None, None, NOW)
    desk.path.write_text(desk.path.read_text().replace("a.py", "b.py"))
    desk.library.rescan()
    desk.library.read_all()
    assert (desk.look().uncertain, desk.look().verdicts) == (1, ())
    assert desk.decisions.outdated(desk.key()) is not None


def test_decisions_follow_a_transcript_whose_folder_is_renamed(desk: Desk) -> None:
    desk.decisions.judge(desk.key(), desk.path, "not-applied", None, None, NOW)
    desk.decisions.set_title("talk", desk.path, "Mine", NOW)
    desk.path.parent.rename(desk.path.parent.with_name("elsewhere"))
    desk.library.rescan()
    desk.library.read_all()
    session = desk.look()
    assert (session.uncertain, session.title, session.path.parent.name) == (0, "Mine", "elsewhere")


def test_decisions_of_another_program_are_seen(desk: Desk, tmp_path: Path) -> None:
    assert desk.look().title == "Rename it"
    other = opened(Decisions(tmp_path / "data"))
    other.set_title("talk", desk.path, "Mine", NOW)
    other.judge(desk.key(), desk.path, "dismissed", None, None, NOW)
    session = desk.look()
    assert (session.title, session.title_from, session.uncertain) == ("Mine", "user", 0)


def test_a_title_of_ones_own_and_the_agents_again(desk: Desk) -> None:
    desk.decisions.set_title("talk", desk.path, "  Mein\n\x1b[31mTitel ", NOW)
    session = desk.look()
    assert (session.title, session.title_from) == ("Mein Titel", "user")
    assert session.agents_title == "Rename it"
    desk.decisions.set_title("talk", desk.path, None, NOW)
    assert (desk.look().title, desk.look().title_from) == ("Rename it", "prompt")


def test_pins_and_hides(desk: Desk) -> None:
    assert (desk.look().pinned, desk.look().hidden_by) == (False, None)
    desk.decisions.set_pinned("talk", desk.path, True, NOW)
    desk.decisions.set_hidden("talk", desk.path, True, NOW)
    assert (desk.look().pinned, desk.look().hidden_by) == (True, "user")
    desk.decisions.set_hidden("talk", desk.path, False, NOW)
    assert (desk.look().pinned, desk.look().hidden_by) == (True, None)


def test_a_copied_store_has_titles_of_its_own(desk: Desk, tmp_path: Path) -> None:
    copy = write_talk(tmp_path / "copy")
    desk.decisions.set_title("talk", desk.path, "The original", NOW)
    both = desk.open(desk.store, tmp_path / "copy")
    titles = {session.path: session.title for session in both.sessions(NOW)}
    assert titles == {desk.path: "The original", copy: "Rename it"}


def test_a_copied_store_has_verdicts_of_its_own(desk: Desk, tmp_path: Path) -> None:
    copy = write_talk(tmp_path / "copy")
    desk.decisions.judge(desk.key(), desk.path, "verified", None, None, NOW)
    both = desk.open(desk.store, tmp_path / "copy")
    assert (both.namesakes(copy), both.namesakes(desk.path)) == ([desk.path], [copy])
    assert both.namesakes(tmp_path / "elsewhere" / "talk.jsonl") == [desk.path, copy]
    asked = {session.path: session.uncertain for session in both.sessions(NOW)}
    assert asked == {desk.path: 0, copy: 1}
    desk.path.unlink()
    both.rescan()
    assert [session.uncertain for session in both.sessions(NOW)] == [0]


def test_a_case_of_a_copied_store_is_judged_by_itself(desk: Desk, tmp_path: Path) -> None:
    copy = write_talk(tmp_path / "copy")
    desk.decisions.judge(desk.key(), desk.path, "verified", None, None, NOW)
    both = desk.open(desk.store, tmp_path / "copy")

    def verdicts(path: Path) -> tuple[object, object]:
        transcript, session = both.transcript(path), both.session(path, NOW)
        assert session
        others = both.namesakes(path)
        (case,) = cases_of(transcript, session, Review(desk.decisions, NOW, 7, others=others))
        (action,) = judged_actions(transcript, False, True, desk.decisions, NOW, others=others)
        return case.action.verdict, action.verdict

    assert verdicts(desk.path) == ("verified", "verified")
    assert verdicts(copy) == (None, None)


def test_candidates_are_counted_until_they_are_rejected(desk: Desk) -> None:
    (located,) = locate(desk.library, "transcript:talk:1")
    transcript = desk.library.transcript(desk.path)
    candidate = proposal(transcript, located.event, "what", "why", NOW)
    desk.decisions.propose(candidate)
    assert (desk.look().candidates, desk.look().remembered) == (1, ("transcript:talk:1",))
    desk.decisions.settle(candidate.candidate, "approved", NOW)
    assert desk.look().candidates == 1
    desk.decisions.settle(candidate.candidate, "rejected", NOW)
    assert desk.look().candidates == 0


def test_looking_again_reads_no_record_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.decisions.judge(desk.key(), desk.path, "verified", None, None, NOW)
    later = NOW + 48 * HOUR
    desk.library.sessions(later)
    read: list[Path] = []

    def counted(path: Path, offset: int, size: int) -> str:
        read.append(path)
        return digest(path, offset, size)

    monkeypatch.setattr("sessions_tui.storage.library.decided.digest", counted)
    desk.library.sessions(later + 1_000)
    assert read == []


def test_without_a_store_of_decisions_nothing_is_decided(desk: Desk) -> None:
    plain = opened(Library(desk.library.catalogue.roots, None))
    plain.rescan()
    plain.read_all()
    (session,) = plain.sessions(NOW)
    assert (session.pinned, session.verdicts, session.candidates) == (False, (), 0)
