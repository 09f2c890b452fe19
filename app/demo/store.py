"""Creates the demo's session directories: who worked where, when, and how it ended."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal
from uuid import UUID

from ...storage.model.event import Event, Place
from .clock import StoryClock
from .codebuddy import ProductPen
from .envelope import EnvelopePen
from .mycodeagent import MyCodeAgentPen
from .registry import register
from .steps import Story
from .stories import chores, inventory, ledger, parser, shop, site, warehouse

HOUR = 3_600_000
LONG_TURNS = 400

Ending = Literal["whole", "torn", "gap"]


@dataclass(frozen=True, slots=True)
class DemoStore:
    """The paths of the demo; `live` are the transcripts that the agents continue."""

    folder: Path
    roots: tuple[Path, ...]
    cache_dir: Path
    data_dir: Path
    live: dict[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scene:
    """One session: a story with its workspace and its age in hours."""

    workspace: str
    story: Callable[[], Story]
    ago: float
    model: str = "hy3"
    ending: Ending = "whole"
    session: str = ""
    """For the older log format, whose sessions have names."""
    live: str = ""
    died: bool = False
    """Whether the agent's registry entry still exists."""
    touched: str = ""
    """The file that the interrupted edit did change."""


PRODUCT = (
    Scene("inventory-api", inventory.oversold, 0.02, live="inventory"),
    Scene("docs-site", site.guide, 0.03, "kimi-k3", live="site"),
    Scene("parser", parser.rename, 2.1, died=True, touched="src/parser.py"),
    Scene("shop", shop.database, 3.2, "glm-5"),
    Scene("docs-site", site.broken_build, 5.4, "kimi-k3"),
    Scene("warehouse", warehouse.slow_queries, 7.5),
    Scene("inventory-api", inventory.idempotent, 21.5),
    Scene("warehouse", warehouse.monthly_excel, 27.3, "glm-5", "torn"),
    Scene("shop", chores.SEARCH_BOX.story, 30.2, "glm-5"),
    Scene("shop", shop.cents, 46.8, "glm-5"),
    Scene("parser", chores.FLAKY.story, 52.4),
    Scene("inventory-api", inventory.timezones, 71.6),
    Scene("shop", shop.dark_mode, 77.1, "kimi-k3"),
    Scene("warehouse", chores.BACKUP.story, 98.5),
    Scene("inventory-api", inventory.tidy, 102.3),
    Scene("parser", parser.unary_minus, 118.2, "glm-5"),
    Scene("inventory-api", chores.DOCKER.story, 124.7),
    Scene("docs-site", chores.FEED.story, 147.3, "kimi-k3"),
    Scene("docs-site", site.structure, 170.9, "kimi-k3"),
    Scene("shop", chores.LOGGING.story, 166.0, "glm-5"),
    Scene("inventory-api", chores.LINT.story, 193.8),
    Scene("shop", shop.migration, 219.4, "glm-5", died=True),
    Scene("parser", chores.CHANGELOG.story, 262.9),
    Scene("shop", chores.HOLIDAYS.story, 310.5, "kimi-k3"),
)
ENVELOPE = (
    Scene("warehouse", warehouse.incident, 92.0, session="friday-evening"),
    Scene("warehouse", warehouse.nightly, 140.6, ending="gap", session="夜间导出"),
)
MYCODEAGENT = (
    Scene("ledger", ledger.decimals, 25.8),
    Scene("ledger", ledger.currencies, 101.4),
)
FILES = {
    "inventory-api": inventory.FILES,
    "parser": parser.FILES,
    "docs-site": site.FILES,
    "shop": shop.FILES,
    "warehouse": warehouse.FILES | warehouse.REPORT_FILES,
    "ledger": ledger.FILES,
}


