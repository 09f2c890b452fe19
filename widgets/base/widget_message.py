"""Messages with their sender, which a selector in `on` is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from textual.message import Message
from textual.widget import Widget

W = TypeVar("W", bound=Widget)


@dataclass
class WidgetMessage(Message, Generic[W]):
    """A message of a widget."""

    widget: W

    @property
    def control(self) -> W:
        """The widget that sent it."""
        return self.widget
