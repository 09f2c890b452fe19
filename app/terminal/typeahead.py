"""Delivers keys typed faster than a screen opens to that screen, like slow ones.

Textual gives a key to whatever has the focus when it arrives. Keys arriving in one packet with the
key that opens a screen, as from a script or over a slow connection, would go to the previous
screen.
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
"""Seconds after which a key is assumed to open nothing."""

LONGEST = 15.0
"""Seconds after which the next key is delivered whatever the last one does."""

GLANCE = 0.005
"""Seconds between checks whether a screen has opened, or a widget is gone."""

PASSES = 3
"""How many rounds of messages to wait for in a new screen: messages cause further ones."""


class Typeahead:
    """Delivers keys to an app one at a time."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._held: deque[events.Key | events.Paste] = deque()
        self._given: list[events.Event] = []
        """Events that were posted and have not come back from the app's queue yet."""
        self._task: asyncio.Task[None] | None = None
        self._awaited = False

    def holds(self, event: events.Event) -> bool:
        """Return whether an event is held back until earlier ones have taken effect."""
        if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            return False
        if self._app._exit or not self._app.screen_stack:
            return True  # for good: nothing is left to receive it
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
        """Announce that a screen will open once some data is available."""
        self._awaited = True

    def screen_came(self) -> None:
        """Announce that it opens now, or not at all."""
        self._awaited = False

    def end(self) -> None:
        """Stop delivering keys."""
        if self._task is not None:
            self._task.cancel()

    def _is_mere_text(self, event: events.Key | events.Paste) -> bool:
        """Return whether an event can only insert text into the focused box."""
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
        """Wait until the last key has taken effect, including a screen that it opens."""
        before, workers = self._app.screen_stack[:], set(self._app.workers)
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                await self._bubbled()
                await self._opened(before, workers)
                await self._ready(self._app.screen)

    async def _opened(self, before: list[Screen[Any]], workers: set[Any]) -> None:
        """Wait for a screen that is yet to open."""
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
        """Wait until everything from the focus up to the app has had the chance to handle a key."""
        await self._passed(self._app)  # the app passes the key to the focused widget
        node: DOMNode | None = self._app.focused or self._app.screen
        while node is not None:
            await self._passed(node)
            node = node.parent if isinstance(node.parent, DOMNode) else None
        await self._passed(self._app)

    async def _ready(self, screen: Screen[Any]) -> None:
        """Wait until a screen has focused a widget."""
        while not screen.is_running:
            await asyncio.sleep(GLANCE)
        for _ in range(PASSES):
            await self._passed(screen)
            if screen.focused is not None:
                await self._passed(screen.focused)

    async def _passed(self, pump: MessagePump) -> None:
        """Wait until a message pump has handled all messages so far, or is gone."""
        heard = asyncio.Event()
        if not pump.is_running or pump.call_later(heard.set) is False:
            return
        while not (heard.is_set() or pump._closing or pump._closed):
            with suppress(TimeoutError):
                async with asyncio.timeout(GLANCE):
                    await heard.wait()
