"""The made-up store: well formed, alike each time, at work while one looks, and gone afterwards."""

from __future__ import annotations

import json
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.app.demo import DemoStore, demo_store, folder, write_store
from tests.app.sitting import PATIENCE

NOW = 1_795_000_000_000
FORTNIGHT = 14 * 24 * 3_600_000


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> DemoStore:
    """A store at rest."""
    return write_store(tmp_path_factory.mktemp("demo"), NOW)


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Look again and again, for what another process does."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def transcripts(store: DemoStore) -> list[Path]:
    return sorted(path for root in store.roots for path in root.rglob("*.jsonl"))


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The complete records of a transcript."""
    *lines, _tail = path.read_bytes().split(b"\n")
    return (json.loads(line) for line in lines)


def calls_without_result(path: Path) -> list[str]:
    events = list(records(path))
    ended = {e["callId"] for e in events if e.get("type") == "function_call_result"}
    calls = [e for e in events if e.get("type") == "function_call"]
    return [call["name"] for call in calls if call["callId"] not in ended]


def test_every_line_is_an_object(store: DemoStore) -> None:
    assert len(transcripts(store)) >= 30
    for path in transcripts(store):
        assert all(isinstance(record, dict) for record in records(path))


def test_the_product_chain_holds(store: DemoStore) -> None:
    for path in transcripts(store):
        seen: set[str] = set()
        for record in records(path):
            parent = record.get("parentId") or record.get("logicalParentId")
            assert parent is None or parent in seen, path
            seen.add(record.get("id", ""))


def test_times_lie_in_the_last_fortnight(store: DemoStore) -> None:
    for path in transcripts(store):
        times = [r["timestamp"] for r in records(path) if isinstance(r.get("timestamp"), int)]
        assert times == sorted(times)
        assert all(NOW - FORTNIGHT < at <= NOW for at in times)


def test_the_endings_that_matter_are_there(store: DemoStore) -> None:
    product = [p for p in transcripts(store) if p.is_relative_to(store.roots[0])]
    left_open = sorted(name for path in product for name in calls_without_result(path))
    assert left_open == ["AskUserQuestion", "Bash", "Edit"]
    tails = [path for path in product if not path.read_bytes().endswith(b"\n")]
    assert len(tails) == 1
    assert sum(path.parent.name == "subagents" for path in product) == 2
    assert max(sum(1 for _ in records(path)) for path in product) >= 5_000


def test_one_chain_of_evidence_has_a_gap(store: DemoStore) -> None:
    gaps = []
    for path in transcripts(store):
        numbers = [r["sequence"] for r in records(path) if "sequence" in r]
        gaps += [path.stem] if numbers != list(range(1, len(numbers) + 1)) else []
    assert gaps == ["夜间导出"]


def test_the_interrupted_edits_can_be_judged(store: DemoStore) -> None:
    parser = (store.folder / "code/parser/src/parser.py").read_text(encoding="utf-8")
    assert "lexer.advance()" in parser
    assert "lexer.next()" not in parser
    ledger = (store.folder / "code/ledger/ledger/balance.py").read_text(encoding="utf-8")
    assert "total = 0.0" in ledger


def test_the_same_folder_time_and_seed_give_the_same_bytes(tmp_path: Path) -> None:
    found = []
    for attempt in ("first", "again"):
        store = write_store(tmp_path / "store", NOW)
        found.append([(path.name, path.read_bytes()) for path in transcripts(store)])
        store.folder.rename(tmp_path / attempt)
    assert found[0] == found[1]


def test_agents_work_while_one_looks_and_leave_nothing() -> None:
    with demo_store() as store:
        assert store.folder.stat().st_mode & 0o077 == 0
        sizes = {path: path.stat().st_size for path in store.live.values()}
        wait_until(lambda: all(path.stat().st_size > sizes[path] for path in sizes))
        entries = [json.loads(p.read_text()) for p in store.roots[0].glob("sessions/*.json")]
        beating = [e for e in entries if e["hostname"] == platform.node() and e["pid"] < 2**22]
        assert {e["sessionId"] for e in beating} == {path.stem for path in sizes}
    assert not store.folder.exists()


def test_an_exception_leaves_nothing() -> None:
    with pytest.raises(RuntimeError, match="on purpose"), demo_store() as store:
        raise RuntimeError("on purpose")
    assert not store.folder.exists()


@pytest.mark.parametrize("deadly", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_killed_parent_leaves_nothing(deadly: signal.Signals) -> None:
    script = (
        "import time\n"
        "from sessions_tui.app.demo import demo_store\n"
        "with demo_store() as store:\n"
        "    print(store.folder, flush=True)\n"
        "    time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout
        place = Path(parent.stdout.readline().strip())
        assert place.is_dir()
        parent.send_signal(deadly)
    wait_until(lambda: not place.exists())


def test_only_a_demos_folder_is_ever_removed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a demo's folder"):
        folder.remove(tmp_path)
    assert tmp_path.is_dir()
