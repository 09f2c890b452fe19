"""The base of dialogs and of the help, which lie over another screen."""

from __future__ import annotations

from typing import TypeVar

from textual.screen import ModalScreen

from ...widgets.base.key_bar import KeyBar

R = TypeVar("R")


class Overlay(ModalScreen[R]):
    """A modal screen with a key bar of its own."""

    DEFAULT_CSS = """
    Overlay {
        layers: default foot;
        & > KeyBar { layer: foot; }
        &.-low > KeyBar { display: none; }
    }
    """

    def on_mount(self) -> None:
        """Mount a key bar over that of the screen below, whose keys do not work now."""
        self.mount(KeyBar())
