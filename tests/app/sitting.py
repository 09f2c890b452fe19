"""What tests of the screen share: a home of their own, agents that write there, a person.

Everything is real: files, feed, watcher, screen. What comes by itself is waited for, never slept
for.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sessions_tui.app.browse.open_session import OpenSession
from sessions_tui.app.demo.clock import StoryClock
from sessions_tui.app.demo.codebuddy import ProductPen
from sessions_tui.app.demo.steps import Step
from sessions_tui.app.desk import Desk
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.private.places import Config, Places
from sessions_tui.storage.stores.roots import Roots, find_roots
from sessions_tui.widgets.sessions.grouping import Header, Item
from sessions_tui.widgets.sessions.list import SessionList
from sessions_tui.widgets.timeline.event_panel import EventPanel
from sessions_tui.widgets.timeline.timeline import Timeline

NOW = 1_778_508_131_000  # Monday 2026-05-11, 14:02:11 UTC
PATIENCE = 60.0
"""Seconds in which what is waited for has to come; it usually takes a hundredth of one."""


class Agent:
    """Writes one transcript, from so many minutes ago on."""

    def __init__(self, path: Path, minutes: float, cwd: str, now: int = NOW) -> None:
        self.path = path
        clock = StoryClock(now - round(minutes * 60_000))
        self._pen = ProductPen(path.stem, cwd, clock, random.Random(path.stem))

    def does(self, *steps: Step) -> Agent:
        """Append all that these steps leave."""
        return self.writes(line for step in steps for line in self.lines(step))

    def lines(self, step: Step) -> list[bytes]:
        """The lines of a step, not written yet."""
        return list(self._pen.write(step))

    def writes(self, lines: Iterable[bytes]) -> Agent:
        """Append lines."""
        with self.path.open("ab") as file:
            file.write(b"".join(lines))
        return self


class Home:
    """A home as WorkBuddy has it, and directories for the program's own files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / ".workbuddy"
        self.places = Places(folder / "cache", folder / "data", folder / "config.toml")
        (self.root / "projects").mkdir(parents=True)

    def path(self, name: str, workspace: str = "shop") -> Path:
        """Where the transcript of a session lies."""
        return self.root / "projects" / f"src-{workspace}" / f"{name}.jsonl"

    def agent(
        self, name: str, minutes: float = 10, workspace: str = "shop", now: int = NOW
    ) -> Agent:
        """An agent that begins a session."""
        path = self.path(name, workspace)
        path.parent.mkdir(exist_ok=True)
        path.touch()
        return Agent(path, minutes, f"/src/{workspace}", now)

    def roots(self, *more: Path) -> Roots:
        """The store as a root, and others."""
        return find_roots([self.root, *more], {}, self.folder, self.folder)


