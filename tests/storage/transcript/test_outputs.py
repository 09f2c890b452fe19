"""Large outputs that lie in files of their own: only those in the session's own folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.timeline.detail import detail_of
from sessions_tui.storage.transcript import outputs
from sessions_tui.storage.transcript.outputs import matching_outputs, output_of, with_output
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"


def preview(named: str) -> str:
    words = f"Output too large (60.0KB). Full output saved to: {named}"
    return f"<persisted-output>\n{words}\n\nPreview (first 2048 bytes):\nhead\n</persisted-output>"


def product(path: Path, text: str, call: str = "L1", content: str | None = None) -> Transcript:
    base = {"timestamp": 1_795_000_000_000, "sessionId": path.stem, "callId": call, "name": "Bash"}
    shown = text if content is None else content
    result: dict[str, Any] = {"output": {"type": "text", "text": text}, "status": "completed"}
    result |= {"id": "r", "providerData": {"toolResult": {"content": shown}}}
    records = [
        {"id": "c", "type": "function_call", "arguments": "{}"},
        {"type": "function_call_result"} | result,
    ]
    path.write_text("".join(json.dumps(base | record) + "\n" for record in records))
    transcript = Transcript(path, path.stem)
    transcript.read()
    return transcript


def output(path: Path, name: str, text: str) -> Path:
    file = path.with_suffix("") / "tool-results" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "named",
    [
        "/home/mei/.workbuddy/projects/p/s/tool-results/L1.txt",
        r"C:\\Users\\Mei\\.workbuddy\\projects\\p\\s\\tool-results\\L1.txt",
        "nowhere",
    ],
)
def test_the_whole_is_read_wherever_it_was_written(tmp_path: Path, named: str) -> None:
    path = tmp_path / "s.jsonl"
    transcript = product(path, preview(named))
    assert with_output(path, transcript.event(1)).text.startswith("<persisted-output>")
    output(path, "L1.txt", "head\n修复 tail")
    event = with_output(path, transcript.event(1))
    assert event.text == "head\n修复 tail"
    assert detail_of(transcript, 0, False).result == "head\n修复 tail"
    found = [
        one for results in matching_outputs(transcript, lambda t: "tail" in t) for one in results
    ]
    assert [one.event_id for one in found] == [event.event_id]


def test_what_the_record_holds_itself_is_not_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    transcript = product(path, preview("/x/tool-results/L1.txt"), content="all of it")
    output(path, "L1.txt", "another")
    assert with_output(path, transcript.event(1)).text == "all of it"


def test_the_envelope_names_its_outputs(tmp_path: Path) -> None:
    source = CASES / "envelope" / "157_externalized_pointer.jsonl"
    path = tmp_path / source.name
    path.write_bytes(source.read_bytes())
    transcript = Transcript(path, path.stem)
    transcript.read()
    before = transcript.event(1)
    assert with_output(path, before) == before
    output(path, "tool_result_001.txt", "the whole")
    assert with_output(path, before).text == "the whole"


@pytest.mark.parametrize(
    "name", ["../L1.txt", "/etc/passwd", "..", "a/b.txt", "", ".hidden", "a\0b"]
)
def test_only_plain_names_are_taken(tmp_path: Path, name: str) -> None:
    path = tmp_path / "s.jsonl"
    output(path, "L1.txt", "inside")
    (path.with_suffix("") / "L1.txt").write_text("beside")
    assert output_of(path, name) is None


@pytest.mark.parametrize("linked", ["file", "folder", "session"])
def test_links_are_not_followed(tmp_path: Path, linked: str) -> None:
    path, elsewhere = tmp_path / "s.jsonl", tmp_path / "elsewhere"
    secret = output(elsewhere.with_suffix(".jsonl"), "L1.txt", "secret")
    own = path.with_suffix("")
    if linked == "session":
        own.symlink_to(elsewhere)
    else:
        own.mkdir()
        folder = own / "tool-results"
        if linked == "folder":
            folder.symlink_to(secret.parent)
        else:
            folder.mkdir()
            (folder / "L1.txt").symlink_to(secret)
    transcript = product(path, preview("/x/tool-results/L1.txt"))
    assert "secret" not in with_output(path, transcript.event(1)).text
    assert not [one for found in matching_outputs(transcript, lambda _: True) for one in found]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    file = output(path, "L1.txt", "")
    file.unlink()
    os.mkfifo(file)
    assert output_of(path, "L1.txt") is None


def test_no_more_than_so_much_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "LARGEST", 100)
    path = tmp_path / "s.jsonl"
    output(path, "L1.txt", "x" * 5000)
    text = output_of(path, "L1.txt")
    assert text is not None
    assert text.startswith("x" * 100 + "\n…")
