"""Whatever one does, the stores stay as they were: names, sizes, times, modes and contents."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions_tui.app.demo import write_store
from sessions_tui.storage.stores.roots import find_roots

from .sitting import NOW, Home, Sit

Tree = dict[str, tuple[int, ...]]

COMMANDS = (
    ("list",),
    ("list", "--json", "--children", "--all"),
    ("show", "{session}"),
    ("show", "{session}", "--json"),
    ("check",),
    ("check", "{path}", "--json"),
)


def tree(*tops: Path) -> Tree:
    """All that a file system tells of what lies below, times of access apart."""
    found: Tree = {}
    for top in tops:
        for path in (top, *sorted(top.rglob("*"))):
            stat = path.lstat()
            found[os.fspath(path)] = (
                *(stat.st_mode, stat.st_ino, stat.st_size, stat.st_nlink, stat.st_uid),
                *(stat.st_mtime_ns, stat.st_ctime_ns),
            )
    return found


@pytest.fixture(params=["writable", "read-only"])
def roots(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, ...]]:
    """The made-up store's roots."""
    made = write_store(tmp_path / "made", NOW).roots
    everything = [path for root in made for path in (root, *root.rglob("*"))]
    if request.param == "read-only":
        for path in everything:
            path.chmod(0o555 if path.is_dir() else 0o444)
    yield made
    for path in everything:
        path.chmod(0o755)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_write_nothing(
    roots: tuple[Path, ...], tmp_path: Path, words: tuple[str, ...]
) -> None:
    path = max(roots[0].rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    words = tuple(word.format(session=path.stem, path=path) for word in words)
    named = [option for root in roots for option in ("--root", str(root))]
    own = ["--cache-dir", str(tmp_path / "cache"), "--data-dir", str(tmp_path / "data")]
    before = tree(*roots)
    done = subprocess.run(
        [sys.executable, "-m", "sessions_tui.app.command_line", *named, *own, *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout
    assert tree(*roots) == before


@pytest.mark.anyio
async def test_the_screen_writes_nothing(roots: tuple[Path, ...], home: Home, sit: Sit) -> None:
    before = tree(*roots)
    async with sit(roots=find_roots(roots, {}, home.folder, home.folder)) as mei:
        await mei.until(lambda: len(mei.entries()) > 10 and not mei.sees("indexing"))
        for _ in range(2):
            await mei.press("enter", "K", "enter", "4", "y", "Y", "escape", "plus", "u")
            await mei.press("slash", *"test", "enter", "n", "space", "q", "down", "w")
        await mei.press("exclamation_mark")
    assert tree(*roots) == before
    assert sorted(path.name for path in home.places.data.iterdir()) == ["desk.db"]


@pytest.mark.anyio
async def test_what_is_ours_is_private(home: Home, sit: Sit) -> None:
    home.agent("s").path.write_bytes(b'{"type":"message"}\n')
    async with sit() as mei:
        await mei.until(lambda: mei.item("s") is not None)
    for place in (home.places.cache, home.places.data):
        assert place.stat().st_mode & 0o077 == 0
        for path in place.iterdir():
            assert path.stat().st_mode & 0o077 == 0
