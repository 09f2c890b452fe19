"""Short messages to the user."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from textual.app import App

from ...widgets.words.safe import safe
from .notices import Notice, sentence


def say(app: App[Any], sentence: str, serious: bool = False) -> None:
    """Show a sentence that may contain foreign text; replaces earlier messages unless serious."""
    if not serious:
        app.clear_notifications()
    severity: Literal["warning", "information"] = "warning" if serious else "information"
    app.notify(safe(sentence, 300).plain, severity=severity, timeout=4, markup=False)


def announce(app: App[Any], notices: list[Notice], shown: Path | None) -> None:
    """Announce what happened to sessions, except the one `shown` while the app has the focus."""
    told = [notice for notice in notices if notice.path != shown or not app.app_focus]
    if told:
        is_serious = any(notice.is_serious for notice in told)
        severity: Literal["warning", "information"] = "warning" if is_serious else "information"
        app.notify(safe(sentence(told), 300).plain, severity=severity, timeout=8, markup=False)
