"""Keys that are typed faster than a screen opens: they reach it, as slow ones do.

Textual gives a key to whatever has the focus when it arrives. What comes in one packet with the key
that opens a screen, as from a script or over a slow connection, went to the screen before.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input

PATIENCE = 2.0
"""Seconds after which a key is taken to open nothing more."""

GLANCE = 0.005
"""Seconds between looks whether a screen has opened."""


class Typeahead:
    """Gives an app one key after another."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._held: deque[events.Key | events.Paste] = deque()
        self._given: events.Event | None = None
        self._task: asyncio.Task[None] | None = None
        self._awaited = False

    def holds(self, event: events.Event) -> bool:
        """Whether an event is kept back until what came before it has had its effect."""
        if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            return False
        if self._app._exit or not self._app.screen_stack:
            return True  # for good: nothing is there to take it
        if event is self._given:
            self._given = None
            return False
        if self._task is not None:
            self._held.append(event)
            return True
        if not self._is_mere_text(event):
            self._task = asyncio.create_task(self._give_in_turn())
        return False

    def await_screen(self) -> None:
        """A screen is about to open, as soon as something else is known."""
        self._awaited = True

    def screen_came(self) -> None:
        """It opens now, or there is none."""
        self._awaited = False

    def end(self) -> None:
        """Give no more keys."""
        if self._task is not None:
            self._task.cancel()

    def _is_mere_text(self, event: events.Key | events.Paste) -> bool:
        """Whether it can only be written into the box that has the focus."""
        is_text = isinstance(event, events.Paste) or event.is_printable
        return is_text and isinstance(self._app.focused, Input)

    async def _give_in_turn(self) -> None:
        try:
            await self._effect()
            while self._held:
                event = self._held.popleft()
                is_text = self._is_mere_text(event)
                self._given = event
                self._app.post_message(event)
                if not is_text:
                    await self._effect()
                else:
                    await self._passed(self._app)
        finally:
            self._task = None
            self._given = None
            self._held.clear()

    async def _effect(self) -> None:
        """Wait until the last key has had its effect, a screen that it opens included."""
        before, workers = self._app.screen_stack[:], set(self._app.workers)
        try:
            async with asyncio.timeout(PATIENCE):
                await self._bubbled()
                while self._is_opening(before, set(self._app.workers) - workers):
                    await asyncio.sleep(GLANCE)
                await self._ready(self._app.screen)
        except TimeoutError:
            self._awaited = False

    def _is_opening(self, before: list[Screen[Any]], workers: set[Any]) -> bool:
        if self._app.screen_stack != before:
            return False
        return self._awaited or any(not worker.is_finished for worker in workers)

    async def _bubbled(self) -> None:
        """Wait until all that might take a key has seen it, from the focus up to the app."""
        await self._passed(self._app)  # it gives the key to what has the focus
        node: DOMNode | None = self._app.focused or self._app.screen
        while node is not None:
            await self._passed(node)
            node = node.parent if isinstance(node.parent, DOMNode) else None
        await self._passed(self._app)

    async def _ready(self, screen: Screen[Any]) -> None:
        """Wait until a screen is laid out and has given the focus to something."""
        while not screen.is_running:
            await asyncio.sleep(GLANCE)
        await self._passed(screen)
        await _called(screen.call_after_refresh)
        await self._passed(screen)
        if screen.focused is not None:
            await self._passed(screen.focused)

    async def _passed(self, pump: MessagePump) -> None:
        """Wait until all that something has been told by now was heard."""
        if pump.is_running:
            await _called(pump.call_later)


async def _called(call: Callable[[Callable[[], None]], object]) -> None:
    done = asyncio.Event()
    if call(done.set) is not False:
        await done.wait()