def write_store(folder: Path, now: int, seed: int = 1) -> DemoStore:
    """Write all files into an empty folder; deterministic for the same folder, time and seed."""
    home, live = folder / "home" / ".workbuddy", {}
    (home / "sessions").mkdir(parents=True)
    _write_projects(folder, now)
    long = Scene("parser", lambda: parser.port(seed, LONG_TURNS), 84.0)
    for scene in (*PRODUCT, long):
        path = _write_product(folder, home, scene, now, seed)
        if scene.live:
            live[scene.live] = path
    for scene in ENVELOPE:
        _write_envelope(folder, home, scene, now)
    for scene in MYCODEAGENT:
        _write_mycodeagent(folder, scene, now, seed)
    roots = (home, folder / "code" / "ledger")
    return DemoStore(folder, roots, folder / "cache", folder / "data", live)


def _write_projects(folder: Path, now: int) -> None:
    """Write the files as the agents left them, last modified weeks ago."""
    for workspace, files in FILES.items():
        for name, text in files.items():
            path = folder / "code" / workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            _stamp(path, now - 400 * HOUR)


def _write_product(folder: Path, home: Path, scene: Scene, now: int, seed: int) -> Path:
    rng = random.Random(f"{seed} {scene.workspace} {scene.ago}")
    session = str(UUID(int=rng.getrandbits(128), version=4))
    clock, cwd = _clock(scene, now), str(folder / "code" / scene.workspace)
    pen = ProductPen(session, cwd, clock, rng, model=scene.model)
    lines = [line for step in scene.story() for line in pen.write(step)]
    if scene.ending == "torn":
        lines[-1] = lines[-1][: len(lines[-1]) * 2 // 3]
    path = home / "projects" / _slug(cwd) / f"{session}.jsonl"
    _write(path, b"".join(lines), clock.now)
    if scene.touched:
        _stamp(Path(cwd) / scene.touched, clock.now + 30)
    for name, data in pen.children.items():
        _write(path.with_suffix("") / "subagents" / f"{name}.jsonl", data, clock.now)
    if scene.died:
        pid = 2**22 + rng.randrange(10_000)  # larger than any pid on Linux and macOS
        started = now - round(scene.ago * HOUR)
        register(home / "sessions", pid, session, cwd, started, clock.now)
    return path


def _write_envelope(folder: Path, home: Path, scene: Scene, now: int) -> None:
    clock, cwd = _clock(scene, now), str(folder / "code" / scene.workspace)
    # This format records no directory, so only the folder's name shows it.
    path = home / "projects" / scene.workspace / f"{scene.session}.jsonl"
    lost: Event | None = None
    pen = EnvelopePen(path, cwd, clock)
    with pen.recorder:
        for number, step in enumerate(scene.story()):
            if scene.ending == "gap" and number == 4:
                lost = pen.lose()
            pen.write(step)
    if lost is not None:
        _cut_out(path, lost.place)
    _stamp(path, clock.now)


def _cut_out(path: Path, place: Place) -> None:
    """Remove one record, like a writer that fails and keeps counting."""
    data = path.read_bytes()
    path.write_bytes(data[: place.offset] + data[place.offset + place.size + 1 :])


def _write_mycodeagent(folder: Path, scene: Scene, now: int, seed: int) -> None:
    rng, clock = random.Random(f"{seed} {scene.ago}"), _clock(scene, now)
    session = f"s-{_local_time(clock.now)}-{rng.getrandbits(16):04x}"
    transcripts = folder / "code" / scene.workspace / "memory" / "transcripts"
    path = transcripts / f"transcript-{session}.jsonl"
    pen = MyCodeAgentPen(path, clock, rng)
    with pen.recorder:
        for step in scene.story():
            pen.write(step)
    _stamp(path, clock.now)


def _clock(scene: Scene, now: int) -> StoryClock:
    return StoryClock(now - round(scene.ago * HOUR))


def _local_time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000).strftime("%Y%m%d-%H%M%S")


def _slug(cwd: str) -> str:
    dashed = cwd.replace("/", "-").replace("\\", "-").replace(":", "-")
    return "-".join(part for part in dashed.split("-") if part)


def _write(path: Path, data: bytes, at: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    _stamp(path, at)


def _stamp(path: Path, milliseconds: int) -> None:
    os.utime(path, (milliseconds / 1000, milliseconds / 1000))
