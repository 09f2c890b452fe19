"""All sessions of all roots, kept up to date: what list, screen and commands ask.

Files are found by name, known at once by a glance at head and tail, and read whole behind that,
newest first. What has not changed is not read again. Used by one thread.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from .assembly import Surroundings, session_of
from .decided_sessions import DecidedSessions
from .decisions import Decisions
from .discovery import TranscriptFile, Unreadable, discover, families
from .event import Event
from .index import FILE, Index
from .indexing import Tell, bring_up_to_date
from .known import GLANCE, Known, glance, known_of
from .long_reading import stored_as_read
from .roots import Root
from .session import Session
from .transcript import Transcript

HOT = 24
"""Transcripts kept open for reading on: those that grow."""

SETTLED = frozenset({"done", "crashed", "empty", "corrupt", "interrupted"})
"""States that time alone does not change once a session is old."""

VOLATILE_MS = 60 * 60 * 1000
"""Milliseconds after its last record for which a session's state is looked at again."""


class Library:
    """The sessions of some roots, as they are with what their person decided.

    `cache` is the directory of the index, None for none.
    """

    def __init__(
        self,
        roots: Sequence[Root],
        cache: Path | None,
        review_days: int = 7,
        decisions: Decisions | None = None,
    ) -> None:
        self.roots = tuple(roots)
        self._decided = DecidedSessions(decisions)
        self._cache = cache
        self._index: Index | None = None
        self.unreadable: dict[Path, Unreadable] = {}
        self.bytes_read = 0
        self.files_parsed = 0
        self.removed = 0
        """Transcripts that the index held and that are gone."""
        self._surroundings = Surroundings()
        self._review_days = review_days
        self._files: dict[Path, TranscriptFile] = {}
        self._homes: dict[Path, Path | None] = {}
        self._of_id: dict[str, list[Path]] = {}
        """Paths by session id: more than one where a store was copied."""
        self._known: dict[Path, Known] = {}
        self._sessions: dict[Path, Session] = {}
        self._parents: dict[Path, Path | None] = {}
        self._children: Counter[Path] = Counter()
        self._linked = False
        self._new: set[Path] = set()
        """Files that the index does not hold."""
        self._hot: OrderedDict[Path, Transcript] = OrderedDict()
        self._unsaved: set[Path] = set()
        self._grew_at: dict[Path, int] = {}

    def close(self) -> None:
        """Keep what was read and close the index."""
        self.save()
        if self._index:
            self._index.close()

    @property
    def index(self) -> Index:
        """The index, opened when there is something to look up or to keep."""
        if self._index is None:
            self._index = Index(self._cache)
        return self._index

    @property
    def notice(self) -> str:
        """What is wrong with the index, in a sentence; "" if nothing is known to be."""
        return self._index.notice if self._index else ""

    @property
    def _is_indexed(self) -> bool:
        """Whether there may be something to look up: making an index waits for the first list."""
        return bool(self._index or (self._cache and (self._cache / FILE).exists()))

    def files(self) -> Iterator[TranscriptFile]:
        """The transcripts found by the last rescan."""
        return iter(self._files.values())

    def file(self, path: Path) -> TranscriptFile | None:
        """One of them by its path."""
        return self._files.get(path)

    def rescan(self) -> bool:
        """Look for transcripts again; whether any came, went or changed."""
        before = {path: _marks(file) for path, file in self._files.items()}
        self._files.clear()
        self.unreadable.clear()
        for root in self.roots:
            found = discover(root)
            home = root.home
            for file in found.files:
                path = file.path
                self._files.setdefault(path, file)
                self._homes.setdefault(path, home)
            self.unreadable.update((problem.path, problem) for problem in found.unreadable)
        self._of_id.clear()
        for path, file in self._files.items():
            self._of_id.setdefault(file.session, []).append(path)
        self._forget([path for path in (before or self._indexed()) if path not in self._files])
        return before != {path: _marks(file) for path, file in self._files.items()}

    def namesakes(self, path: Path) -> list[Path]:
        """Other transcripts with the session id of this one: copied stores hold them."""
        file = self._files.get(path)
        session = file.session if file else path.stem
        return [other for other in self._of_id.get(session, ()) if other != path]

    def known(self, path: Path) -> Known | None:
        """What is known of a transcript; None while it was not even glanced at."""
        return self._known.get(path)

    def pending(self) -> list[Path]:
        """Transcripts that changed since they were read, newest first."""
        return [path for path in self.newest_first() if not self._is_read(path)]

    def newest_first(self) -> list[Path]:
        """The transcripts found by the last rescan, by the time they last changed."""
        return sorted(self._files, key=lambda path: -self._files[path].stat.st_mtime_ns)

    def recall(self, path: Path) -> bool:
        """Know a transcript by what the index holds of it; whether it is known."""
        if path not in self._known and path not in self._new:
            if self._is_indexed and (known := self.index.known(path)):
                self._known[path] = known
                self._linked = False
            else:
                self._new.add(path)
        return path in self._known

    def glance(self, path: Path) -> None:
        """Know a transcript by the index, or else by its head and tail.

        A small one is read whole and kept: that costs no more.
        """
        file = self._files.get(path)
        if file is None or self.recall(path):
            return
        if file.stat.st_size <= GLANCE:
            self.read(path)
            return
        try:
            self._learn(path, glance(path, file.session))
        except OSError as error:
            self._refuse(path, error)

    def transcript(self, path: Path) -> Transcript:
        """The transcript of a file as far as it was read."""
        transcript = self._hot.get(path)
        if transcript is None:
            file = self._files.get(path)
            session = file.session if file else path.stem
            stored = self.index.load(path, session) if self._is_indexed else None
            transcript = stored or Transcript(path, session)
            self._hot[path] = transcript
        self._hot.move_to_end(path)
        while len(self._hot) > HOT:
            self._cool(next(iter(self._hot)))
        return transcript

    def advance(self, path: Path) -> Iterator[list[Event]]:
        """Read what is new of a transcript, a slice at a time, and know it anew at the end."""
        transcript = self.transcript(path)
        before = transcript.bytes_read
        try:
            yield from stored_as_read(transcript, lambda: self.index)
            self.unreadable.pop(path, None)
            if not self._has_learned(path, transcript):
                self._learn(path, known_of(transcript))
                self._unsaved.add(path)
        except OSError as error:
            self._refuse(path, error)
        self.bytes_read += transcript.bytes_read - before
        self.files_parsed += transcript.bytes_read > before

    def read(self, path: Path) -> None:
        """Read all that is new of a transcript."""
        for _ in self.advance(path):
            pass

    def read_all(self, tell: Tell = lambda progress: None) -> None:
        """Bring every transcript up to date, newest first; `tell` hears between two of them."""
        bring_up_to_date(self, self._cache, tell)

    def learn_of(self, path: Path) -> bool:
        """Know a transcript by what another process stored of it; whether that is all of it."""
        self._hot.pop(path, None)
        self._new.discard(path)
        known = self.index.known(path)
        if known is not None:
            self._learn(path, known)
        return known is not None

    def save(self) -> None:
        """Keep in the index what was read since the last time."""
        ready = [
            (self._hot[path], self._known[path])
            for path in self._unsaved
            if path in self._hot and path in self._known
        ]
        if not ready or self.index.save(ready):
            self._unsaved.clear()

    def sessions(self, now: int | None = None) -> list[Session]:
        """Every known session and sub-agent as it is at `now` (milliseconds)."""
        now = int(time.time() * 1000) if now is None else now
        homes = {home for home in self._homes.values() if home}
        around = self._surroundings.refresh(homes)
        if self._decided.refresh() or around:
            self._sessions.clear()
        if not self._linked:
            self._link()
        for path in self._known:
            if self._is_stale(path, now):
                self._sessions[path] = self._session(path, now)
        return list(self._sessions.values())

    def session(self, path: Path, now: int | None = None) -> Session | None:
        """One session as it is now."""
        now = int(time.time() * 1000) if now is None else now
        is_known = path in self._known and path in self._files
        return self._session(path, now) if is_known else None

    def _session(self, path: Path, now: int) -> Session:
        known, file, home = self._known[path], self._files[path], self._homes.get(path)
        namesakes = self.namesakes(path)
        verdicts = self._decided.verdicts(file, known, namesakes)
        evidence = replace(
            self._surroundings.evidence(home, file, known, self._leader(path), now),
            grew_at=self._grew_at.get(path),
            decided={event_id for event_id, _ in verdicts},
            review_days=self._review_days,
        )
        parent = self._parents.get(path)
        return session_of(
            file,
            known,
            evidence,
            self._files.get(parent) if parent else None,
            self._children[path],
            self._decided.personal(file, namesakes),
            verdicts,
            self._decided.candidates(file.session),
        )

    def _leader(self, path: Path) -> str:
        while parent := self._parents.get(path):
            path = parent
        return self._files[path].session

    def _is_stale(self, path: Path, now: int) -> bool:
        session = self._sessions.get(path)
        if session is None:
            return True
        if session.status not in SETTLED:
            return True
        return session.updated_at is not None and now - session.updated_at < VOLATILE_MS

    def _is_read(self, path: Path) -> bool:
        known = self._known[path] if self.recall(path) else None
        stat = self._files[path].stat
        return known is not None and known.whole and known.foothold.unchanged(stat)

    def _has_learned(self, path: Path, transcript: Transcript) -> bool:
        """Whether nothing came since: an open session is looked at every second."""
        known = self._known.get(path)
        return known is not None and known.whole and known.foothold == transcript.foothold

    def _learn(self, path: Path, known: Known) -> None:
        before = self._known.get(path)
        if before and before.whole and known.foothold.size > before.foothold.size:
            self._grew_at[path] = int(time.time() * 1000)
        if before is None or before.facts.inner_session != known.facts.inner_session:
            self._linked = False
        self._known[path] = known
        for one in (path, *self.namesakes(path)):
            self._sessions.pop(one, None)
        self.unreadable.pop(path, None)

    def _link(self) -> None:
        inner = {
            path: known.facts.inner_session
            for path, known in self._known.items()
            if known.facts.inner_session
        }
        parents, children = self._parents, self._children
        self._parents = families(self._files.values(), inner)
        self._children = Counter(parent for parent in self._parents.values() if parent)
        self._linked = True
        if any(parents[path] != self._parents[path] for path in parents.keys() & self._parents):
            self._sessions.clear()
        for path in parents.keys() | self._parents:
            if children[path] != self._children[path]:
                self._sessions.pop(path, None)

    def _indexed(self) -> list[Path]:
        """The files below the roots that the index knows."""
        return [
            path
            for path in (self.index.paths() if self._is_indexed else ())
            if any(path.is_relative_to(root.path) for root in self.roots)
        ]

    def _forget(self, paths: list[Path]) -> None:
        for path in paths:
            for table in (self._known, self._sessions, self._homes, self._hot, self._grew_at):
                table.pop(path, None)
            for other in self.namesakes(path):
                self._sessions.pop(other, None)
            self._unsaved.discard(path)
            self._new.discard(path)
        if paths:
            self.removed += len(paths)
            if self._is_indexed:
                self.index.remove(*paths)
            self._linked = False

    def _refuse(self, path: Path, error: OSError) -> None:
        self._hot.pop(path, None)
        self.unreadable[path] = Unreadable(path, error.strerror or str(error))

    def _cool(self, path: Path) -> None:
        if path in self._unsaved:
            self.save()
        self._hot.pop(path, None)


def _marks(file: TranscriptFile) -> tuple[int, ...]:
    """What changes when a file does. Its time of access is not among it: reading moves that."""
    stat = file.stat
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
