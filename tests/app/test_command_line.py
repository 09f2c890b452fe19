"""The command line: exit codes, one clear sentence for what goes wrong, any kind of output."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.app.output.shapes import to_json

Sessions = Callable[..., Any]

HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J\x1bP1$q\x1b\\\x9b31m\x9d0;t\x9c\x85\x90x\u202eright\u2066to\u2069left"
    "\ud800[b]bold[/b] \r\n\t\x00\x07\x08\x7f\u2028 end"
)
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def hostile_store(tmp_path: Path) -> Path:
    """A store whose every text, name and path tries to steer the terminal."""
    folder = tmp_path / "home" / "projects" / "sho\x1b[2Jp\u202e"
    folder.mkdir(parents=True)
    common = {"timestamp": 1_795_320_000_000, "sessionId": HOSTILE, "cwd": f"/{HOSTILE}"}
    records: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": HOSTILE},
        {"type": "ai-title", "aiTitle": HOSTILE},
        {"type": HOSTILE, "role": HOSTILE},
        {"type": "function_call", "callId": HOSTILE, "name": HOSTILE, "arguments": HOSTILE},
        {"type": "function_call_result", "callId": HOSTILE, "output": HOSTILE, "status": HOSTILE},
        {
            "type": "function_call",
            "callId": "2",
            "name": "Edit",
            "arguments": '{"file_path": "\u202e"}',
        },
    ]
    lines = [json.dumps(common | record) for record in records]
    (folder / "s\x1b]0;t\x07\u202e.jsonl").write_text(
        "\n".join([*lines, HOSTILE.strip()[5:20], ""])
    )
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["list", "--root", "absent"], 2, "absent does not exist."),
        (["list", "--root", "plain.txt"], 2, "plain.txt holds nothing to show"),
        (["list", "--root", "no-store"], 2, "no-store holds nothing to show"),
        (["list", "--root", "empty"], 0, "No sessions in "),
        (["list", "--root", "empty"], 0, "`sessions demo` opens a demo."),
        (["list"], 0, ".workbuddy"),
        (["check"], 0, "No sessions in "),
        (["list", "--root", "empty", "--root", "absent"], 6, "absent does not exist."),
        (["show", "one", "--root", "empty"], 2, "There is no session 'one'."),
        (["tail", "plain.txt"], 2, "There is no session"),
        (["check", "absent.jsonl"], 2, "There is no session"),
        (["show", "folder.jsonl"], 2, "is not a file"),
        (["check", "plain.jsonl"], 1, ""),
        (["show", "plain.jsonl"], 0, "The transcript is corrupt: line 1: not JSON"),
        (["list", "--limit", "-1"], 2, "--limit takes a number of sessions, 0 or more."),
        (["list", "--limit", "x"], 2, "invalid int value"),
        (["list", "--since", "yore"], 2, "Invalid value for --since. Use 2h, 3d, today"),
        (["list", "--status", "sleepy"], 2, "invalid choice: 'sleepy'"),
        (["show", "plain.jsonl", "--last", "-1"], 2, "--last takes a number of events"),
        (["show", "plain.jsonl", "--event", "evt-1"], 2, "There is no event 'evt-1'"),
        (["show", "plain.jsonl", "--kind", "odd"], 2, "invalid choice: 'odd'"),
        (["tail", "plain.jsonl", "--last", "-1"], 2, "--last takes a number of events"),
        (["list", "--config", "absent.toml"], 2, "absent.toml"),
        (["frobnicate"], 2, "invalid choice: 'frobnicate'"),
    ],
)
def test_what_goes_wrong_is_said_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sessions: Sessions,
    words: list[str],
    code: int,
    said: str,
) -> None:
    (tmp_path / "plain.txt").write_text("hello\n")
    (tmp_path / "plain.jsonl").write_text("hello\n")
    for folder in ("no-store", "empty/projects", "folder.jsonl"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    ran = sessions(*words)
    assert (ran.code, said in ran.err) == (code, True), ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) <= 2 or "usage:" in ran.err


@pytest.mark.parametrize("command", ["show", "tail", "check"])
def test_an_id_in_two_stores_is_ambiguous(
    tmp_path: Path, store: Path, sessions: Sessions, command: str
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(store, copy)
    ran = sessions(command, "eb5676a9", "--root", store, "--root", copy)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("eb5676a9-ffaa-49fe-943c-ea979bd9ee17.jsonl") == 2
    assert str(copy) in ran.err
    assert str(store) in ran.err


def test_a_prefix_must_be_unique_and_a_path_always_is(store: Path, sessions: Sessions) -> None:
    assert sessions("show", "0", "--root", store).code == 2
    assert sessions("show", "0d951c95", "--root", store).code == 0
    path = next(store.glob("projects/*/0d951c95*.jsonl"))
    assert sessions("show", path, "--root", store).out == sessions("show", path).out != ""


@pytest.mark.parametrize("command", ["show", "check"])
def test_no_permission(tmp_path: Path, sessions: Sessions, command: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("{}\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("permissions do not bind this user")
    ran = sessions(command, path)
    assert ran.code == (2 if command == "show" else 6)
    assert "Permission denied" in ran.err + ran.out


@pytest.mark.parametrize(
    "words", [["list", "--all", "--children"], ["check"], ["show"], ["show", "--event"]]
)
def test_no_text_steers_the_terminal(
    hostile_store: Path, sessions: Sessions, words: list[str]
) -> None:
    path = next(hostile_store.rglob("*.jsonl"))
    if words[0] == "show":
        ids = [event["event_id"] for event in sessions("show", path, "--json").objects]
        runs = [["show", path, "--event", event_id] for event_id in ids if event_id]
        runs = runs if words[-1] == "--event" else [["show", path]]
    else:
        runs = [[*words, "--root", hostile_store]]
    for run in runs:
        ran = sessions(*run)
        assert FORBIDDEN.search(ran.out + ran.err) is None
        assert ran.out


@pytest.mark.parametrize("words", [["list"], ["check"]])
def test_hostile_json_is_strict(hostile_store: Path, sessions: Sessions, words: list[str]) -> None:
    assert sessions(*words, "--json", "--root", hostile_store).document


def test_names_that_are_not_utf8(tmp_path: Path, sessions: Sessions) -> None:
    folder = tmp_path / "home" / "projects" / os.fsdecode(b"caf\xe9")
    folder.mkdir(parents=True)
    (folder / os.fsdecode(b"s\xff.jsonl")).write_text('{"sequence": 1, "schema_version": 1}\n')
    for words in (["list"], ["check"], ["show", folder / os.fsdecode(b"s\xff.jsonl")]):
        ran = sessions(*words, "--root", tmp_path / "home")
        assert ran.code == 0
        assert ran.out
        assert sessions(*words, "--json", "--root", tmp_path / "home").objects


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_locale_that_cannot_write_it_all(program: str, store: Path, encoding: str) -> None:
    environ = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    command = [program, "list", "--all", "--root", str(store)]
    ran = subprocess.run(command, env=environ, capture_output=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert "库存修复" in ran.stdout.decode()


@pytest.mark.parametrize("words", [["list"], ["list", "--json"], ["show", "0d951c95"], ["check"]])
def test_a_reader_that_had_enough(program: str, store: Path, words: list[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as closed:
        command = [program, *words, "--root", str(store)]
        ran = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, timeout=60)
    assert (ran.returncode, ran.stderr) == (141, b"")


def test_help_and_version(sessions: Sessions) -> None:
    ran = sessions("--version")
    assert (ran.code, ran.out.split()[0]) == (0, "sessions")
    for command in ("list", "show", "tail", "check"):
        ran = sessions(command, "--help")
        assert (ran.code, "--root PATH" in ran.out) == (0, True)


README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `sessions \[?(\w+)[^|]*\|([^|]*)\|$", README, re.MULTILINE)


@pytest.mark.parametrize(("command", "about"), ROWS, ids=[command for command, _ in ROWS])
def test_options_that_the_readme_names_are_there(
    sessions: Sessions, command: str, about: str
) -> None:
    verbs = re.findall(r"`?(add|edit|export) ", about) if command == "candidate" else []
    helps = [sessions(command, *verb, "--help").out for verb in ([], *([verb] for verb in verbs))]
    offered = {option for help in helps for option in re.findall(r"--[\w-]+", help)}
    assert set(re.findall(r"--[\w-]+", about)) <= offered


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": float("nan"), "b": [float("inf"), 1.5]}, '{"a":null,"b":[null,1.5]}'),
        ({"a": "\ud800x"}, '{"a":"\ufffdx"}'),
        ({"\udfff": float("-inf")}, '{"\ufffd":null}'),
        ({"n": 10**30}, '{"n":' + "1" + "0" * 30 + "}"),
        ("中文\u2028", '"中文\\u2028"'),
    ],
)
def test_json_is_strict(value: Any, expected: str) -> None:
    assert to_json(value) == expected


@pytest.mark.parametrize("odd", [1, "\ud800", 10**30])
def test_json_of_what_is_nested_deeply(odd: object) -> None:
    value = odd
    for _ in range(1_000):
        value = {"a": [value]}
    assert json.loads(to_json(value))["a"][0]["a"]


@pytest.mark.parametrize(
    ("root", "place"),
    [
        ("home", "home/cache"),
        ("home", "home/sessions"),
        ("project", "project/memory/cache"),
        ("home/projects/p/s.jsonl", "home/projects/p/cache"),
    ],
)
def test_nothing_of_ours_is_kept_in_an_agents_folders(
    tmp_path: Path, sessions: Sessions, root: str, place: str
) -> None:
    (tmp_path / "home" / "projects" / "p").mkdir(parents=True)
    (tmp_path / "home" / "projects" / "p" / "s.jsonl").write_text("{}\n")
    (tmp_path / "project" / "memory" / "transcripts").mkdir(parents=True)
    (tmp_path / "project" / "memory" / "transcripts" / "transcript-s.jsonl").write_text("{}\n")
    words = ("--root", str(tmp_path / root), "--cache-dir", str(tmp_path / place))
    answer = sessions("list", *words)
    assert answer.code == 2
    assert "lies inside the store" in answer.err
    assert not (tmp_path / place).exists()


def test_json_cannot_steer_a_terminal() -> None:
    text = to_json({"text": "a\x9b31m\u202eb\x7f"})
    assert text.isascii()
    assert json.loads(text) == {"text": "a\x9b31m\u202eb\x7f"}


@given(st.text(st.sampled_from('a字\u2028\u2029\x85\x0b\x1c\u200b\u200d\U000e0049\ufeff\x7f\\"é')))
def test_json_is_one_line_that_hides_nothing(text: str) -> None:
    printed = to_json([text])
    assert printed.splitlines() == [printed]
    assert json.loads(printed) == [text]
    assert not {"\u200b", "\U000e0049", "\ufeff", "\x7f"} & set(printed)


def test_deep_arguments_of_an_open_call(tmp_path: Path, sessions: Sessions) -> None:
    arguments = '{"a":' * 900 + "1" + "}" * 900
    record = {
        "timestamp": 1_795_320_000_000,
        "sessionId": "s",
        "type": "function_call",
        "callId": "1",
        "name": "Bash",
        "arguments": arguments,
    }
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(record) + "\n")
    for command in ("actions", "recover"):
        answer = sessions(command, "--json", str(path))
        assert answer.code == 0
        json.loads(answer.out)


def test_a_file_that_is_all_suffix(tmp_path: Path, sessions: Sessions) -> None:
    (tmp_path / ".jsonl").write_text('{"type":"message","role":"user","content":"hello"}\n')
    answer = sessions("show", str(tmp_path / ".jsonl"))
    assert (answer.code, "hello" in answer.out) == (0, True)
