"""`sessions demo`: the screen on a made-up store with agents at work; nothing is left behind."""

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
    """The command has no options of its own."""


def run(options: argparse.Namespace) -> int:
    """Show the demo until it is left."""
    with demo_store() as store:
        roots = find_roots(store.roots, {}, working_directory(), Path.home())
        places = Places(store.cache_dir, store.data_dir, store.folder / "config.toml")
        return show(Scope(places, Config(), roots), about=ABOUT) or DONE
