"""All sessions of all roots, kept up to date: what list, screen and commands ask.

Files are found by name, known at once by a glance at head and tail, and read whole behind that,
newest first. What has not changed is not read again. Used by one thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..agents.mycodeagent.trace import grew
from ..decisions.decisions import Decisions
from ..family.kinship import kin_facts
from ..family.relations import Relations
from ..family.roll_up import among_kin
from ..index.incremental import stored_as_read
from ..index.index import UNFIT, Index
from ..index.texts import Piece
from ..model.event import Event
from ..model.session import Session
from ..stores.discovery import TranscriptFile, Unreadable, discover
from ..stores.roots import Root
from ..transcript.overview import GLANCE, Overview, glance, known_of
from ..transcript.transcript import Transcript
from .decided import DecidedSessions
from .open_transcripts import OpenTranscripts
from .session_builder import SessionBuilder

if TYPE_CHECKING:
    from .update import Tell

SETTLED = frozenset({"done", "crashed", "empty", "corrupt", "interrupted"})
"""States that time alone does not change once a session is old."""

VOLATILE_MS, AGAIN_MS = 60 * 60 * 1000, 5_000
"""Milliseconds after its last record for which a settled session is looked at again, and between
two such looks: the reason that is given tells how long ago something was."""


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
        self._cache = cache
        self._open = OpenTranscripts(cache)
        self.unreadable: dict[Path, Unreadable] = {}
        self.bytes_read = 0
        self.parsed: set[Path] = set()
        """Transcripts of which any record was read."""
        self.removed = 0
        """Transcripts that the index held and that are gone."""
        self._files: dict[Path, TranscriptFile] = {}
        self._homes: dict[Path, Path | None] = {}
        self._of_id: dict[str, list[Path]] = {}
        """Paths by session id: more than one where a store was copied."""
        self._known: dict[Path, Overview] = {}
        self._sessions: dict[Path, Session] = {}
        self._looked_back = 0
        self._relations = Relations()
        self._kin = self._relations.kin
        self._builder = SessionBuilder(
            self._files,
            self._homes,
            self._known,
            self._of_id,
            self._kin,
            DecidedSessions(decisions),
            review_days,
        )
        self._new: set[Path] = set()
        """Files that the index does not hold."""

    def close(self) -> None:
        """Keep what was read and close the index."""
        self._open.close()

    @property
    def index(self) -> Index:
        """The index, opened when there is something to look up or to keep."""
        return self._open.index

    @property
    def notice(self) -> str:
        """What is wrong with the index, in a sentence; "" if nothing is known to be."""
        return self._open.notice

    @property
    def is_kept(self) -> bool:
        """Whether all that was read is in the index, and stays there."""
        return self._open.is_kept

    @property
    def files_parsed(self) -> int:
        """How many transcripts any record was read of."""
        return len(self.parsed)

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
        self._builder.found()
        self._forget([path for path in (before or self._indexed()) if path not in self._files])
        return before != {path: _marks(file) for path, file in self._files.items()}

    def namesakes(self, path: Path) -> list[Path]:
        """Other transcripts with the session id of this one: copied stores hold them."""
        return self._builder.namesakes(path)

    def parts(self, path: Path) -> list[Path]:
        """The transcripts of the session that one belongs to, the oldest first.

        For that the transcripts beside it are known at least by a glance.
        """
        self.glance(path)
        if (known := self._known.get(path)) is None or known.dialect == "product":
            return [path]
        for beside, file in self._files.items():
            if file.directory == path.parent:
                self.glance(beside)
        return self.linked(path)

    def linked(self, path: Path) -> list[Path]:
        """As `parts`, as far as they are known."""
        self._link()
        return self._kin.parts(path)

    def newest(self, path: Path) -> Path:
        """The newest transcript of the session that one belongs to, as far as they are known."""
        self._link()
        return self._kin.newest(path)

    def known(self, path: Path) -> Overview | None:
        """What is known of a transcript; None while it was not even glanced at."""
        return self._known.get(path)

    def pending(self, only: Sequence[Path] = ()) -> list[Path]:
        """Transcripts, or of only these, that changed since they were read, newest first."""
        return [path for path in only or self.newest_first() if not self._is_read(path)]

    def lost(self) -> list[Path]:
        """Transcripts to be read again because the index failed, newest first."""
        paths = self.newest_first()
        return [path for path in paths if path in self._known and self._open.has_lost(path)]

    def has_lost(self, path: Path) -> bool:
        """Whether a transcript is to be read again because the index failed."""
        return self._open.has_lost(path)

    def unsearchable(self, paths: Iterable[Path]) -> list[Path]:
        """The transcripts of which neither index nor memory holds all that there was to read.

        What came since they were looked for is no gap.
        """
        held = self.index.held()
        return [
            path
            for path in paths
            if path in self._files and path not in self.unreadable and self._has_gap(path, held)
        ]

    def uncounted(self) -> list[Path]:
        """The transcripts of which the index does not hold all that there was to read."""
        paths = self.unsearchable(self._files)
        return paths + [path for path in self._open.waiting if path not in paths]

    def newest_first(self) -> list[Path]:
        """The transcripts found by the last rescan, by the time they last changed."""
        return sorted(self._files, key=lambda path: -self._files[path].stat.st_mtime_ns)

    def recall(self, path: Path) -> bool:
        """Know a transcript by what the index holds of it; whether it is known."""
        if path not in self._known and path not in self._new:
            if self._open.is_indexed and (known := self._open.known(path)):
                self._known[path] = known
                self._meet(path)
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
        except (OSError, *UNFIT) as error:
            self._refuse(path, error)

    def transcript(self, path: Path) -> Transcript:
        """The transcript of a file as far as it was read."""
        transcript = self._open.open(path, self._id(path))
        transcript.inherited_before = self._builder.inherited_before(path)
        return transcript

    def said(self, path: Path, also_indexed: bool = True) -> Iterator[tuple[Piece, int]]:
        """As `OpenTranscripts.said`."""
        return self._open.said(path, also_indexed)

    def quotable(self, path: Path) -> Transcript | None:
        """A transcript as it is searched, with all the records that are found; None if not."""
        return self._open.quotable(path, self._id(path)) if path in self._files else None

    def advance(self, path: Path) -> Iterator[list[Event]]:
        """Read what is new of a transcript, a slice at a time, and know it anew at the end."""
        transcript = self.transcript(path)
        before = transcript.bytes_read
        try:
            yield from stored_as_read(transcript, lambda: self.index)
            self.unreadable.pop(path, None)
            if self._open.has_lost(path) or not self._has_learned(path, transcript):
                self._learn(path, known_of(transcript))
                self._open.keep(transcript, self._known[path])
        except (OSError, *UNFIT) as error:  # whatever one file does, the others are read
            self._refuse(path, error)
        self.bytes_read += transcript.bytes_read - before
        if transcript.bytes_read > before:
            self.parsed.add(path)

    def read(self, path: Path) -> None:
        """Read all that is new of a transcript."""
        for _ in self.advance(path):
            pass

    def read_all(self, tell: Tell = lambda progress: None, only: Sequence[Path] = ()) -> None:
        """Bring all transcripts, or these, up to date; `tell` hears between two of them."""
        from .update import bring_up_to_date  # the first list does not wait for it

        bring_up_to_date(self, self._cache, tell, only)

    def learn_of(self, path: Path) -> bool:
        """Know a transcript by what another process stored of it; whether that is all of it."""
        self._open.drop(path)
        self._new.discard(path)
        known = self._open.known(path)
        if known is not None:
            self._learn(path, known)
        return known is not None

    def save(self) -> None:
        """Keep in the index what was read since the last time."""
        self._open.save()

    def sessions(self, now: int | None = None) -> list[Session]:
        """Every known session and sub-agent as it is at `now` (milliseconds)."""
        now = int(time.time() * 1000) if now is None else now
        if self._builder.refresh():
            self._sessions.clear()
        self._builder.tell_unreadable(self.unreadable)
        self._link()
        looks_back = not 0 <= now - self._looked_back < AGAIN_MS
        self._looked_back = now if looks_back else self._looked_back
        for path in self._known:
            if not self._is_stale(path, now, looks_back):
                continue
            if (session := self._builder.session(path, now)) != self._sessions.get(path):
                self._sessions[path] = session
                self._relations.renew(path)
        return self._relations.gathered(self._sessions)

    def session(self, path: Path, now: int | None = None) -> Session | None:
        """The session that a transcript is, or is a part of, as it is now."""
        now, path = int(time.time() * 1000) if now is None else now, self.newest(path)
        if not self._sessions:
            self.sessions(now)  # nobody looked around yet
        if path not in self._known or path not in self._files:
            return None
        return among_kin(self._builder.session(path, now), self._sessions, self._kin)

    def _is_stale(self, path: Path, now: int, looks_back: bool) -> bool:
        if path in self._kin.after or path not in self._files:  # read after it was gone
            return False
        session = self._sessions.get(path)
        if session is None or session.status not in SETTLED:
            return True
        silence = now - (session.updated_at or 0)
        return silence < AGAIN_MS or (looks_back and silence < VOLATILE_MS)

    def _id(self, path: Path) -> str:
        file = self._files.get(path)
        return file.session if file else path.stem

    def _is_read(self, path: Path) -> bool:
        known = self._known[path] if self.recall(path) else None
        if known is None or not known.whole or self._open.has_lost(path):
            return False
        has_grown = known.dialect == "mycodeagent" and grew(path, known.trace)
        return not has_grown and known.fingerprint.unchanged(self._files[path].stat)

    def _has_gap(self, path: Path, held: dict[Path, int]) -> bool:
        known = self._known[path] if self.recall(path) else None
        if known is None or not known.whole or self._open.has_lost(path):
            return True
        return self._open.lacks(path, known, held) or known.fingerprint.precedes(
            self._files[path].stat
        )

    def _has_learned(self, path: Path, transcript: Transcript) -> bool:
        """Whether nothing came since: an open session is looked at every second."""
        known = self._known.get(path)
        if known is None or not known.whole or known.fingerprint != transcript.fingerprint:
            return False
        return transcript.trace is None or known.trace == transcript.trace.mark

    def _learn(self, path: Path, known: Overview) -> None:
        before = self._known.get(path)
        if before and before.whole and known.fingerprint.size > before.fingerprint.size:
            self._builder.grew_at[path] = int(time.time() * 1000)
        if before is None or kin_facts(before.facts) != kin_facts(known.facts):
            self._meet(path)
        self._known[path] = known
        newest = self._kin.newest(path)
        others = map(self._kin.newest, self.namesakes(path))
        for one in (newest, *self._kin.ancestors(newest), *others):
            self._sessions.pop(one, None)
        self.unreadable.pop(path, None)

    def _meet(self, path: Path) -> None:
        """A transcript is new, has other kin, or is gone: others may stand otherwise now."""
        self._relations.meet(path)
        for other in self.namesakes(path):
            self._sessions.pop(self._kin.newest(other), None)

    def _link(self) -> None:
        """Find who belongs to whom where that may have changed."""
        changed = self._relations.link(self._files, self._known, self._of_id)
        for path in [*changed, *self._kin.after] if changed else ():
            self._sessions.pop(path, None)

    def _indexed(self) -> list[Path]:
        """The files below the roots that the index knows."""
        return [
            path
            for path in (self.index.paths() if self._open.is_indexed else ())
            if any(path.is_relative_to(root.path) for root in self.roots)
        ]

    def _forget(self, paths: list[Path]) -> None:
        for path in paths:
            self._meet(path)
            for table in (self._known, self._sessions, self._homes):
                table.pop(path, None)
            self._builder.forget(path)
            self._new.discard(path)
        self._open.forget(paths)
        if paths:
            self._relations.forget(paths)
            self.removed += len(paths)

    def _refuse(self, path: Path, error: Exception) -> None:
        self._open.drop(path)
        is_foreign = not isinstance(error, OSError)
        strerror = getattr(error, "strerror", None)
        reason = f"it cannot be understood: {error!r}" if is_foreign else strerror or str(error)
        self.unreadable[path] = Unreadable(path, reason)


def _marks(file: TranscriptFile) -> tuple[int, ...]:
    """What changes when a file does. Its time of access is not among it: reading moves that."""
    stat = file.stat
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
