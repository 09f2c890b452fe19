"""What `sessions` knows of an agent that registers its process: real agents, live and killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy.registry import Registry
from sessions_tui.storage.files.processes import process_started_at
from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    Presence,
    RecordRefused,
)

from .waiting import Begin, entry, files, only_session, transcript, until
from .waiting import begin as begin

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="has no such thing")

FIELDS = {
    *("pid", "lastHeartbeat", "sessionId", "cwd", "startedAt", "kind", "mode", "os", "arch"),
    *("hostname", "updatedAt"),
}


def listed(home: Path, own: Path) -> Any:
    """What `sessions list --json` tells of the one session of a home."""
    words = ["list", "--json", "--root", home, "--cache-dir", own, "--data-dir", own]
    command = [sys.executable, "-m", "sessions_tui.app.command_line", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    (session,) = json.loads(done.stdout)["sessions"]
    return session


def test_an_agent_in_a_long_call_works_until_it_is_killed(
    begin: Begin, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    own = tmp_path_factory.mktemp("own")
    agent = begin(15)
    session = listed(tmp_path, own)
    assert session["why"] == f"Process {agent.pid} is alive, last record 5 min ago."
    assert (session["status"], session["uncertain"], session["needs_you"]) == ("working", 0, False)
    agent.is_killed()
    session = listed(tmp_path, own)
    assert f"process {agent.pid} is gone" in session["why"]
    assert (session["status"], session["uncertain"], session["needs_you"]) == ("crashed", 1, True)
    assert files(tmp_path) == [f"{agent.pid}.json"]


def test_without_a_presence_nobody_knows(begin: Begin, tmp_path: Path) -> None:
    agent = begin()
    assert only_session(tmp_path).status == "unknown"
    agent.is_killed()
    assert only_session(tmp_path).status == "unknown"


def test_a_program_that_ends_without_closing_is_gone(begin: Begin, tmp_path: Path) -> None:
    agent = begin(0.01)
    agent.ends()
    assert only_session(tmp_path).status == "crashed"
    assert entry(tmp_path, agent.pid)["pid"] == agent.pid


def test_closing_removes_the_file_and_ends_the_thread(begin: Begin, tmp_path: Path) -> None:
    agent = begin(0.01)
    assert agent.does("presence.close()") == "None"
    assert files(tmp_path) == []
    until(lambda: agent.does("threading.active_count()") == "1")
    assert agent.does("presence.close()") == "None"
    assert only_session(tmp_path).why.startswith("The turn did not finish and no process has")


def test_each_heartbeat_writes_the_whole_file_anew(begin: Begin, tmp_path: Path) -> None:
    agent = begin(0.01)
    beats: set[int] = set()
    while len(beats) < 20:
        said = entry(tmp_path, agent.pid)
        assert said.keys() == FIELDS
        assert (said["pid"], said["sessionId"]) == (agent.pid, "s")
        assert said["lastHeartbeat"] == said["updatedAt"] >= said["startedAt"]
        beats.add(said["lastHeartbeat"])
    assert agent.does("presence.close()") == "None"
    assert files(tmp_path) == []


def test_it_says_when_the_process_began(tmp_path: Path) -> None:
    """As the system tells it now: readers compare the two."""
    began = process_started_at(os.getpid())
    if began is None:
        pytest.skip("the system does not tell when a process started")
    with EnvelopeRecorder(transcript(tmp_path)) as recorder, Presence(recorder):
        # It counts from when the machine started, which it tells in whole seconds.
        assert entry(tmp_path, os.getpid())["startedAt"] - began in (-1000, 0, 1000)


def test_nothing_is_written_between_heartbeats(tmp_path: Path) -> None:
    class UsageReports(EnvelopeRecorder):
        looks = 0

        @property
        def path(self) -> Path:
            self.looks += 1
            return super().path

    with UsageReports(transcript(tmp_path)) as recorder, Presence(recorder) as presence:
        before, looked = presence.path.stat(), recorder.looks
        until(lambda: recorder.looks > looked + 1)
        assert presence.path.stat().st_ino == before.st_ino


@POSIX
def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with (
            EnvelopeRecorder(transcript(tmp_path / "home")) as recorder,
            Presence(recorder) as presence,
        ):
            assert presence.path.stat().st_mode & 0o777 == 0o600
            for folder in (presence.path.parent, tmp_path / "home"):
                assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


def test_the_next_file_has_the_process_too(begin: Begin, tmp_path: Path) -> None:
    agent = begin(50)
    beat = entry(tmp_path, agent.pid)["lastHeartbeat"]
    agent.does("recorder.call('Bash', {'command': 'make test'})")
    until(lambda: entry(tmp_path, agent.pid)["sessionId"] == "s_2")
    assert entry(tmp_path, agent.pid)["lastHeartbeat"] < beat + 50_000
    session = only_session(tmp_path)
    assert (session.session, session.status) == ("s_2", "working")
    assert session.why.startswith(f"Process {agent.pid} is alive")
    agent.is_killed()
    assert (only_session(tmp_path).status, files(tmp_path)) == ("crashed", [f"{agent.pid}.json"])


FORKS = "os.fork() or [threading.active_count(), presence.close(), Presence(recorder).path.name]"


@POSIX
def test_a_forked_child_leaves_the_file_alone(begin: Begin, tmp_path: Path) -> None:
    agent = begin(0.01)
    one, other = agent.does(FORKS), agent.told()
    (child,) = {name.removesuffix(".json") for name in files(tmp_path) if name[0] != "."} - {
        str(agent.pid)
    }
    try:
        assert {one, other} == {child, f"[1, None, '{child}.json']"}
        beat = entry(tmp_path, agent.pid)["lastHeartbeat"]
        until(lambda: entry(tmp_path, agent.pid)["lastHeartbeat"] > beat)
        os.kill(int(child), signal.SIGKILL)
        assert only_session(tmp_path).why.startswith(f"Process {agent.pid} is alive")
    finally:
        agent.is_killed()
    assert only_session(tmp_path).status == "crashed"


FORKS_AND_IS_KILLED = "os.fork() and os.kill(os.getpid(), 9)"


@POSIX
def test_a_child_that_outlives_its_parent_does_not_speak_for_it(
    begin: Begin, tmp_path: Path
) -> None:
    agent = begin(0.01)
    assert agent.does(FORKS_AND_IS_KILLED) == "0"  # the child's: it has the pipes
    agent.process.wait(20)
    assert f"process {agent.pid} is gone" in only_session(tmp_path).why
    assert agent.does("presence.close()") == "None"
    assert entry(tmp_path, agent.pid)["pid"] == agent.pid


def test_two_presences_of_one_process(tmp_path: Path) -> None:
    pid = os.getpid()
    with (
        EnvelopeRecorder(transcript(tmp_path, "one")) as one,
        EnvelopeRecorder(transcript(tmp_path, "two")) as two,
    ):
        with Presence(one, every=0.01) as first, Presence(two, every=0.01):
            assert [entry(tmp_path, name)["sessionId"] for name in (pid, f"{pid}-2")] == [
                "one",
                "two",
            ]
            registry = Registry(tmp_path)
            registry.refresh()
            now = int(time.time() * 1000)
            assert registry.attached("one", now)
            assert registry.attached("two", now)
            first.close()
            beat = entry(tmp_path, f"{pid}-2")["lastHeartbeat"]
            until(lambda: entry(tmp_path, f"{pid}-2")["lastHeartbeat"] > beat)
            with Presence(one, every=0.01):
                first.close()
                assert entry(tmp_path, pid)["sessionId"] == "one"
        assert files(tmp_path) == []


def test_presences_begun_at_once_have_files_of_their_own(tmp_path: Path) -> None:
    old = left_behind(tmp_path, minutes=2)
    recorders = [EnvelopeRecorder(transcript(tmp_path, str(number))) for number in range(8)]
    gate = threading.Barrier(len(recorders))
    found: list[Presence] = []

    def begin(recorder: EnvelopeRecorder) -> None:
        gate.wait(20)
        found.append(Presence(recorder))

    threads = [threading.Thread(target=begin, args=(recorder,)) for recorder in recorders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    said = [json.loads(presence.path.read_bytes())["sessionId"] for presence in found]
    assert sorted(said) == list("01234567")
    assert old in [presence.path for presence in found]
    for presence in found:
        presence.close()
    assert files(tmp_path) == []


def left_behind(home: Path, minutes: float) -> Path:
    """The file of an earlier process that had this one's number."""
    (home / "sessions").mkdir(parents=True)
    path = home / "sessions" / f"{os.getpid()}.json"
    path.write_text(json.dumps({"pid": os.getpid(), "sessionId": "old", "startedAt": 1000}))
    os.utime(path, times=(time.time() - minutes * 60,) * 2)
    return path


