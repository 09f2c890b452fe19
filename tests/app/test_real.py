"""What real programs wrote and was misread: cases of `tests/cases/real`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.search.query import parse_query
from sessions_tui.storage.search.search import Search
from sessions_tui.storage.stores.roots import find_roots
from sessions_tui.storage.usage.report import reports_of

from .laid_out import laid_out

Sessions = Callable[..., Any]
AT = 1_796_000_000_000


def test_what_a_resumed_fork_writes_is_its_own(sessions: Sessions, tmp_path: Path) -> None:
    root = laid_out("01", tmp_path)
    listed = sessions("list", "--root", root, "--json").document["sessions"]
    tokens = {session["session"]: session["tokens"] for session in listed}
    assert tokens["fork-session"] == {"input": 1200, "cached": 0, "output": 120}
    roots = find_roots([root], {}, Path.cwd(), Path.home()).found
    with closing(Library(roots, tmp_path / "cache")) as library:
        library.rescan()
        library.read_all()
        library.save()
        index, found = library.index, library.sessions(AT)
        used = reports_of(index.usage(), index.calls(), index.edits(), found, AT)[0].totals
        wanted = [file.path for file in library.files()]
        hits = [hit for hit in Search(library, parse_query("chairs"), wanted).hits() if hit]
    assert (used.tokens, used.calls, used.edits) == (Usage(1400, 0, 140), 3, 3)
    assert len(hits) == 2
    shown = {id: sessions("show", id, "--root", root, "--json").objects for id in tokens}
    (source,) = set(shown) - {"fork-session"}
    events = {
        inherited: [
            (event["at"], event["kind"], event["text"])
            for event in shown["fork-session"]
            if event["inherited"] is inherited
        ]
        for inherited in (True, False)
    }
    before = [(event["at"], event["kind"], event["text"]) for event in shown[source]]
    assert events[True]
    assert events[True] == before[: len(events[True])]
    assert events[False]
    assert not set(events[False]) & set(before)
    assert not any(event["inherited"] for event in shown[source])


def goal(sessions: Sessions, session: str, root: Path) -> Any:
    """The goal that memory tells of a session."""
    memory = sessions("memory", session, "--root", root, "--json").document
    return memory["current_goal"] and memory["current_goal"]["text"]


def test_a_notice_that_the_program_wrote_is_no_prompt(sessions: Sessions, tmp_path: Path) -> None:
    root = laid_out("cb05", tmp_path)
    (session,) = sessions("list", "--root", root, "--json").document["sessions"]
    shown = sessions("show", session["path"], "--json").objects
    assert [event["kind"] for event in shown if event["role"] == "user"] == ["prompt", "injected"]
    assert goal(sessions, session["session"], root) == "Write the migration guide"


def test_the_task_of_a_team_member_is_its_prompt(sessions: Sessions, tmp_path: Path) -> None:
    root = laid_out("03", tmp_path)
    listed = sessions("list", "--children", "--root", root, "--json").document["sessions"]
    member = next(session for session in listed if session["parent"])
    assert (member["title"], member["title_from"]) == ("Count lamps", "summary")
    assert goal(sessions, member["session"], root) == "Count the lamps."
    found = sessions("search", "kind:prompt count the lamps", "--root", root, "--json").objects
    assert member["session"] in [hit["session"] for hit in found]


def test_a_team_member_that_just_started(sessions: Sessions, tmp_path: Path) -> None:
    root = laid_out("cb10", tmp_path)
    listed = sessions("list", "--children", "--root", root, "--json").document["sessions"]
    member = next(session for session in listed if session["parent"])
    assert (member["title"], member["title_from"]) == ("Watch the build and tell me", "prompt")
    assert member["status"] != "empty"
    assert goal(sessions, member["session"], root) == "Watch the build and tell me"


def test_one_stop_is_told_once_and_the_cut_text_is_marked(
    sessions: Sessions, tmp_path: Path
) -> None:
    root = laid_out("cb08", tmp_path)
    (session,) = sessions("list", "--root", root, "--json").document["sessions"]
    path = session["path"]
    memory = sessions("memory", path, "--json").document
    assert [item["text"] for item in memory["verification_status"]] == ["Interrupted by the user."]
    answers = [e for e in sessions("show", path, "--json").objects if e["kind"] == "answer"]
    assert [answer["detail"] for answer in answers] == ["cut off", "interrupted", ""]
    assert "cut off" in sessions("show", path).out
    messages = sessions("recover", path, "--json").document["messages"]
    texts = [message["content"][0]["text"] for message in messages]
    assert texts == [
        "Explain the whole protocol",
        "The protocol has four parts. The first one is",
        "In one sentence, please",
        "It is a handshake and three messages.",
    ]


def test_of_two_writers_the_branch_of_the_last_record_is_restored(
    sessions: Sessions, tmp_path: Path
) -> None:
    root = laid_out("cb11", tmp_path)
    (session,) = sessions("list", "--root", root, "--json").document["sessions"]
    path = session["path"]
    shown = sessions("show", path, "--json").objects
    said = [e for e in shown if e["kind"] in ("prompt", "answer")]
    assert [event["text"] for event in said if event["branch"] == "abandoned"] == [
        "First window: add a linter",
        "The linter is in.",
    ]
    messages = sessions("recover", path, "--json").document["messages"]
    assert [message["content"][0]["text"] for message in messages] == [
        "Set up the project",
        "It is set up.",
        "Second window: add a formatter",
        "The formatter is in.",
    ]


def test_a_large_output_is_read_from_the_file_beside(sessions: Sessions, tmp_path: Path) -> None:
    root = laid_out("cb09", tmp_path)
    (session,) = sessions("list", "--root", root, "--json").document["sessions"]
    path = Path(session["path"])
    whole = next(path.parent.rglob("L1.txt")).read_text()
    result = next(e for e in sessions("show", path, "--json").objects if e["kind"] == "result")
    assert result["text"] == whole
    assert whole.splitlines()[-1] in sessions("show", path, "--event", result["action"]).out
    word = "part 5999" if "part 5999" in whole else whole.split()[-1]
    query = f'"{word}"'
    assert sessions("search", query, "--root", root, "--json").code == 1
    (hit,) = sessions("search", query, "--outputs", "--root", root, "--json").objects
    assert (hit["event_id"], hit["kind"]) == (result["event_id"], "result")
    assert word in hit["snippet"]
    (once,) = sessions("search", '"part 5"', "--outputs", "--root", root, "--json").objects
    assert once["event_id"] == result["event_id"]
