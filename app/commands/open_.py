"""`sessions open`, or just `sessions`: open the terminal UI."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ...storage.stores.discovery import discover
from .scope import files_named, find_path, scope_of
from .screen import show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION", nargs="?", help="open this session first")
    parser.add_argument(
        "--or-demo", action="store_true", help="open the demo if there are no transcripts"
    )


def run(options: argparse.Namespace) -> int:
    """Run the terminal UI until the user quits."""
    scope, query = scope_of(options), getattr(options, "session", None)
    files = files_named(scope, [query]) if query else ()
    roots = replace(scope.roots, found=(*scope.roots.found, *files))
    found = [file for root in roots.found for file in discover(root).files] if query else []
    opened = find_path(query, [(file.session, file.path) for file in found]) if query else None
    if getattr(options, "or_demo", False) and not any(discover(r).files for r in roots.found):
        from . import demo_

        return demo_.run(options)
    code = show(replace(scope, roots=roots), opened)
    if code is None:
        from . import demo_

        return demo_.run(options)
    return code
