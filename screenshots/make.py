"""Makes the pictures of the README: the made-up store at a fixed moment, alike on any machine.

`python -m screenshots.make` writes an SVG and a PNG for each scene into this directory.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

# Textual reads these once, at import.
os.environ |= {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_COLOR_SYSTEM": "truecolor", "TZ": "UTC"}
os.environ.pop("NO_COLOR", None)

import orjson
from textual.pilot import Pilot

from sessions_tui.app.browse.open_session import OpenSession
from sessions_tui.app.demo import DemoStore, write_store
from sessions_tui.app.demo.clock import StoryClock
from sessions_tui.app.demo.codebuddy import ProductPen
from sessions_tui.app.demo.stories import inventory
from sessions_tui.app.desk import Desk
from sessions_tui.storage.private.places import Config, Places
from sessions_tui.storage.stores.roots import find_roots
from sessions_tui.widgets.sessions.grouping import Item
from sessions_tui.widgets.sessions.list import SessionList

from .svg_grid import missing, on_grid, to_png

NOW = 1_778_508_131_000  # Monday 2026-05-11, 14:02:11 UTC
HOME = b"/home/mei"
"""Stands in the transcripts where the made-up store lies in a temporary folder."""

SHOWN = NOW + 60_000
"""When the pictures are taken: a little after the store was written."""

MEMORIES = (
    ("g", "The image stays under 700 MB", "A limit that the user set"),
    ("J", "The health check is part of done", "The user asked for it by himself"),
    ("G", "Build tools live in a stage of their own", "What made the image small"),
)
"""What is remembered in a picture: the key that leads to it, what, and why."""

STEPS = 9
"""So far the agent goes on in a picture."""

HERE = Path(__file__).parent
PATIENCE = 20.0
"""Seconds in which what is waited for has to come."""


@dataclass(frozen=True, slots=True)
class Shot:
    """The running program over the store that is photographed."""

    pilot: Pilot[Any]
    desk: Desk
    store: DemoStore

    async def until(self, true: Callable[[], bool], what: str) -> None:
        """Let the program go on until something is so."""
        deadline = time.monotonic() + PATIENCE
        while not true():
            if time.monotonic() > deadline:
                raise TimeoutError(f"it did not happen: {what}")
            await self.pilot.pause(0.02)

    @property
    def sessions(self) -> SessionList:
        """The list of sessions."""
        return self.desk.browse.query_one(SessionList)

    @property
    def reading(self) -> OpenSession:
        """The open session."""
        return self.desk.browse.query_one(OpenSession)

    def items(self) -> dict[int, Item]:
        """The sessions in the list, by their row."""
        rows = self.sessions.source
        entries = ((place, rows[place]) for place in range(len(rows)))
        return {place: entry for place, entry in entries if isinstance(entry, Item)}

    async def open(self, title: str) -> None:
        """Open the session of that title and wait for its last event."""
        items = self.items().items()
        self.sessions.select(next(at for at, item in items if item.session.title.startswith(title)))
        await self.pilot.press("enter")
        await self.until(lambda: len(self.reading.timeline.source) > 0, "it is open")
        await self.until(self.event_is_shown, "its last event is shown")

    def event_is_shown(self) -> bool:
        """Whether the panel shows the event under the cursor, where there is a panel."""
        event, row = self.reading.panes.event.event, self.reading.timeline.current
        hidden = not self.reading.panes.event.display or self.desk.browse.has_class("-narrow")
        return hidden or (event is not None and row is not None and event.offset == row.offset)

    async def settle(self) -> None:
        """Wait until nothing is read any more."""
        await self.until(self.is_whole, "every session is read")
        await self.until(lambda: "indexing" not in screen_text(self.desk), "all is read")

    def is_whole(self) -> bool:
        """Whether every session of the list was read to its end."""
        items = self.items().values()
        return bool(items) and all(item.session.events is not None for item in items)


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture: its size, its theme, and what is done before it is taken."""

    name: str
    size: tuple[int, int]
    act: Callable[[Shot], Awaitable[None]]
    theme: str = "textual-dark"
    on_disk: bool = False
    """Whether the transcripts name the projects where they really lie."""


async def at_work(shot: Shot) -> None:
    """A session at work, beside the list."""
    await shot.open("修复库存超卖")
    await grow(shot)


async def interrupted(shot: Shot) -> None:
    """The edit that nobody knows the end of, whole."""
    await shot.open("Rename Lexer.next")
    await shot.pilot.press("u", "enter")
    await shot.until(shot.event_is_shown, "the edit is shown")


async def remembered(shot: Shot) -> None:
    """What an interrupted session comes to."""
    await shot.open("Use Decimal for all amounts")
    await shot.pilot.press("right_square_bracket")
    await shot.until(lambda: "goal" in screen_text(shot.desk), "its memory is shown")


async def reviewed(shot: Shot) -> None:
    """What crashes left open, in all sessions."""
    await shot.pilot.press("f2")
    await shot.until(lambda: "to decide" in screen_text(shot.desk), "the cases are shown")
    await shot.until(lambda: "The call" in screen_text(shot.desk), "one is shown")


