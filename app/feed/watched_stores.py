"""What is watched: the stores of all roots, as they come and go."""

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
"""How many times as long as the looking took trees of projects are left alone after it."""


class WatchedStores:
    """Watchers over the roots' directories; `changed` is called from their threads."""

    def __init__(self, roots: Roots, changed: Callable[[set[str]], None]) -> None:
        self.roots = roots.found
        """The stores there are: those found at first, and what appeared since."""
        self._awaits, self._named = bool(roots.awaited), roots.trees
        self._next_look = 0.0
        self._changed = changed
        self._watchers: dict[tuple[bool, frozenset[Path]], Watcher] = {}
        self._started = False

    @property
    def alive(self) -> bool:
        """Whether all that is to be watched is."""
        return self._started and all(watcher.alive for watcher in self._watchers.values())

    def problems(self) -> list[str]:
        """Why something is not watched, a sentence each."""
        return [watcher.problem for watcher in self._watchers.values() if watcher.problem]

    def start(self) -> None:
        """Begin to watch."""
        self._started = True
        self.cover()

    def look(self) -> None:
        """Take in the default stores that appeared since, and projects in the trees named."""
        start = time.monotonic()
        named = self._named or None
        if (self._awaits or named) and start >= self._next_look:
            found = find_roots(named, os.environ, working_directory(), Path.home()).found
            self.roots = distinct_roots((*self.roots, *found))
            end = time.monotonic()
            self._next_look = end + REST * (end - start)

    def cover(self) -> None:
        """Watch what is there now: directories may have come or gone."""
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
        """End all watching."""
        for watcher in self._watchers.values():
            watcher.stop()
        self._watchers.clear()

    def _trees(self) -> tuple[bool, frozenset[Path]]:
        roots = [root for root in self.roots if root.kind != "file"]
        watched = [path for root in roots for path in layout_of(root).watched(root)]
        return True, frozenset(path for path in watched if path.is_dir())

    def _folders(self) -> tuple[bool, frozenset[Path]]:
        """The folders of single files, but for those that are watched with all around them.

        A tree is watched behind its links as they were in the beginning only.
        """
        _, trees = self._trees()
        files = [root.path.parent for root in self.roots if root.kind == "file"]
        return False, frozenset(
            path
            for path in files
            if path.is_dir() and (path.resolve() != path or trees.isdisjoint((path, *path.parents)))
        )