def test_what_an_earlier_process_left_is_taken_over(tmp_path: Path) -> None:
    path = left_behind(tmp_path, minutes=2)
    with EnvelopeRecorder(transcript(tmp_path)) as recorder, Presence(recorder) as presence:
        assert presence.path == path
        assert entry(tmp_path, os.getpid())["sessionId"] == "s"
    assert files(tmp_path) == []


def test_what_somebody_keeps_is_left_alone(tmp_path: Path) -> None:
    """As in another container, whose processes have numbers of their own."""
    path = left_behind(tmp_path, minutes=0)
    with EnvelopeRecorder(transcript(tmp_path)) as recorder, Presence(recorder) as presence:
        assert entry(tmp_path, os.getpid())["sessionId"] == "old"
        assert presence.path.name == f"{os.getpid()}-2.json"
        registry = Registry(tmp_path)
        registry.refresh()
        assert registry.attached("s", int(time.time() * 1000))
    assert path.exists()


READ_ONLY = """
import os, sys
from sessions_tui.storage.recording import EnvelopeRecorder, Presence
if os.geteuid() == 0:
    os.setuid(65534)  # permissions do not bind root
recorder = EnvelopeRecorder(sys.argv[1])
presence = Presence(recorder, every=0.01)
print(recorder.message("user", "goes on").text)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="has no such users")
@pytest.mark.parametrize("exists", [False, True])
def test_a_home_that_may_only_be_read(exists: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:  # where another user may look
        home = Path(folder).resolve()
        path, registry = transcript(home), home / "sessions"
        path.parent.mkdir(parents=True)
        path.parent.chmod(0o777)
        if exists:
            registry.mkdir()
            registry.chmod(0o555)
        home.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        left = sorted(file.name for file in home.rglob("*.json*"))
        home.chmod(0o755)
    file = registry / r"\d+\.json"
    said = rf"{file} cannot be written: Permission denied\n"
    assert re.fullmatch(said, done.stderr), done.stderr  # once
    assert done.stdout == "goes on\n"
    assert left == [".s.jsonl.lock", "s.jsonl"]


def test_a_name_is_free_again_after_a_failure(tmp_path: Path) -> None:
    with EnvelopeRecorder(transcript(tmp_path)) as recorder:
        (tmp_path / "sessions").write_bytes(b"")
        for _ in range(2):
            Presence(recorder, every=0.01).close()
        (tmp_path / "sessions").unlink()
        with Presence(recorder) as presence:
            assert presence.path.name == f"{os.getpid()}.json"
        assert (tmp_path / "sessions").is_dir()
    until(lambda: threading.active_count() == 1)


def test_a_heartbeat_that_failed_is_made_up_for(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    with EnvelopeRecorder(transcript(tmp_path)) as recorder, Presence(recorder, every=0.01) as it:
        shutil.rmtree(folder, ignore_errors=True)
        until(it.path.exists)
        for _ in range(2):
            in_the_way = replaced(folder)
            until(partial(beats_again, it, it._beat))
            in_the_way.unlink()
            until(it.path.exists)
        recorder.message("user", "goes on")


def beats_again(presence: Presence, before: int) -> bool:
    """Whether it was at least tried."""
    return presence._beat > before


def replaced(folder: Path) -> Path:
    """The same name as a file: a heartbeat may make the directory again in between."""
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.touch(exist_ok=False)
        except FileExistsError:
            continue
        return folder


def test_who_removes_a_home_is_rid_of_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with EnvelopeRecorder(transcript(home)) as recorder, Presence(recorder, every=0.01) as it:
        while home.exists():
            shutil.rmtree(home, ignore_errors=True)
        until(partial(beats_again, it, it._beat))
        assert not home.exists()


@pytest.mark.parametrize(
    "place",
    ["s.jsonl", "projects/s.jsonl", "projects/shop/s/subagents/agent-1.jsonl"],
)
def test_elsewhere_nobody_would_look(tmp_path: Path, place: str) -> None:
    with (
        EnvelopeRecorder(tmp_path / "home" / place) as recorder,
        pytest.raises(RecordRefused, match="lies in no home"),
    ):
        Presence(recorder)
    assert not (tmp_path / "home").exists()


def test_a_way_with_steps_back_leads_home(tmp_path: Path) -> None:
    transcript(tmp_path).parent.mkdir(parents=True)
    path = tmp_path / "projects" / "shop" / ".." / "shop" / "s.jsonl"
    with EnvelopeRecorder(path) as recorder, Presence(recorder) as presence:
        assert presence.path.parent.samefile(tmp_path / "sessions")


def test_mycodeagent_has_no_registry(tmp_path: Path) -> None:
    recorder: Any = MyCodeAgentRecorder(transcript(tmp_path))
    with recorder, pytest.raises(RecordRefused, match="MyCodeAgent keeps no registry"):
        Presence(recorder)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("every", [0, -1, 60, float("nan"), float("inf")])
def test_heartbeats_come_in_time(tmp_path: Path, every: float) -> None:
    with EnvelopeRecorder(transcript(tmp_path)) as recorder, pytest.raises(ValueError, match="60"):
        Presence(recorder, every=every)
