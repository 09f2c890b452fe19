"""Standard streams that are closed or full, and a working directory that was deleted."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there is no such shell", allow_module_level=True)

FULL = Path("/dev/full")
SESSION = "0d951c95"

PRINTING = [
    "list",
    "list --json",
    f"show {SESSION}",
    f"show {SESSION} --json",
    "check",
    "check --json",
    f"memory {SESSION}",
    f"memory {SESSION} --render",
    f"recover {SESSION}",
    "actions --all",
    "actions --json",
    "search Lexer",
    "candidate list --json",
    "index --json",
    "--help",
    "show --help",
    "candidate export --help",
    "--version",
]


class Shell:
    """Runs the program as a shell does, its streams redirected."""

    def __init__(self, program: str, store: Path, tmp_path: Path) -> None:
        places = ["--cache-dir", str(tmp_path / "cache"), "--data-dir", str(tmp_path / "data")]
        self._program = shlex.join([program, "--root", str(store), *places])
        self._folder = tmp_path

    def run(
        self, words: str, redirected: str = "", before: str = ""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run it in an empty directory; `before` is what the shell does there first."""
        (self._folder / "here").mkdir(exist_ok=True)
        return subprocess.run(
            ["/bin/sh", "-c", f"{before or ':'}; exec {self._program} {words} {redirected}"],
            cwd=self._folder / "here",
            capture_output=True,
            timeout=120,
        )


@pytest.fixture
def shell(program: str, store: Path, tmp_path: Path) -> Shell:
    """A shell over a whole store."""
    return Shell(program, store, tmp_path)


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
@pytest.mark.parametrize("words", PRINTING)
def test_a_full_disk_is_named(shell: Shell, words: str) -> None:
    ran = shell.run(words, f">{FULL}")
    said = ran.stderr.decode()
    assert ran.returncode == 6, said
    assert said.endswith("sessions: cannot write the output: no space left on device.\n")
    assert "None" not in said


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
@pytest.mark.parametrize("words", ["list", "--root absent list", "open", "candidate list"])
def test_errors_that_cannot_be_written_change_nothing(shell: Shell, words: str) -> None:
    expected = shell.run(words).returncode
    ran = shell.run(words, f"2>{FULL}")
    assert (ran.returncode, ran.stderr) == (expected, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["", "demo"])
def test_the_screen_says_that_it_needs_a_terminal(shell: Shell, words: str, closed: str) -> None:
    ran = shell.run(words, closed)
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr
    assert b"Not a terminal" in ran.stderr or "2>&-" in closed


@pytest.mark.parametrize("words", ["list --json", f"show {SESSION}", "check"])
def test_commands_need_no_input_and_miss_a_closed_output(shell: Shell, words: str) -> None:
    whole = shell.run(words)
    assert shell.run(words, "<&-").stdout == whole.stdout
    assert shell.run(words, "<&- 2>&-").stdout == whole.stdout
    ran = shell.run(words, ">&-")
    assert ran.returncode == 6
    assert b"cannot write the output: standard output is closed." in ran.stderr


def test_no_database_takes_the_place_of_a_closed_stream(shell: Shell, tmp_path: Path) -> None:
    shell.run("index --json", "<&- >&- 2>&-")
    assert shell.run("candidate list", "<&- >&-").returncode == 0
    for database in (tmp_path / "cache").rglob("*.db"):
        assert database.read_bytes().startswith(b"SQLite format 3\0")


DELETED = 'rmdir "$PWD"'


@pytest.mark.parametrize(
    "words",
    ["list --json", f"show {SESSION}", "check", f"memory {SESSION}", "actions", "search Lexer"],
)
def test_a_deleted_working_directory_does_no_harm(shell: Shell, words: str) -> None:
    whole, ran = shell.run(words), shell.run(words, before=DELETED)
    assert (ran.returncode, ran.stdout) == (whole.returncode, whole.stdout), ran.stderr


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("show s.jsonl", "s.jsonl"),
        ("check ./s.jsonl", "s.jsonl"),
        ("--root elsewhere list", "elsewhere"),
        ("list --cache-dir c", "c"),
        ("list --data-dir d", "d"),
        ("list --config c.toml", "c.toml"),
        ("candidate export --output o.md", "o.md"),
    ],
)
def test_only_relative_paths_are_refused_there(shell: Shell, words: str, path: str) -> None:
    ran = shell.run(words, before=DELETED)
    expected = f"The working directory was deleted: give {path} as an absolute path."
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.decode() == f"sessions: {expected}\n"


def test_default_places_are_looked_at_from_a_deleted_directory(
    program: str, tmp_path: Path, own_home: Path
) -> None:
    (tmp_path / "x").mkdir()
    words = f'rmdir "$PWD"; exec {shlex.quote(program)} list'
    ran = subprocess.run(
        ["/bin/sh", "-c", words], cwd=tmp_path / "x", capture_output=True, env=os.environ
    )
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert b".workbuddy" in ran.stderr
    assert b"deleted" not in ran.stderr


@pytest.mark.parametrize("output", ["-", "./-"])
def test_a_dash_is_standard_output(shell: Shell, tmp_path: Path, output: str) -> None:
    ran = shell.run(f"candidate export --markdown --output {output}")
    assert ran.returncode == 0
    assert (tmp_path / "here" / "-").exists() == (output == "./-")
