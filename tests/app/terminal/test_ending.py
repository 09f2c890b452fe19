"""However it ends: no process is left, the terminal is as it was, and what was decided is kept."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.files.processes import pid_exists
from sessions_tui.storage.index.index import FILE
from tests.bench.processes import tree
from tests.bench.terminal import NotShown, Terminal

if sys.platform == "win32":
    pytest.skip("there are no such signals", allow_module_level=True)

import termios

TOLD = [signal.SIGTERM, signal.SIGHUP]
PATIENCE = 60.0
SIZE = (40, 150)
BROWSE, REVIEW, ENTER = b"\x1bOP", b"\x1bOQ", b"\r"

EDITOR = """#!/bin/sh
echo EDITING
read line
"""


class Place:
    """A store with an interrupted Edit, and what the program keeps beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        source = folder / "code.py"
        source.write_text("x = 1\n")
        editor = folder / "editor"
        editor.write_text(EDITOR)
        editor.chmod(0o755)
        self.transcript = folder / "home" / "projects" / "p" / "s.jsonl"
        self.transcript.parent.mkdir(parents=True)
        change = {"file_path": str(source), "old_string": "x = 1", "new_string": "x = 2"}
        call = {"type": "function_call", "callId": "c", "name": "Edit"}
        self.write(said("hello there"))
        self.write(call | {"arguments": json.dumps(change)})

    def write(self, record: dict[str, Any]) -> None:
        """Append a record that is an hour old."""
        place = {"sessionId": "s", "cwd": str(self.folder)}
        at = {"timestamp": int(time.time() - 3600) * 1000}
        with self.transcript.open("a") as file:
            file.write(json.dumps(record | place | at) + "\n")

    def write_long(self) -> None:
        """Add a session that takes seconds to read."""
        line = json.dumps(said("and so on, and so on") | {"timestamp": 1_700_000_000_000})
        self.transcript.with_name("long.jsonl").write_text(f"{line}\n" * 300_000)

    def command(self, *words: str) -> list[str]:
        """`sessions` with some words, on this store."""
        places = ("--cache-dir", str(self.folder / "c"), "--data-dir", str(self.folder / "d"))
        module = ("-m", "sessions_tui.app.command_line", "--root", str(self.folder / "home"))
        return [sys.executable, *module, *places, *words]

    @property
    def environ(self) -> dict[str, str]:
        """A terminal, and an editor that is left with enter."""
        editor = {"EDITOR": str(self.folder / "editor"), "VISUAL": ""}
        size = {"LINES": str(SIZE[0]), "COLUMNS": str(SIZE[1])}
        return {**os.environ, "TERM": "xterm-256color", **editor, **size}

    @contextmanager
    def sitting(self) -> Iterator[Sitting]:
        """The screen with the one session open."""
        sitting = Sitting(self)
        try:
            sitting.wait_for("hello there", PATIENCE)
            yield sitting
        finally:
            sitting.clear()

    def verdicts(self) -> list[str | None]:
        """What was decided of the uncertain actions, as a command tells it."""
        command = self.command("actions", str(self.transcript), "--all", "--json")
        done = subprocess.run(command, capture_output=True)
        return [action["verdict"] for action in json.loads(done.stdout)]

    def is_index_whole(self) -> bool:
        """Whether nothing in the index contradicts itself."""
        with closing(sqlite3.connect(self.folder / "c" / FILE)) as db:
            return list(db.execute("pragma integrity_check")) == [("ok",)]


