"""The watcher, on real files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event

import pytest

from sessions_tui.storage.files.watcher import Watcher

PATIENCE = 60.0
"""Seconds after which a test gives up."""

Paths = SimpleQueue[set[str]]
Start = Callable[..., Watcher]


@pytest.fixture
def changes() -> Paths:
    return SimpleQueue()


@pytest.fixture
def start(changes: Paths) -> Iterator[Start]:
    """Starts a watcher and waits until it sees."""
    watchers: list[Watcher] = []

    def begin(directory: Path, recursive: bool = True) -> Watcher:
        watcher = Watcher(changes.put, [directory], recursive)
        watchers.append(watcher)
        watcher.start()
        probe = directory / "probe"
        for _ in range(100):  # the watch begins at some time after the thread
            probe.write_text("x" * 10)
            if not wait(changes, probe, 0.2, required=False):
                continue
            return watcher
        raise AssertionError(watcher.problem or "nothing was seen")

    yield begin
    for watcher in watchers:
        watcher.stop()
        watcher.join(PATIENCE)
        assert not watcher.is_alive()


def wait(changes: Paths, path: Path, seconds: float = PATIENCE, required: bool = True) -> bool:
    """Take changes off the queue until one names the path."""
    while True:
        try:
            if str(path) in changes.get(timeout=seconds):
                return True
        except Empty:
            assert not required, f"{path} was not seen"
            return False


def test_an_append_is_seen(tmp_path: Path, changes: Paths, start: Start) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("{}\n")
    watcher = start(tmp_path, recursive=False)
    assert (watcher.alive, watcher.problem) == (True, "")
    with path.open("a") as file:
        file.write("{}\n")
    assert wait(changes, path)
    path.rename(tmp_path / "t.jsonl")
    assert wait(changes, tmp_path / "t.jsonl")


def test_a_new_directory_is_seen(tmp_path: Path, changes: Paths, start: Start) -> None:
    start(tmp_path)
    folder = tmp_path / "node_modules"
    folder.mkdir()
    assert wait(changes, folder)


def test_a_directory_that_was_replaced_is_watched_again(
    tmp_path: Path, changes: Paths, start: Start
) -> None:
    store = tmp_path / "store"
    store.mkdir()
    start(store)
    store.rename(tmp_path / "old")
    store.mkdir()
    path = store / "s.jsonl"
    for _ in range(100):
        path.write_text("{}")
        if wait(changes, path, 0.2, required=False):
            break
        path.unlink()
    else:
        raise AssertionError("it was not watched again")


def test_it_survives_an_error_of_its_listener(tmp_path: Path) -> None:
    heard: Paths = SimpleQueue()
    failed = Event()

    def listen(paths: set[str]) -> None:
        if not failed.is_set():
            failed.set()
            raise RuntimeError("not now")
        heard.put(paths)

    watcher = Watcher(listen, [tmp_path], recursive=False)
    watcher.start()
    path = tmp_path / "s"
    for number in range(200):
        path.write_text(str(number))
        if failed.is_set() and wait(heard, path, 0.2, required=False):
            break
        failed.wait(0.1)
    else:
        raise AssertionError("it heard nothing after the error")
    watcher.stop()
    watcher.join(PATIENCE)
    assert not watcher.is_alive()


def test_what_cannot_be_watched_is_said(tmp_path: Path) -> None:
    watcher = Watcher(lambda paths: None, [tmp_path / "absent"], recursive=False)
    watcher.start()
    for _ in range(200):
        if watcher.problem:
            break
        watcher.join(0.1)
    assert watcher.problem.startswith("files are polled, not watched: ")
    assert not watcher.alive
    watcher.stop()
    watcher.join(PATIENCE)
    assert not watcher.is_alive()
