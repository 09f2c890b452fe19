"""The process registry: believed only as far as this machine can check it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy.registry import Registry
from sessions_tui.storage.files.processes import pid_exists, process_started_at

NOW = int(time.time() * 1000)
CASES = Path(__file__).parents[3] / "cases"


def said(pid: int = os.getpid(), **changes: Any) -> dict[str, Any]:
    return {
        "pid": pid,
        "lastHeartbeat": NOW - 2000,
        "sessionId": "s1",
        "cwd": "/home/mei/src",
        "startedAt": int(time.time() * 1000),
        "kind": "interactive",
        "url": "http://127.0.0.1:51733",
        "hostname": "desk.local",
        **changes,
    }


def write(home: Path, data: object, name: str = "4711.json") -> None:
    (home / "sessions").mkdir(exist_ok=True)
    (home / "sessions" / name).write_text(json.dumps(data))


def registry(home: Path) -> Registry:
    found = Registry(home, "Desk")
    found.refresh()
    return found


@pytest.fixture
def agent() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives until it is killed."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.communicate()


@pytest.fixture
def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.fixture
def zombie_pid() -> Iterator[int]:
    process = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.read()
    deadline = time.monotonic() + 5
    while pid_exists(process.pid) and time.monotonic() < deadline:
        time.sleep(0.005)
    yield process.pid
    process.stdout.close()
    process.wait()


def test_a_living_process_is_attached(tmp_path: Path) -> None:
    write(tmp_path, said())
    process = registry(tmp_path).attached("s1", NOW)
    assert process
    assert (process.pid, process.session, process.life) == (os.getpid(), "s1", "alive")
    assert (process.host, process.url) == ("desk.local", "http://127.0.0.1:51733")
    assert registry(tmp_path).attached("s2", NOW) is None


@pytest.mark.parametrize(
    ("changes", "life"),
    [
        ({}, "alive"),
        ({"lastHeartbeat": NOW + 3600_000}, "alive"),
        ({"lastHeartbeat": NOW - 61_000}, "silent"),
        ({"lastHeartbeat": None, "updatedAt": NOW - 1}, "alive"),
        ({"hostname": "other"}, "elsewhere"),
        ({"hostname": None}, "alive"),
        ({"startedAt": "soon"}, "alive"),
        ({"startedAt": 1000}, "dead"),
        ({"kind": "manual"}, "alive"),
        ({"pid": float(os.getpid())}, "alive"),
        ({"pid": str(os.getpid())}, "alive"),
        ({"startedAt": NOW // 1000}, "alive"),
        ({"startedAt": NOW / 1000, "lastHeartbeat": NOW // 1000 - 2}, "alive"),
        ({"startedAt": NOW // 1000, "lastHeartbeat": NOW // 1000 - 61}, "silent"),
    ],
)
def test_life_is_told_by_pid_host_heartbeat_and_start(
    tmp_path: Path, changes: dict[str, Any], life: str
) -> None:
    if changes.get("startedAt") == 1000 and process_started_at(os.getpid()) is None:
        pytest.skip("the system does not tell when a process started")
    write(tmp_path, said(**changes))
    process = registry(tmp_path).process("s1", NOW)
    assert process
    assert process.life == life
    assert process.is_attached == (life == "alive")


def test_the_dead_are_known_to_be_dead(tmp_path: Path, dead_pid: int, zombie_pid: int) -> None:
    write(tmp_path, said(dead_pid), "1.json")
    write(tmp_path, said(zombie_pid, sessionId="s2"), "2.json")
    found = registry(tmp_path)
    for session in ("s1", "s2"):
        process = found.process(session, NOW)
        assert process
        assert process.life == "dead"
        assert found.attached(session, NOW) is None


def test_the_living_one_of_several_counts(tmp_path: Path, dead_pid: int) -> None:
    write(tmp_path, said(dead_pid, lastHeartbeat=NOW), "1.json")
    write(tmp_path, said(), "2.json")
    write(tmp_path, said(hostname="other", lastHeartbeat=NOW), "3.json")
    process = registry(tmp_path).attached("s1", NOW)
    assert process
    assert process.pid == os.getpid()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"x"',
        "[" * 100_000,
        '{"pid": "x4711", "sessionId": "s1"}',
        '{"pid": "\\u00b2", "sessionId": "s1"}',
        '{"pid": true, "sessionId": "s1"}',
        '{"pid": -1, "sessionId": "s1"}',
        '{"pid": 0, "sessionId": "s1"}',
        '{"pid": 1e400, "sessionId": "s1"}',
        '{"pid": NaN, "sessionId": "s1"}',
        '{"pid": 99999999999999999999, "sessionId": "s1"}',
        '{"pid": 4711, "sessionId": ["s1"]}',
        '{"pid": 4711, "sessionId": ""}',
        '{"pid": 4711, "sessionId": "s1", "kind": "prewarm"}',
    ],
)
def test_any_json_is_taken_calmly(tmp_path: Path, text: str) -> None:
    write(tmp_path, said(sessionId="s2"), "good.json")
    (tmp_path / "sessions" / "bad.json").write_text(text)
    found = registry(tmp_path)
    assert found.process("s1", NOW) is None
    assert found.attached("s2", NOW)


def test_bytes_that_are_no_text_and_odd_files_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, said())
    folder = tmp_path / "sessions"
    (folder / "bytes.json").write_bytes(b"\xff\xfe\x00")
    (folder / "large.json").write_bytes(b" " * 1_000_001)
    (folder / "folder.json").mkdir()
    (folder / "gone.json").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe.json")
    assert registry(tmp_path).attached("s1", NOW)


def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    write(tmp_path, said())
    found = registry(tmp_path)
    assert not found.refresh()
    path = tmp_path / "sessions" / "4711.json"
    stamp = path.stat()
    path.write_text(path.read_text().replace("s1", "s9"))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert not found.refresh()
    write(tmp_path, said(sessionId="s2", lastHeartbeat=NOW - 1))
    assert found.refresh()
    assert found.attached("s2", NOW)
    path.unlink()
    assert found.refresh()
    assert found.process("s2", NOW) is None


@pytest.mark.parametrize("part", [0, 40])
def test_a_file_that_is_being_written_says_what_it_last_said(
    tmp_path: Path, agent: subprocess.Popen[bytes], part: int
) -> None:
    write(tmp_path, said(agent.pid))
    found = registry(tmp_path)
    path = tmp_path / "sessions" / "4711.json"
    path.write_bytes(path.read_bytes()[:part])
    for _ in range(2):
        found.refresh()
        assert found.attached("s1", NOW)
        assert found.tells_all(NOW)
    agent.kill()
    agent.wait()
    found.refresh()
    process = found.process("s1", NOW)
    assert process
    assert process.life == "dead"
    write(tmp_path, said(sessionId="s2"))
    found.refresh()
    assert (found.process("s1", NOW), bool(found.attached("s2", NOW))) == (None, True)


def test_a_pooled_process_that_beats_is_still_nobodys(tmp_path: Path) -> None:
    name = f"{os.getpid()}.json"
    write(tmp_path, said(kind="prewarm"), name)
    found = registry(tmp_path)
    (tmp_path / "sessions" / name).write_bytes(b"")
    assert found.refresh()
    assert found.tells_all(NOW)


@pytest.mark.parametrize("text", ["", '{"pid": 47'])
def test_a_file_never_seen_whole_is_somebodys_while_its_process_lives(
    tmp_path: Path, agent: subprocess.Popen[bytes], text: str
) -> None:
    write(tmp_path, said())
    torn = tmp_path / "sessions" / f"{agent.pid}.json"
    torn.write_text(text)
    found = registry(tmp_path)
    assert not found.tells_all(NOW)
    assert found.attached("s1", NOW)
    agent.kill()
    agent.wait()
    found.refresh()
    assert found.tells_all(NOW)


def test_a_file_left_long_before_its_process_began_is_nobodys(tmp_path: Path) -> None:
    if process_started_at(os.getpid()) is None:
        pytest.skip("the system does not tell when a process started")
    write(tmp_path, said())
    torn = tmp_path / "sessions" / f"{os.getpid()}.json"
    torn.touch()
    assert not registry(tmp_path).tells_all(NOW)
    os.utime(torn, (1_000_000_000, 1_000_000_000))
    assert registry(tmp_path).tells_all(NOW)
    torn.rename(torn.with_name("manual-token.json"))
    assert registry(tmp_path).tells_all(NOW)


def test_who_left_is_remembered_until_somebody_comes_back(tmp_path: Path) -> None:
    write(tmp_path, said())
    found = registry(tmp_path)
    assert not found.has_left("s1")
    (tmp_path / "sessions" / "4711.json").unlink()
    for _ in range(2):
        found.refresh()
        assert found.has_left("s1")
        assert not found.has_left("s2")
    write(tmp_path, said())
    found.refresh()
    assert not found.has_left("s1")


def test_a_home_without_a_registry_tells_nothing(tmp_path: Path, dead_pid: int) -> None:
    found = registry(tmp_path)
    assert not found.exists
    assert not found.tells_all(NOW)
    write(tmp_path, said())
    assert found.refresh()
    assert found.tells_all(NOW)
    write(tmp_path, said(dead_pid, sessionId=f"interactive-{dead_pid}"), "host.json")
    found.refresh()
    assert found.tells_all(NOW)
    hosted = said(sessionId=f"interactive-{os.getpid()}")
    write(tmp_path, hosted, "host.json")
    found.refresh()
    assert found.tells_all(NOW)  # it has sessions of its own directory
    write(tmp_path, {**hosted, "cwd": "/tmp/host/__workbuddy_cli_host__-1-28ac"}, "host.json")
    found.refresh()
    assert not found.tells_all(NOW)


def test_the_registry_of_a_real_store_is_of_another_machine() -> None:
    found = registry(CASES / "product-store")
    process = found.process("72d24a20-63a6-4ded-9481-ec988ccc0eac", NOW)
    assert process
    assert (process.pid, process.life, process.host) == (41120, "elsewhere", "lin-mbp")
    assert found.process("prewarm-wb-pool-1795320000000-05df90", NOW) is None


def test_the_start_of_a_process_is_known_where_the_system_tells() -> None:
    started = process_started_at(os.getpid())
    if started is None:
        pytest.skip("the system does not tell when a process started")
    assert NOW - 3600_000 < started <= int(time.time() * 1000) + 1000
    assert process_started_at(2**31 - 2) is None
