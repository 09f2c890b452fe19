"""Whatever id or path a command prints, every command accepts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sessions = Callable[..., Any]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="has names of characters only")

NAMES = [
    pytest.param(b"men\xfc", id="latin-1"),
    pytest.param("库存".encode("gbk"), id="gbk"),
    pytest.param(b"a\x1b[31mb", id="sequence"),
    pytest.param(b"two  blanks", id="blanks"),
    pytest.param("a\u202eb".encode(), id="bidi"),
    pytest.param("x\ufffdy".encode(), id="mark"),
]


def store(home: Path, name: bytes) -> Path:
    """A session of this name, which ended in an Edit without a result."""
    folder = home / ".workbuddy" / "projects" / "srv-x"
    folder.mkdir(parents=True, exist_ok=True)
    at = 1_795_953_600_000
    common = {"sessionId": "s", "cwd": "/srv/x"}
    words = {"type": "input_text", "text": "Second menu file"}
    edit = json.dumps({"file_path": "/srv/x/a", "old_string": "1", "new_string": "2"})
    records: list[dict[str, Any]] = [
        {"id": "u", "timestamp": at, "type": "message", "role": "user", "content": [words]},
        {"id": "c", "timestamp": at + 1_000, "type": "function_call", "callId": "e1"},
    ]
    records[1] |= {"name": "Edit", "arguments": edit, "providerData": {"model": "hy3"}}
    path = folder / os.fsdecode(name + b".jsonl")
    path.write_text("".join(json.dumps(record | common) + "\n" for record in records))
    return path


def last_word(line: str) -> str:
    """The id at the end of a line, in its quotes if it has some."""
    return line[line.index("$'") :] if "$'" in line else line.split("  ")[-1].strip()


@pytest.fixture(params=NAMES)
def path(request: pytest.FixtureRequest, own_home: Path) -> Path:
    return store(own_home, request.param)


def test_ids_and_paths_that_were_printed_are_accepted(sessions: Sessions, path: Path) -> None:
    (session,) = sessions("list", "--json").document["sessions"]
    (action,) = sessions("actions", "--json").document
    lines = sessions("actions").out.splitlines()
    listed = sessions("list").out
    first = listed[: listed.index("'", 2) + 1] if listed.startswith("$'") else session["session"]
    printed = sessions("check").out.splitlines()[0]
    paths = [session["path"], printed[printed.index("$'" if "$'" in printed else "/") :]]
    for name in (session["session"], first, *paths):
        for words in ("show", "recover", "memory", "check", "actions", "title", "pin", "hide"):
            ran = sessions(words, name)
            assert (ran.code, ran.out != "") == (0, True), (words, name, ran.err)
        ran = sessions("search", "menu", "--session", name, "--json")
        assert (ran.code, len(ran.objects)) == (0, 1)
    for event in (action["action"], last_word(lines[0])):
        for more in ([], ["--session", session["session"]], ["--root", paths[0]]):
            ran = sessions("review", event, "verified", *more)
            assert ran.code == 0, (event, more, ran.err)
            assert sessions("review", event, "--undo", *more).code == 0
        assert sessions("show", session["session"], "--event", event).code == 0
        prompt = event[: event.rindex(":")] + ":1" + ("'" if event.endswith("'") else "")
        ran = sessions("candidate", "add", prompt, "--summary", "a", "--reason", "b", "--json")
        assert ran.code == 0, ran.err
    for root in paths:
        ran = sessions("list", "--all", "--json", "--root", root)
        assert len(ran.document["sessions"]) == 1


def test_of_two_that_are_printed_alike_none_is_guessed(sessions: Sessions, own_home: Path) -> None:
    one, other = (store(own_home, name) for name in (b"men\xfc", b"men\xfd"))
    ran = sessions("show", "men\ufffd")
    assert ran.code == 2
    for path, name in ((one, r"men\xfc"), (other, r"men\xfd")):
        assert f"{name}.jsonl'" in ran.err
        quoted = f"$'{path.parent}/{name}.jsonl'"
        assert sessions("show", quoted).code == 0
        assert sessions("pin", f"$'{name}'", "--json").document["path"] != ""
        assert sessions("review", f"$'transcript:{name}:2'", "verified").code == 0
    assert sessions("review", "transcript:men\ufffd:2", "partial").code == 2


def test_ids_of_an_agents_own_making(sessions: Sessions, own_home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project" / "memory" / "transcripts"
    folder.mkdir(parents=True)
    cases = Path(__file__).parents[2] / "cases" / "mycodeagent"
    source = next(path for path in sorted(cases.glob("*.jsonl")) if b'"evt-' in path.read_bytes())
    text = source.read_text()
    id = text.split('"event_id": "' if '"event_id": "' in text else '"event_id":"')[1].split('"')[0]
    path = folder / "transcript-a.jsonl"
    path.write_text(text.replace(id, f"{id}\\ud800x"))
    root = ("--root", tmp_path / "project")
    events = sessions("show", path, "--json", *root).objects
    (printed,) = [event["event_id"] for event in events if "\ufffdx" in (event["event_id"] or "")][
        :1
    ]
    assert sessions("show", path, "--event", printed, *root).code == 0
    ran = sessions("candidate", "add", printed, "--summary", "a", "--reason", "b", *root)
    assert "There is no event" not in ran.err
