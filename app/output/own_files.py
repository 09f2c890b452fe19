"""Checks where exports may be written: not among the agents' files or the program's own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...storage.files.working_directory import DELETED, working_directory
from ...storage.model.store import Root
from ...storage.private.places import Places, store_of
from ...storage.stores.layouts import homes, in_project, kept_out
from ...storage.text.safe_text import shown_name


def refusal(path: Path, places: Places, roots: Iterable[Root]) -> str:
    """Return why nothing may be written at a path, as a sentence; "" if it may."""
    user, resolved, shown = Path.home(), path.resolve(), shown_name(str(path))
    stores = [folder for root in roots for folder in kept_out(root, user)]
    if store := store_of(resolved, [*stores, *(user / home.folder for home in homes())]):
        return f"{shown} lies in {store}, which is an agent's: nothing is written there."
    if in_project(resolved):
        return f"{shown} lies among an agent's transcripts: nothing is written there."
    if own := store_of(resolved, [places.data, places.cache]):
        return f"{shown} lies in {own}, where the program keeps its own files."
    if resolved.exists() and not resolved.is_file():
        return f"{shown} is no ordinary file."
    return ""


def export_directory() -> Path:
    """Return the directory suggested for an export."""
    cwd = working_directory()
    return Path.home() if cwd == DELETED else cwd