class Sitting(Terminal):
    """The program in a terminal that is looked at afterwards."""

    def __init__(self, place: Place) -> None:
        command = place.command("open", str(place.transcript))
        super().__init__(command, SIZE, place.environ)
        self.place = place
        self.processes = {self.pid}

    def decide(self) -> None:
        """Mark the Edit as not applied, and wait until that is said to be kept."""
        self.send(REVIEW)
        self.wait_for("TO DECIDE", PATIENCE)
        self.send(b"x")
        self.wait_for("optional note", PATIENCE)
        self.send(ENTER)
        self.wait_for("All settled", PATIENCE)

    def read_long(self) -> None:
        """Be in the middle of reading a long session."""
        self.send(BROWSE)
        self.place.write_long()
        self.wait_for("indexing", PATIENCE)

    def edit(self) -> None:
        """Open the file of the Edit in the editor."""
        self.send(REVIEW)
        self.wait_for("TO DECIDE", PATIENCE)
        self.send(b"e")
        self.wait_for("EDITING", PATIENCE)

    def hang_up(self) -> None:
        """Take the terminal away."""
        self.processes = {*tree(self.pid)}
        os.close(self._fd)
        self._fd = -1

    def tell(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.processes = {*tree(self.pid)}
        os.kill(self.pid, number)

    def ended(self) -> int:
        """The exit code, once nothing is left of the program."""
        status: list[int] = []

        def is_over() -> bool:
            if self._fd >= 0:
                with suppress(NotShown):  # so it says that the program has ended
                    self.hear(0.05)
            if not status:
                pid, code = os.waitpid(self.pid, os.WNOHANG)
                status.extend([code] if pid else [])
            return bool(status) and not any(map(pid_exists, self.processes))

        wait_until(is_over)
        self.processes = set()
        return os.waitstatus_to_exitcode(status[0])

    def is_ordinary(self) -> bool:
        """Whether the terminal takes lines and shows what is typed."""
        local = termios.tcgetattr(self._fd)[3]
        return bool(local & termios.ICANON and local & termios.ECHO and local & termios.ISIG)

    def clear(self) -> None:
        """End what a failed test has left."""
        for process in filter(pid_exists, self.processes):
            os.kill(process, signal.SIGKILL)
        if self._fd >= 0:
            os.close(self._fd)


def said(text: str) -> dict[str, Any]:
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content}


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize("number", [*TOLD, signal.SIGKILL])
def test_what_was_decided_outlives_a_signal(place: Place, number: signal.Signals) -> None:
    with place.sitting() as sitting:
        sitting.decide()
        sitting.read_long()
        sitting.tell(number)
        assert sitting.ended() == (128 + number if number in TOLD else -number)
        assert sitting.is_ordinary() == (number in TOLD)
    assert place.verdicts() == ["not-applied"]
    assert place.is_index_whole()


def test_what_was_decided_outlives_the_terminal(place: Place) -> None:
    with place.sitting() as sitting:
        sitting.decide()
        sitting.read_long()
        sitting.hang_up()
        sitting.ended()
    assert place.verdicts() == ["not-applied"]
    assert place.is_index_whole()


@pytest.mark.parametrize("number", TOLD)
def test_an_editor_is_left_before_the_program_ends(place: Place, number: signal.Signals) -> None:
    with place.sitting() as sitting:
        sitting.edit()
        assert sitting.is_ordinary()
        sitting.tell(number)
        sitting.send(b"\n")
        assert sitting.ended() == 128 + number
        assert sitting.is_ordinary()


def test_nothing_is_left_where_the_terminal_goes_away_with_an_editor(place: Place) -> None:
    with place.sitting() as sitting:
        sitting.edit()
        sitting.hang_up()
        sitting.ended()


def test_an_interrupt_in_the_editor_is_for_the_editor(place: Place) -> None:
    with place.sitting() as sitting:
        sitting.edit()
        sitting.forget()
        sitting.send(b"\x03")
        sitting.wait_for("TO DECIDE", PATIENCE)
        sitting.decide()
        sitting.tell(signal.SIGTERM)
        sitting.ended()
    assert place.verdicts() == ["not-applied"]


def test_two_screens_on_one_store_tell_the_same(place: Place) -> None:
    with place.sitting() as first, place.sitting() as second:
        place.write(said("are you both there"))
        for sitting in (first, second):
            sitting.wait_for("are you both there", PATIENCE)
        first.send(REVIEW)
        first.wait_for("TO DECIDE", PATIENCE)
        second.decide()
        first.wait_for("All settled", PATIENCE)
        second.tell(signal.SIGKILL)
        second.ended()
        first.send(b"q")
        place.write(said("one is gone"))
        first.wait_for("one is gone", PATIENCE)
        first.tell(signal.SIGTERM)
        first.ended()
    assert place.verdicts() == ["not-applied"]
    assert place.is_index_whole()
