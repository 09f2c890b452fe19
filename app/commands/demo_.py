"""`sessions demo`: the terminal UI on sample data with simulated agents; leaves nothing behind."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...storage.files.working_directory import working_directory
from ...storage.private.places import Config, Places
from ...storage.stores.roots import find_roots
from ..demo import demo_store
from .scope import DONE, Scope
from .screen import show

ABOUT = "demo — changes are not saved"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no options of its own."""


def run(options: argparse.Namespace) -> int:
    """Run the demo until the user quits."""
    with demo_store() as store:
        roots = find_roots(store.roots, {}, working_directory(), Path.home())
        places = Places(store.cache_dir, store.data_dir, store.folder / "config.toml")
        return show(Scope(places, Config(), roots), about=ABOUT) or DONE
