"""What the program tells the person in passing."""

from __future__ import annotations

from typing import Any, Literal

from textual.app import App

from ..widgets.safe import safe


def say(app: App[Any], sentence: str, serious: bool = False) -> None:
    """Tell something that may hold foreign text; what was said before is answered by it."""
    if not serious:
        app.clear_notifications()
    severity: Literal["warning", "information"] = "warning" if serious else "information"
    app.notify(safe(sentence, 300).plain, severity=severity, timeout=4, markup=False)
