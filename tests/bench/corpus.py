"""The stores that are measured: made once from a seed, kept outside the project, used again.

A store is used again only if it is complete and of the size it was made with, so that a run which
was ended while it appended to a session leaves nothing wrong behind.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.agents.steps import Prose, Step, steps
from tests.agents.writers import WRITERS, Writer

SEED = 9
START = 1_760_000_000_000
"""Milliseconds since 1970 at which the first session begins."""
APART = 3_600_000
"""Milliseconds between the beginnings of two sessions."""
PROJECTS = 12
MADE = "made.json"
PLANTED, PLANTED_CHINESE = "pelican", "锦鲤"
"""Words that nothing else in a store holds. The one is of common letters, a part of the other's
bytes is common too: a search is not to be lucky."""
PLANTS = 3
"""Sessions of a store that hold them, once each; the oldest is one of them."""
SOURCES = (Path(__file__), *sorted((Path(__file__).parents[1] / "agents").rglob("*.py")))
"""The code that makes stores."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a store is to hold; each session gets its share of the bytes, or so many records."""

    name: str
    dialect: str
    sessions: int
    size: int = 0
    records: int = 0
    """Records of each session instead of a size; they are short."""

    @property
    def about(self) -> str:
        """Its size for the table."""
        if self.records and self.sessions > 1:
            return f"{self.sessions:,} short sessions"
        if self.records:
            return f"{self.records:,} records"
        size = f"{self.size // 1_000_000:,} MB"
        return size if self.sessions == 1 else f"{self.sessions} sessions, {size}"

    @property
    def plants(self) -> range:
        """The numbers of the sessions that hold the planted words."""
        return range(0, self.sessions, -(-self.sessions // PLANTS))


@dataclass(frozen=True, slots=True)
class Made:
    """One session of a store."""

    path: Path
    title: str
    end: str
    """What its last answer begins with."""
    records: int
    size: int


@dataclass(frozen=True, slots=True)
class Store:
    """A store on disk; sessions in the order of their ends."""

    plan: Plan
    home: Path
    sessions: tuple[Made, ...]

    @property
    def size(self) -> int:
        """Bytes of all transcripts."""
        return sum(session.size for session in self.sessions)


def stores_folder() -> Path:
    """Where stores are kept unless another place is named."""
    return Path(tempfile.gettempdir()) / f"sessions-bench-{getpass.getuser()}"


def store(plan: Plan, folder: Path) -> Store:
    """The store of a plan, made where it is not there whole."""
    slug = f"{plan.name}-{plan.sessions}-{plan.size or plan.records}"
    place = folder / f"{slug}-{_digest(plan)}"
    found = _load(plan, place)
    if found is not None:
        return found
    for old in folder.glob(f"{slug}-*"):
        shutil.rmtree(old)
    print(f"making {plan.name}: {plan.about}", file=sys.stderr, flush=True)
    made = tuple(_make(plan, place / "home"))
    (place / MADE).write_text(json.dumps([asdict(one) for one in made], default=str))
    return Store(plan, place / "home", made)


def session_of(path: Path) -> str:
    """The session id that a file's name carries."""
    return path.stem.removeprefix("transcript-")


def _digest(plan: Plan) -> str:
    """Changes with the plan and with the code that carries it out."""
    code = b"".join(path.read_bytes() for path in SOURCES)
    return hashlib.blake2b(repr(plan).encode() + code, digest_size=6).hexdigest()


def _load(plan: Plan, place: Path) -> Store | None:
    try:
        listed = json.loads((place / MADE).read_text())
        made = tuple(Made(**{**one, "path": Path(one["path"])}) for one in listed)
        if any(one.path.stat().st_size != one.size for one in made):
            return None
    except (OSError, ValueError, TypeError):
        return None
    return Store(plan, place / "home", made)


def _make(plan: Plan, home: Path) -> Iterator[Made]:
    rng = random.Random(SEED)
    prose = Prose(rng, terse=bool(plan.records))
    shares = [rng.paretovariate(1.2) for _ in range(plan.sessions)]
    for number, share in enumerate(shares):
        path = _path(plan.dialect, home, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        start = START + number * APART
        cwd = f"/home/dev/project-{number % PROJECTS:02d}"
        writer = WRITERS[plan.dialect](rng, session_of(path), cwd, start)
        yield _write(path, writer, prose, number, plan, int(plan.size * share / sum(shares)))


def _write(path: Path, writer: Writer, prose: Prose, number: int, plan: Plan, size: int) -> Made:
    title, end = f"Task {number:04d}", f"End of task {number:04d}"
    planted = f" The {PLANTED}: 请把{PLANTED_CHINESE}移到下一页。" if number in plan.plants else ""
    records = written = 0
    with path.open("wb") as file:
        for step in steps(prose, title):
            over = step.final and written >= size and records >= plan.records - 1
            if over:
                step = Step("answer", f"{end}.{planted} {step.text}", final=True)
            lines = writer.lines(step)
            written += file.write(lines)
            records += lines.count(b"\n")
            if over:
                break
    os.utime(path, (writer.now / 1000, writer.now / 1000))
    return Made(path, title, end, records, written)


def _path(dialect: str, home: Path, number: int) -> Path:
    project = f"project-{number % PROJECTS:02d}"
    if dialect == "mycodeagent":
        name = f"transcript-s-20261001-{number:06d}-abcd.jsonl"
        return home / project / "memory" / "transcripts" / name
    return home / "projects" / f"home-dev-{project}" / f"session-{number:06d}.jsonl"
