"""What a line of many megabytes takes in memory: a few times itself, not more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SIZE = 40_000_000
UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system counts memory."""


def peak(home: Path, *words: str) -> int:
    """Bytes that a command has in memory at most, above what it takes for nothing."""
    code = "import sys; from sessions_tui.app.command_line import main; sys.exit(main())"
    base = home.parent
    options = [f"--root={home}", f"--cache-dir={base / 'cache'}", f"--data-dir={base / 'data'}"]
    command = [sys.executable, "-c", code, *words, *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.stderr
        assert process.returncode == 0, process.stderr.read()
    return used.ru_maxrss * UNIT


def home_with(folder: Path, text: str) -> Path:
    content = [{"type": "input_text", "text": text}]
    record = {
        "id": "a",
        "timestamp": 1796000000000,
        "type": "message",
        "role": "user",
        "content": content,
        "sessionId": "s",
        "cwd": "/",
    }
    path = folder / "projects" / "f" / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    return folder


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the system does not tell")
@pytest.mark.parametrize("words", [("list",), ("show", "s", "--json"), ("show", "s")])
@pytest.mark.parametrize("character", ["x", "字"])
def test_a_long_line(tmp_path: Path, words: tuple[str, ...], character: str) -> None:
    size = len(character.encode())
    home = home_with(tmp_path / "home", character * (SIZE // size))
    (empty := tmp_path / "empty" / "home").joinpath("projects").mkdir(parents=True)
    used = peak(home, *words) - peak(empty, "list")
    assert used <= 4.5 * SIZE, f"{used / SIZE:.1f} times the line"
