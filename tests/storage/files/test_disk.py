"""Whatever lies at a path, looking at it says what it is, and neither waits nor changes it."""

from __future__ import annotations

import os
import socket
import stat
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from sessions_tui.storage.agents.mycodeagent.evidence import LEFTOVER
from sessions_tui.storage.files import disk
from sessions_tui.storage.files.disk import LARGEST, leftover_beside, look_at

AT = 1_790_003_600_000

posix = pytest.mark.skipif(os.name == "nt", reason="a file of POSIX systems")


def test_an_ordinary_file(tmp_path: Path) -> None:
    path = tmp_path / "计划.py"
    path.write_bytes(b"a = 1\n")
    os.utime(path, ns=(AT * 1_000_000 + 999, AT * 1_000_000 + 999))
    look = look_at(str(path), str(tmp_path))
    assert (look.problem, look.exists, look.size, look.data) == ("", True, 6, b"a = 1\n")
    assert (look.modified_at, look.sha256) == (AT, sha256(b"a = 1\n").hexdigest())


def test_no_file(tmp_path: Path) -> None:
    for directory in (None, str(tmp_path)):
        look = look_at(str(tmp_path / "absent.py"), directory)
        assert (look.problem, look.exists, look.data) == ("", False, None)
    # A file that was to be made in a new folder.
    assert look_at(str(tmp_path / "new" / "a.py"), str(tmp_path)).problem == ""


@pytest.mark.parametrize(
    ("directory", "problem"),
    [
        (None, "Its directory is not on this machine."),
        ("/gone", "The directory in which the agent ran is not on this machine."),
        ("C:\\gone", "The directory in which the agent ran is not on this machine."),
        ("/gone\0", "The directory in which the agent ran is not on this machine."),
    ],
)
@posix
def test_the_agents_directory_is_not_here(directory: str | None, problem: str) -> None:
    assert look_at("/gone/a.py", directory).problem == problem


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("C:\\src\\a.py", "Its path belongs to another machine than this one."),
        ("\\\\server\\share\\a.py", "Its path belongs to another machine than this one."),
        ("/src/a\0.py", "No file on this system can have its path."),
        ("/src/\ud83d.py", "No file on this system can have its path."),
        ("/" + "a" * 5_000, "Its path is longer than this system allows."),
        ("/dev/null", "It is a device, not a file."),
    ],
)
@posix
def test_paths_that_lead_nowhere(path: str, problem: str) -> None:
    assert look_at(path, "/").problem == problem


@posix
def test_what_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.chdir(tmp_path)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        problems = {
            name: look_at(str(tmp_path / name), None).problem
            for name in ("pipe", "folder", "socket", "file/a.py")
        }
    assert problems == {
        "pipe": "It is a pipe, not a file.",
        "folder": "It is a directory, not a file.",
        "socket": "It is a socket, not a file.",
        "file/a.py": "A part of its path is not a directory.",
    }


@posix
def test_links(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(b"real")
    for name, target in [
        ("link", "real.py"),
        ("dangling", "absent.py"),
        ("loop", "loop"),
        ("to-folder", "."),
    ]:
        (tmp_path / name).symlink_to(target)
    look = look_at(str(tmp_path / "link"), None)
    assert (look.data, look.target, look.problem) == (b"real", "real.py", "")
    for name in ("dangling", "loop"):
        look = look_at(str(tmp_path / name), None)
        assert (look.problem, look.exists) == ("It is a link that leads nowhere.", True)
    assert look_at(str(tmp_path / "to-folder"), None).problem == "It is a directory, not a file."


@pytest.mark.skipif(
    os.name == "nt" or os.geteuid() == 0, reason="needs a user whom permissions bind"
)
def test_what_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.py"
    path.write_bytes(b"secret")
    path.chmod(0)
    look = look_at(str(path), None)
    assert (look.problem, look.exists, look.size) == ("The file may not be read.", True, 6)
    folder = tmp_path / "locked"
    folder.mkdir(mode=0)
    try:
        assert look_at(str(folder / "a.py"), None).problem == "The file may not be read."
    finally:
        folder.chmod(stat.S_IRWXU)


def test_a_refusal_to_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.py"
    path.write_bytes(b"secret")

    def refuse(path: Path) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(disk, "opened", refuse)
    look = look_at(str(path), None)
    assert (look.problem, look.exists, look.size) == ("The file may not be read.", True, 6)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.log"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    look = look_at(str(path), None)
    assert look.problem == "The file is 16.8 MB large, too large to be looked through."
    assert (look.exists, look.size, look.data, look.sha256) == (True, LARGEST + 1, None, None)
    assert look.modified_at


@pytest.mark.parametrize(("writes", "calm"), [(1, True), (9, False)])
def test_a_file_that_is_written_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int, calm: bool
) -> None:
    path = tmp_path / "busy.log"
    path.write_bytes(b"first\n")
    read, left = disk._read, [writes]

    def busy(fd: int, size: int) -> bytes:
        data = read(fd, size)
        if left[0]:
            left[0] -= 1
            with path.open("ab") as file:
                file.write(b"more\n")
        return data

    monkeypatch.setattr(disk, "_read", busy)
    look = look_at(str(path), None)
    assert look.problem == ("" if calm else "The file changes while it is read.")
    assert look.data == (b"first\nmore\n" if calm else None)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a file of Linux")
def test_a_file_that_tells_no_size() -> None:
    assert look_at("/proc/self/status", None).problem == "The file changes while it is read."


def left(path: Path, at: int) -> None:
    path.write_bytes(b"half")
    os.utime(path, ns=(at * 1_000_000, at * 1_000_000))


def test_temporary_files_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "a.py"
    assert leftover_beside(str(target), LEFTOVER, AT) == ""
    left(tmp_path / ".mycodeagent-older.tmp", AT - 60_000)
    left(tmp_path / "mycodeagent-other.tmp", AT + 60_000)
    left(tmp_path / ".mycodeagent-other.tmp.bak", AT + 60_000)
    (tmp_path / ".mycodeagent-folder.tmp").mkdir()
    assert leftover_beside(str(target), LEFTOVER, AT) == ""
    left(tmp_path / ".mycodeagent-a1b2.tmp", AT + 1)
    assert leftover_beside(str(target), LEFTOVER, AT) == ".mycodeagent-a1b2.tmp"
    assert leftover_beside(str(target), LEFTOVER, None) == ".mycodeagent-a1b2.tmp"
    assert leftover_beside(str(tmp_path / "absent" / "a.py"), LEFTOVER, AT) == ""
    assert leftover_beside("/a\0/b", LEFTOVER, AT) == ""
