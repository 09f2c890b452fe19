"""Runs the user's editor in the terminal, then restores the screen."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from textual.app import App, SuspendNotSupported

from ...storage.files.kinds import is_file
from .run import run_here


def edit(app: App[bool], path: Path) -> str:
    """Open a file in the user's editor; return "" or why that was not possible."""
    try:
        words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    except ValueError as error:
        return f"$EDITOR cannot be understood: {error}"
    if not words or shutil.which(words[0]) is None:
        return f"there is no editor {words[0] if words else ''!r}; set $EDITOR"
    if not is_file(path):
        return "there is no such file on this machine"
    try:
        with app.suspend():
            return _run([*words, str(path)])
    except SuspendNotSupported:
        return "the terminal cannot be suspended"


def _run(command: list[str]) -> str:
    """Run a command to its end. Never raises: inside `suspend` that would end the UI."""
    try:
        ended = run_here(command, str(Path.cwd()), {})
    except OSError as error:  # the working directory was deleted
        return error.strerror or str(error)
    return "" if ended.started else ended.problem
