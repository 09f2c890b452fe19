"""The README's agent: it runs as it is printed, dies at any moment, and comes back."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage import recording
from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.recording import EnvelopeRecorder, chain_of, resume
from sessions_tui.storage.recording.shards import newest_of, read_whole
from sessions_tui.storage.review.cases import key_of

README = Path(__file__).parent.parent / "README.md"
SECTION = (
    README.read_text(encoding="utf-8").split("## Record from your own agent")[1].split("\n## ")[0]
)
CODE = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)[0]
NAMED = re.findall(r"`([A-Z][a-z]\w+|approved_candidates)", SECTION.replace(CODE, ""))
LIVES = 12
"""Of each session: enough for several files."""
SESSIONS = int(os.environ.get("SESSIONS_THAT_DIE", "1"))

AGENT = CODE.replace("EnvelopeRecorder.continuing(path)", "confirming(path)").replace(
    'for folder in ("app", "widgets", "storage"):', "for folder in itertools.count():"
)
CONFIRMING = """
import itertools, os

def confirming(path):
    # Tells the id of every record that was confirmed; its size varies, to meet blocks and pages.
    def tell(event):
        os.write(1, f"kept {event.event_id}\\n".encode())
    recorder = EnvelopeRecorder.continuing(path, on_record=tell, limit=10)
    result = recorder.result
    def varied(call, output, failed=False):
        return result(call, {"content": "x" * (hash(call) % 70_000)}, failed=failed)
    recorder.result = varied
    return recorder
"""


def run(path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(path)], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_it_is_short() -> None:
    lines = [line for line in CODE.splitlines() if line.strip()]
    assert len(lines) <= 25


def test_it_runs_as_it_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "shop.jsonl"
    assert run(path) == ""
    went_on = "went on from 8 messages\ngoal: Count the files in each folder.\n"
    assert run(path) == went_on + "to be looked into: 0\n"
    assert read_whole(path).integrity().state == "ok"
    with EnvelopeRecorder(path) as recorder:
        recorder.call("Edit", {"path": "x"})
    assert run(path).endswith("to be looked into: 1\nEdit {'path': 'x'}: not-applied\n")
    state = resume(path)
    assert state.total_events == 3 * 8 + 1 + 1
    assert (state.uncertain, len(state.failed)) == ((), 1)


def test_it_heeds_what_a_person_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "shop.jsonl"
    monkeypatch.setenv("SESSIONS_DATA_DIR", str(tmp_path / "data"))
    with EnvelopeRecorder(path) as recorder:
        recorder.call("Edit", {"path": "x"}, "c1")
    [action] = resume(path).uncertain
    with closing(Decisions(tmp_path / "data")) as decisions:
        key = key_of(read_whole(path), action)
        assert key
        decisions.judge(key, path, "verified", None, None, 5)
    assert run(path).endswith("Edit {'path': 'x'}: verified\n")
    assert "c1" in resume(path).completed


def killed(path: Path, rng: random.Random) -> list[str]:
    """Let the agent work for a random number of records; the ids of what it was told was kept."""
    imports, rest = CODE.split("class Agent")[0], AGENT.split("class Agent", 1)[1]
    program = f"{imports}{CONFIRMING}\nclass Agent{rest}"
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as agent:
        assert agent.stdout
        told, lines = b"", rng.randrange(1, 40)
        while told.count(b"\n") < lines and (more := agent.stdout.read(400)):
            told += more
        agent.kill()
        told += agent.stdout.read()
    return [line[5:].decode() for line in told.splitlines() if line.startswith(b"kept ")]


@pytest.mark.parametrize("session", range(SESSIONS))
def test_it_comes_back_however_it_died(tmp_path: Path, session: int) -> None:
    rng = random.Random()
    path = tmp_path / "shop.jsonl"
    kept: list[str] = []
    uncertain = 0
    for _ in range(LIVES):
        kept += killed(path, rng)
        state = resume(path)
        events = [event for file in state.files for event in events_of(file)]
        assert [id for id in kept if id not in events] == []
        calls = [record["callId"] for record in of_type(state.files, "function_call")]
        ended = {record["callId"] for record in of_type(state.files, "function_call_result")}
        open_calls = [call for call in calls if call not in ended]
        assert [action.call_id for action in state.uncertain] == open_calls
        assert resume(path) == state
        assert len(open_calls) <= 1
        uncertain += len(open_calls)
    assert list(chain_of(newest_of(path))) == list(state.files)
    assert uncertain
    assert len(state.files) > 1


def events_of(path: Path) -> list[str]:
    transcript = read_whole(path)
    return [event.event_id or "" for event in [*transcript.events(), *transcript.tail()]]


def of_type(files: tuple[Path, ...], name: str) -> list[dict[str, Any]]:
    lines = [line for file in files for line in file.read_bytes().splitlines() if line]
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:  # torn
            continue
    return [record for record in found if record["type"] == name]


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_is_public(name: str) -> None:
    assert name in recording.__all__
