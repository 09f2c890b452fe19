"""Keys that are typed faster than a screen opens: they reach it, as slow ones do.

Textual gives a key to whatever has the focus when it arrives. What comes in one packet with the key
that opens a screen, as from a script or over a slow connection, went to the screen before.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input

PATIENCE = 5.0
"""Seconds after which a key is taken to open nothing more."""

LONGEST = 15.0
"""Seconds after which the next key is given whatever the last one does."""

GLANCE = 0.005
"""Seconds between looks whether a screen has opened, or something is gone."""

PASSES = 3
"""How often a screen that opens is waited for: what it is told makes it tell others."""


class Typeahead:
    """Gives an app one key after another."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._held: deque[events.Key | events.Paste] = deque()
        self._given: list[events.Event] = []
        """What was handed on, and has not come back from the app's queue yet."""
        self._task: asyncio.Task[None] | None = None
        self._awaited = False

    def holds(self, event: events.Event) -> bool:
        """Whether an event is kept back until what came before it has had its effect."""
        if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            return False
        if self._app._exit or not self._app.screen_stack:
            return True  # for good: nothing is there to take it
        if any(event is given for given in self._given):
            self._given = [given for given in self._given if given is not event]
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
                self._given.append(event)
                self._app.post_message(event)
                if not is_text:
                    await self._effect()
                else:
                    await self._passed(self._app)
        finally:
            self._task = None
            self._held.clear()

    async def _effect(self) -> None:
        """Wait until the last key has had its effect, a screen that it opens included."""
        before, workers = self._app.screen_stack[:], set(self._app.workers)
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                await self._bubbled()
                await self._opened(before, workers)
                await self._ready(self._app.screen)

    async def _opened(self, before: list[Screen[Any]], workers: set[Any]) -> None:
        """Wait for a screen that is still to come."""
        try:
            async with asyncio.timeout(PATIENCE):
                while self._is_opening(before, set(self._app.workers) - workers):
                    await asyncio.sleep(GLANCE)
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
        """Wait until a screen has given the focus to something."""
        while not screen.is_running:
            await asyncio.sleep(GLANCE)
        for _ in range(PASSES):
            await self._passed(screen)
            if screen.focused is not None:
                await self._passed(screen.focused)

    async def _passed(self, pump: MessagePump) -> None:
        """Wait until all that something has been told by now was heard, or it is gone."""
        heard = asyncio.Event()
        if not pump.is_running or pump.call_later(heard.set) is False:
            return
        while not (heard.is_set() or pump._closing or pump._closed):
            with suppress(TimeoutError):
                async with asyncio.timeout(GLANCE):
                    await heard.wait()
