"""Textual's terminal driver, made robust for real-world terminals."""

from __future__ import annotations

import os
import selectors
import signal
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import Any, TextIO

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.message import Message

from .cell_positions import positioned

AT_ONCE = 4096
"""Bytes read at a time."""

LARGEST = 2_000
"""Maximum plausible number of columns or lines."""

PAUSE = 0.1
"""Seconds without input after which an incomplete escape sequence ends."""


class Keys:
    """Parses keys, pastes and mouse events from a terminal's input, whatever it contains.

    A terminal may use another encoding, or send unparsable data: neither ends the program, and
    later input is parsed normally.
    """

    def __init__(self, parser: XTermParser) -> None:
        self._parser = parser
        self._size: Resize | None = None
        """The last size reported by the terminal."""
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def read(self, data: bytes) -> Iterator[Message]:
        """Yield the messages that these bytes complete."""
        text = self._decode(data)
        # Character by character where a sequence may be bad, so that later input is not lost with
        # it.
        for piece in text if "\x1b" in text or not self._is_between else [text] if text else []:
            yield from self._fed(piece)

    def tick(self) -> Iterator[Message]:
        """Yield the messages that are complete because nothing follows."""
        try:
            yield from self._parser.tick()
        except Exception:
            self._begin_again()

    @property
    def _is_between(self) -> bool:
        """Whether no sequence has begun."""
        return self._parser._awaiting.timeout is None

    def _fed(self, piece: str) -> Iterator[Message]:
        try:
            for message in self._parser.feed(piece):
                if isinstance(message, Resize) and not _is_size(message):
                    self._begin_again()
                    return
                if isinstance(message, Resize):
                    self._size = message
                yield message
        except Exception:  # invalid numbers, or too large for a character
            self._begin_again()

    def _begin_again(self) -> None:
        before, self._parser = self._parser, XTermParser()
        self._parser.mouse_pixels = before.mouse_pixels
        if self._size is not None:
            self._parser.terminal_size = self._size.size
            self._parser.terminal_pixel_size = self._size.pixel_size


def _is_size(message: Resize) -> bool:
    """Return whether a terminal can have this size."""
    pixels = message.pixel_size or message.size
    sides = (*message.size, *pixels)
    return all(side > 0 for side in sides) and all(side <= LARGEST for side in message.size)


class TerminalDriver(LinuxDriver):
    """Textual's driver, extended for other encodings, character widths and lost terminals."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._file = _screen()  # type: ignore[assignment]

    def write(self, data: str) -> None:
        """Write to the terminal."""
        super().write(positioned(data))

    def run_input_thread(self) -> None:
        """Read input and pass it to the app, until the terminal is released or lost."""
        keys = Keys(XTermParser())
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(PAUSE):
                    try:
                        data = os.read(self.fileno, AT_ONCE)
                    except InterruptedError:
                        continue
                    except OSError:
                        data = b""
                    if not data:
                        self._lose_terminal()
                        return
                    for message in keys.read(data):
                        self.process_message(message)
                for message in keys.tick():
                    self.process_message(message)

    def _get_terminal_size(self) -> tuple[int, int]:
        width, height = super()._get_terminal_size()
        return min(width, LARGEST), min(height, LARGEST)

    @classmethod
    def _patch_lflag(cls, attrs: int) -> int:
        return super()._patch_lflag(attrs) & ~termios.ISIG  # whatever TEXTUAL_ALLOW_SIGNALS is

    def _lose_terminal(self) -> None:
        """Exit as on a hang-up: the terminal is gone."""
        code = 128 + signal.SIGHUP
        self._loop.call_soon_threadsafe(lambda: self._app.exit(return_code=code))


def _screen() -> TextIO:
    """Return where to draw: standard error, which may be a separate stream, if it is a terminal."""
    for stream in (sys.__stderr__, sys.__stdout__):
        if stream is not None and stream.isatty():
            return stream
    raise RuntimeError("there is no terminal")
