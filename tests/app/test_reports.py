"""What people report of such programs, tried on this one: cases of `tests/cases/reports`."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from unicodedata import normalize

import pytest

from sessions_tui.storage.search.find import find
from sessions_tui.storage.transcript.transcript import Transcript

Sessions = Callable[..., Any]
Form = Literal["NFC", "NFD"]
REPORTS = Path(__file__).parents[1] / "cases" / "reports"


def home(case: str) -> Path:
    """The session directory of a case."""
    return next(REPORTS.glob(f"{case}-*/home/.workbuddy"))


def test_the_name_of_a_result_decides_between_calls_with_one_id(sessions: Sessions) -> None:
    root = home("01")
    (session,) = sessions("list", "--root", root, "--json").document["sessions"]
    assert session["uncertain"] == 1
    (action,) = sessions("actions", "--root", root, "--json").document
    assert (action["tool"], action["state"]) == ("Edit", "uncertain")
    every = sessions("actions", "--all", "--root", root, "--json").document
    assert {action["tool"]: action["state"] for action in every} == {
        "Edit": "uncertain",
        "Bash": "completed",
    }
    shown = sessions("show", session["path"], "--json").objects
    assert [(event["tool"], event["state"]) for event in shown if event["kind"] == "call"] == [
        ("Edit", "uncertain"),
        ("Bash", "completed"),
    ]
    assert shown[-1]["action"] == shown[2]["event_id"]
    memory = sessions("memory", session["path"], "--json").document
    assert not [item for item in memory["completed_work"] if "Edit" in item["text"]]
    assert any("Edit" in item["text"] for item in memory["todo_items"])
    recovered = sessions("recover", session["path"], "--json").document
    assert [action["tool"] for action in recovered["uncertain"]] == ["Edit"]


def test_calls_with_one_id_are_told_apart_at_random_too() -> None:
    path = next(home("01").rglob("*.jsonl"))
    transcript = Transcript(path, path.stem)
    transcript.read()
    event, other = transcript.with_other(2)
    assert (event.tool, other.tool if other else None) == ("Bash", "Bash")
    assert transcript.with_other(1)[1] is None


def test_a_tag_that_a_prompt_is_about_stays(sessions: Sessions) -> None:
    root = home("02")
    listed = sessions("list", "--root", root, "--json").document["sessions"]
    texts = {
        "Strip the <system-reminder> tag from messages in parser.py and add a giraffe test",
        "<environments><env>prod</env></environments> why does the giraffe key fail?",
        "In chat.py we wrap text in <user_query> before sending. Make the giraffe wrapper optional",
        "<omitted /> shows up on the giraffe page, remove it",
    }
    assert {session["title"] for session in listed} == texts
    hits = sessions("search", "giraffe", "--root", root, "--json").objects
    assert [hit["kind"] for hit in hits] == ["prompt"] * 4
    goals = [sessions("memory", session["path"], "--json").document for session in listed]
    assert {memory["current_goal"]["text"] for memory in goals} == texts
    shown = [sessions("show", session["path"], "--json").objects[0] for session in listed]
    assert {(event["kind"], event["text"]) for event in shown} == {("prompt", t) for t in texts}


def test_a_session_is_named_after_the_first_thing_that_was_typed(sessions: Sessions) -> None:
    listed = sessions("list", "--root", home("12"), "--json").document["sessions"]
    assert {(session["title"], session["title_from"]) for session in listed} == {
        ("Send reminders for unpaid invoices", "prompt"),
        ("Add a CSV import for invoices", "prompt"),
        ("Group invoices by customer", "prompt"),
    }


def test_words_of_a_summary_are_found_and_remembered(sessions: Sessions) -> None:
    root = home("05")
    (session,) = sessions("list", "--root", root, "--json").document["sessions"]
    assert (session["title"][:23], session["title_from"]) == ("Goal: move the newslett", "summary")
    for words in ("quokkamail", "kind:summary quokkamail"):
        (hit,) = sessions("search", words, "--root", root, "--json").objects
        assert (hit["kind"], hit["session"]) == ("summary", session["session"])
    assert not sessions("search", "kind:answer quokkamail", "--root", root, "--json").objects
    memory = sessions("memory", session["path"], "--json").document
    assert memory["current_goal"]["text"].startswith("Goal: move the newsletter")
    assert "quokkamail" in memory["key_decisions"][0]["text"]


def test_timestamps_ahead_of_the_clock_give_way_to_the_files_time(
    sessions: Sessions, tmp_path: Path
) -> None:
    root = tmp_path / "home" / ".workbuddy"
    shutil.copytree(home("06"), root)
    old = time.time() - 40 * 86_400
    for path in root.rglob("*.jsonl"):
        os.utime(path, (old, old))
    listed = sessions("list", "--root", root, "--json").document["sessions"]
    assert len(listed) == 2
    for session in listed:
        assert session["updated_at"][:10] == f"{datetime.fromtimestamp(old, UTC):%Y-%m-%d}"
        assert "ahead of this clock" in session["why"]
    assert sessions("list", "--since", "3d", "--root", root, "--json").document["sessions"] == []
    assert not sessions("search", "stamped since:3d", "--root", root, "--json").objects
    assert len(sessions("search", "stamped since:60d", "--root", root, "--json").objects) == 2


def test_usage_is_kept_by_the_quarter_of_an_hour() -> None:
    path = next(home("07").rglob("*.jsonl"))
    transcript = Transcript(path, path.stem)
    transcript.read()
    quarters = {quarter for quarter, *_ in transcript.folds.tally.usage}
    assert quarters == {1_795_891_201_000 // 900_000}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("words", ["résumé", "RÉSUMÉ-größe", "한국어", "국어", "がくせい", "がく*"])
def test_composed_and_decomposed_letters_match(sessions: Sessions, words: str, form: Form) -> None:
    root, words = home("09"), normalize(form, words)
    hits = sessions("search", words, "--root", root, "--json").objects
    assert len({hit["session"] for hit in hits}) == 2
    for path in root.rglob("*.jsonl"):
        transcript = Transcript(path, path.stem)
        transcript.read()
        assert [index for found in find(transcript, words.rstrip("*")) for index in found]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_paths_match_however_their_letters_are_written(
    sessions: Sessions, tmp_path: Path, form: Form
) -> None:
    other: Form = "NFD" if form == "NFC" else "NFC"
    place = normalize(form, "/srv/Größe 한국어")
    args = json.dumps({"file_path": f"{place}/Résumé.md", "old_string": "a", "new_string": "b"})
    call = {"type": "function_call", "callId": "c", "name": "Edit", "arguments": args}
    prompt = [{"type": "input_text", "text": "giraffe"}]
    records: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": prompt},
        call,
    ]
    base: dict[str, Any] = {"timestamp": 1_795_953_600_000, "sessionId": "s", "cwd": place}
    path = tmp_path / "home" / "projects" / "p" / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(base | record) + "\n" for record in records))
    root = tmp_path / "home"
    wanted = normalize(other, "größe 한국")
    listed = sessions("list", "--workspace", wanted, "--root", root, "--json").document
    assert len(listed["sessions"]) == 1
    query = normalize(other, "giraffe file:RÉSUMÉ")
    assert len(sessions("search", query, "--root", root, "--json").objects) == 1
    calls = sessions("search", normalize(other, "résumé"), "--outputs", "--root", root, "--json")
    assert [hit["kind"] for hit in calls.objects] == ["call"]