class Person:
    """Somebody at the screen."""

    def __init__(self, desk: Desk, pilot: Pilot[Any]) -> None:
        self.desk = desk
        self.pilot = pilot

    @property
    def sessions(self) -> SessionList:
        """The list of sessions."""
        return self.desk.browse.query_one(SessionList)

    @property
    def reading(self) -> OpenSession:
        """The open session."""
        return self.desk.browse.query_one(OpenSession)

    @property
    def timeline(self) -> Timeline:
        """Its events."""
        return self.reading.timeline

    @property
    def panel(self) -> EventPanel:
        """The event under the cursor."""
        return self.reading.panes.event

    def entries(self) -> list[str]:
        """The list from the top: headings as they are, sessions by name behind two spaces."""
        rows = [self.sessions.source[row] for row in range(len(self.sessions.source))]
        return [
            row.title if isinstance(row, Header) else f"  {row.session.session}" for row in rows
        ]

    def all(self) -> list[Session]:
        """The sessions in the list, from the top."""
        rows = [self.sessions.source[row] for row in range(len(self.sessions.source))]
        return [row.session for row in rows if isinstance(row, Item)]

    def __getitem__(self, name: str) -> Session:
        """A session that is in the list."""
        return next(session for session in self.all() if session.session == name)

    def session(self, name: str) -> Session | None:
        """A session in the list."""
        item = self.item(name)
        return item.session if item else None

    def item(self, name: str) -> Item | None:
        """Its entry in the list."""
        rows = [self.sessions.source[row] for row in range(len(self.sessions.source))]
        items = [row for row in rows if isinstance(row, Item)]
        return next((item for item in items if item.session.session == name), None)

    def texts(self) -> list[str]:
        """The texts of all rows of the timeline."""
        return [self.timeline.source[row].text for row in range(len(self.timeline.source))]

    def here(self) -> str:
        """The text of the row under the cursor."""
        row = self.timeline.current
        return row.text if row else ""

    def lines(self) -> list[str]:
        """The screen, line by line."""
        strips = self.desk.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip) for strip in strips]

    def sees(self, *words: str) -> bool:
        """Whether the screen shows all of the words."""
        screen = "\n".join(self.lines())
        return all(word in screen for word in words)

    async def until(self, true: Callable[[], bool]) -> None:
        """Let the program go on until something is so."""
        deadline, pause = time.monotonic() + PATIENCE, 0.01
        while not true():
            if time.monotonic() > deadline:
                screen = "\n".join(line.rstrip() for line in self.lines())
                pytest.fail(f"it did not come to this; the screen shows\n{screen}")
            await self.pilot.pause(pause)
            pause = min(pause * 1.2, 0.1)  # looking at the screen costs as much as drawing it

    async def until_at(self, text: str) -> None:
        """Let the program go on until the cursor stands on a row of that text."""
        await self.until(lambda: self.here() == text)

    async def until_sees(self, *words: str) -> None:
        """Let the program go on until the screen shows all of the words."""
        await self.until(lambda: self.sees(*words))

    async def until_listed(self, name: str, events: int, integrity: str = "ok") -> None:
        """Let the program go on until the list tells so many events of a session."""
        told = (events, integrity)
        await self.until(lambda: (self[name].events, self[name].integrity.state) == told)

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)

    async def types(self, text: str) -> None:
        """Type a text."""
        await self.pilot.press(*text)

    async def opens(self, name: str) -> None:
        """Go to a session in the list and open it."""
        await self.until(lambda: self._selects(name))
        await self.press("enter")
        path = self.sessions.session.path if self.sessions.session else None
        await self.until(lambda: self.reading.path == path and len(self.timeline.source) > 0)
        assert self.reading.path is not None
        assert name in self.reading.path.name

    def _selects(self, name: str) -> bool:
        """Put the cursor of the list on a session; whether it stands there."""
        session = self.sessions.session
        if session is not None and session.session == name:
            return True
        for row in range(len(self.sessions.source)):
            entry = self.sessions.source[row]
            if isinstance(entry, Item) and entry.session.session == name:
                self.sessions.select(row)
        return False


Sit = Callable[..., AbstractAsyncContextManager[Person]]


@pytest.fixture
def home(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A home of the user's own without any session, in a place that knows no time zones."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield Home(own_home)
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def sit(home: Home) -> Sit:
    """Sit down at the program; it has to end quickly and whole when one gets up."""

    @asynccontextmanager
    async def down(
        size: tuple[int, int] = (140, 40),
        *,
        roots: Roots | None = None,
        opened: Path | None = None,
        config: Config | None = None,
        now: int | Callable[[], float] = NOW,
    ) -> AsyncIterator[Person]:
        """`now` is a moment in milliseconds, or a clock that tells seconds."""
        desk = Desk(
            roots or home.roots(),
            home.places,
            config or Config(),
            opened=opened,
            clock=now if callable(now) else lambda: now / 1000,
        )
        async with desk.run_test(size=size, notifications=True) as pilot:
            yield Person(desk, pilot)
        assert not desk.feed.is_alive()
        assert desk.return_code in (0, None)

    return down


@pytest.fixture
def threads() -> Callable[[], set[str]]:
    """Names of the program's threads."""

    def named() -> set[str]:
        return {thread.name for thread in threading.enumerate()} & {"feed", "watcher"}

    return named
