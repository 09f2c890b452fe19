"""What lies over a place and has the keys: the line at the foot is of these alone."""

from __future__ import annotations

from typing import TypeVar

from textual.screen import ModalScreen

from ...widgets.base.key_bar import KeyBar

R = TypeVar("R")


class Overlay(ModalScreen[R]):
    """A screen over another one."""

    DEFAULT_CSS = """
    Overlay {
        layers: default foot;
        & > KeyBar { layer: foot; }
        &.-low > KeyBar { display: none; }
    }
    """

    def on_mount(self) -> None:
        """Hide the line of keys below, which do nothing now."""
        self.mount(KeyBar())
