"""The Textual application: settings, the feed behind the screen, and what concerns the terminal."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import App, SuspendNotSupported, SystemCommand
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen

from ..storage.places import Config, Places
from ..storage.roots import Roots, is_file
from .browse import BrowseScreen
from .feed import Feed

DARK = "textual-dark"

PALETTE = Size(24, 10)
"""The least that the palette can be shown in."""


class Desk(App[bool]):
    """The desk over some roots. `opened` is the transcript to begin with, if any.

    Its result is whether the person asked for the demo, where there was nothing else to see.
    """

    TITLE = "sessions"
    CSS_PATH = "desk.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012 (typed by Textual)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "question_mark",
            "help",
            "Help",
            key_display="?",
            tooltip="What can be done here, and with which keys",
            id="desk.help",
        ),
        Binding(
            "ctrl+q",
            "quit",
            "Quit",
            show=False,
            tooltip="Leave sessions",
            priority=True,  # from dialogs too
            id="desk.quit",
        ),
    ]

    def __init__(
        self,
        roots: Roots,
        places: Places,
        config: Config,
        *,
        opened: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._config = config
        self._clock = clock
        looked = [str(path) for path in roots.looked]
        self.browse = BrowseScreen(self.now, looked, opened)
        self.feed = Feed(roots, places, config.review_days, self._tell, self.now)
        self.browse.attend(self.feed)

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int(self._clock() * 1000)

    def _tell(self, message: Message) -> None:
        """Give the screen a message of the feed."""
        with suppress(RuntimeError):  # so is said that the screen, or its loop, is gone already
            self.browse.post_message(message)

    def on_mount(self) -> None:
        """Show the screen; it begins the reading when it can hear of it."""
        self.theme = self._config.theme if self._config.theme in self.available_themes else DARK
        self.set_keymap(dict(self._config.keymap))
        self._leave_on_signals()
        self.push_screen(self.browse)

    def _leave_on_signals(self) -> None:
        """Leave the terminal as it was, and nothing unsaved, also when told to end from outside."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
            with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, partial(self.exit, return_code=128 + number))

    def action_command_palette(self) -> None:
        """Show the palette where there is room for it."""
        if self.size.width >= PALETTE.width and self.size.height >= PALETTE.height:
            super().action_command_palette()

    def on_unmount(self) -> None:
        """End the reading, keeping what was read."""
        self.feed.stop()
        if self.feed.is_alive():
            self.feed.join(timeout=2)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: what the screen can do, and what concerns the whole program."""
        seen: set[str] = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            is_motion = (binding.id or "").startswith("rows.")
            if active.enabled and binding.tooltip and not is_motion and binding.action not in seen:
                seen.add(binding.action)
                run = partial(self.run_action, binding.action, active.node)
                yield SystemCommand(binding.description, binding.tooltip, run)
        yield SystemCommand("Theme", "Choose colours", self.action_change_theme)

    def action_help(self) -> None:
        """Show what one can do here; the help closes itself."""
        from .help import HelpScreen, help_of

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(help_of(self.screen)))

    def edit(self, path: Path) -> str:
        """Open a file in the person's editor; "" or why that was not possible."""
        try:
            words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
        except ValueError as error:
            return f"$EDITOR cannot be understood: {error}"
        if not words or shutil.which(words[0]) is None:
            return f"there is no editor {words[0] if words else ''!r}; set $EDITOR"
        if not is_file(path):
            return "there is no such file on this machine"
        try:
            with self.suspend():
                return self._run([*words, str(path)])
        except SuspendNotSupported:
            return "this terminal cannot be left"

    def _run(self, command: list[str]) -> str:
        """Run a command to its end. Never raises: inside `suspend` that would end the screen."""
        try:
            subprocess.run(command, check=False)
        except OSError as error:
            return str(error)
        return ""
