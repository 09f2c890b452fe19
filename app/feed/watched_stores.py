"""Watches the stores of all roots, including those that appear later."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from ...storage.files.watcher import Watcher
from ...storage.files.working_directory import working_directory
from ...storage.stores.layouts import layout_of
from ...storage.stores.roots import Roots, distinct_roots, find_roots

REST = 200
"""Minimum pause between two searches for stores, as a multiple of the duration of the last."""


class WatchedStores:
    """Watches the roots' directories; `changed` is called from the watchers' threads."""

    def __init__(self, roots: Roots, changed: Callable[[set[str]], None]) -> None:
        self.roots = roots.found
        """The known stores: those found at the start, and those that appeared since."""
        self._awaits, self._named = bool(roots.awaited), roots.trees
        self._next_look = 0.0
        self._changed = changed
        self._watchers: dict[tuple[bool, frozenset[Path]], Watcher] = {}
        self._started = False

    @property
    def alive(self) -> bool:
        """Whether every watcher is running."""
        return self._started and all(watcher.alive for watcher in self._watchers.values())

    def problems(self) -> list[str]:
        """Return why something is not watched, one sentence each."""
        return [watcher.problem for watcher in self._watchers.values() if watcher.problem]

    def start(self) -> None:
        """Start watching."""
        self._started = True
        self.cover()

    def look(self) -> None:
        """Add default stores and projects in the named trees that have appeared."""
        start = time.monotonic()
        named = self._named or None
        if (self._awaits or named) and start >= self._next_look:
            found = find_roots(named, os.environ, working_directory(), Path.home()).found
            self.roots = distinct_roots((*self.roots, *found))
            end = time.monotonic()
            self._next_look = end + REST * (end - start)

    def cover(self) -> None:
        """Start and stop watchers for directories that have appeared and gone."""
        if not self._started:
            return
        wanted = {key for key in (self._trees(), self._folders()) if key[1]}
        for key in set(self._watchers) - wanted:
            self._watchers.pop(key).stop()
        for key in wanted - set(self._watchers):
            recursive, directories = key
            self._watchers[key] = Watcher(self._changed, sorted(directories), recursive)
            self._watchers[key].start()

    def stop(self) -> None:
        """Stop all watchers."""
        for watcher in self._watchers.values():
            watcher.stop()
        self._watchers.clear()

    def _trees(self) -> tuple[bool, frozenset[Path]]:
        roots = [root for root in self.roots if root.kind != "file"]
        watched = [path for root in roots for path in layout_of(root).watched(root)]
        return True, frozenset(path for path in watched if path.is_dir())

    def _folders(self) -> tuple[bool, frozenset[Path]]:
        """Return the folders of single files, except those that are inside a watched tree.

        A symlinked folder is watched separately, because a tree's watcher follows only the links
        that existed when it started.
        """
        _, trees = self._trees()
        files = [root.path.parent for root in self.roots if root.kind == "file"]
        return False, frozenset(
            path
            for path in files
            if path.is_dir() and (path.resolve() != path or trees.isdisjoint((path, *path.parents)))
        )