async def chosen(shot: Shot) -> None:
    """What is worth remembering, some of it approved."""
    await shot.open("Halve the image size")
    for key, summary, reason in MEMORIES:
        await shot.pilot.press(key, "m")
        await shot.until(lambda: "Remember" in screen_text(shot.desk), "it is asked why")
        await shot.pilot.press(*summary, "enter", *reason, "enter")
        await shot.until(lambda: shot.desk.screen is shot.desk.browse, "it is kept")
    await shot.pilot.press("f3")
    await shot.until(lambda: "3 proposed" in screen_text(shot.desk), "they are shown")
    await shot.pilot.press("a")
    await shot.until(lambda: "1 approved" in screen_text(shot.desk), "one is approved")


async def growing(shot: Shot) -> None:
    """A session that grew while its person read further up."""
    await shot.open("修复库存超卖")
    await shot.pilot.press("K")
    await grow(shot)


async def grow(shot: Shot) -> None:
    """Let the agent of the live session go on, to the middle of a call."""
    rows = len(shot.reading.timeline.source)
    with shot.store.live["inventory"].open("ab") as transcript:
        transcript.write(continuing(shot.store))
    await shot.until(lambda: len(shot.reading.timeline.source) > rows, "it grows")
    await shot.until(lambda: "● working" in screen_text(shot.desk), "it works")
    await shot.until(shot.event_is_shown, "the event is shown")


async def searched(shot: Shot) -> None:
    """What was said of a word, in all sessions, while it is typed."""
    await shot.pilot.press("f4", *"test")
    await shot.until(lambda: "newest" in screen_text(shot.desk), "there are hits")


async def used(shot: Shot) -> None:
    """What was used in the last thirty days."""
    await shot.pilot.press("f5")
    await shot.until(lambda: "Bash" in screen_text(shot.desk), "it is counted")


async def delegated(shot: Shot) -> None:
    """A session with its sub-agents below it, and one of them open."""
    await shot.open("Find the slow queries")
    await shot.pilot.press("escape", "o")
    await shot.until(lambda: "▾" in screen_text(shot.desk), "they are shown")
    await shot.pilot.press("down", "enter")
    await shot.until(lambda: "›" in screen_text(shot.desk), "one is open")
    await shot.until(shot.event_is_shown, "its last event is shown")


async def listed(shot: Shot) -> None:
    """The list alone."""


SCENES = (
    Scene("wide-dark", (140, 40), at_work),
    Scene("wide-light", (140, 40), at_work, "textual-light"),
    Scene("growing", (140, 40), growing),
    Scene("memory", (140, 40), remembered),
    Scene("review", (140, 40), reviewed, on_disk=True),
    Scene("candidates", (140, 40), chosen),
    Scene("search", (140, 40), searched),
    Scene("usage", (140, 40), used),
    Scene("family", (140, 40), delegated),
    Scene("diff", (100, 30), interrupted),
    Scene("narrow", (80, 24), listed),
)


def continuing(store: DemoStore) -> bytes:
    """The next lines of the live session, as its agent would write them; the last is a call."""
    path = store.live["inventory"]
    records = map(orjson.loads, path.read_bytes().splitlines())
    last = [record for record in records if "id" in record and "snapshot" not in record][-1]
    clock = StoryClock(NOW + 5_000)
    pen = ProductPen(path.stem, last["cwd"], clock, random.Random(1), tip=last["id"])
    lines = [line for step in islice(inventory.more_work(), STEPS) for line in pen.write(step)]
    while orjson.loads(lines[-1])["type"] != "function_call":
        lines.pop()
    return b"".join(lines)


def screen_text(desk: Desk) -> str:
    """What the screen shows, as plain text."""
    strips = desk.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def made_up(folder: Path) -> DemoStore:
    """The store, with paths that are the same everywhere."""
    store = write_store(folder, NOW)
    for root in store.roots:
        for path in sorted(root.rglob("*.json*")):
            stat = path.stat()
            path.write_bytes(path.read_bytes().replace(os.fsencode(folder), HOME))
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return store


async def picture(scene: Scene) -> str:
    """The SVG of a scene."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve() / "store"
        store = write_store(folder, NOW) if scene.on_disk else made_up(folder)
        places = Places(store.cache_dir, store.data_dir, store.folder / "config.toml")
        roots = find_roots(store.roots, {}, Path.cwd(), Path.home())
        desk = Desk(roots, places, Config(theme=scene.theme), clock=lambda: SHOWN / 1000)
        async with desk.run_test(size=scene.size, notifications=False) as pilot:
            shot = Shot(pilot, desk, store)
            await shot.settle()
            await scene.act(shot)
            await shot.settle()
            await pilot.pause()
            return on_grid(desk.export_screenshot(title="sessions", simplify=True))


def main() -> int:
    """Make all pictures, or those named; the exit code."""
    time.tzset()
    if packages := missing():
        print(f"The PNGs need {' and '.join(packages)}; only the SVGs are made.", file=sys.stderr)
    wanted = [scene for scene in SCENES if scene.name in sys.argv[1:] or len(sys.argv) == 1]
    for scene in wanted:
        svg = HERE / f"{scene.name}.svg"
        svg.write_text(asyncio.run(picture(scene)), encoding="utf-8")
        if not packages:
            to_png(svg, svg.with_suffix(".png"))
        print(f"{svg.relative_to(HERE.parent)}")
    return 1 if packages else 0


if __name__ == "__main__":
    sys.exit(main())
