"""The overview of each transcript: from the index, from head and tail, or from reading it all.

Nothing unchanged is read again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..index.index import UNFIT, stored_as_read
from ..model.event import Event
from ..stores.walk import Unreadable
from ..transcript.overview import GLANCE, Overview, glance, overview_of
from ..transcript.transcript import Transcript
from .catalogue import Catalogue
from .open_transcripts import OpenTranscripts


class Overviews:
    """The overviews of a catalogue's transcripts, from open transcripts and the index."""

    def __init__(self, catalogue: Catalogue, transcripts: OpenTranscripts) -> None:
        self.by_path: dict[Path, Overview] = {}
        self.grew_at: dict[Path, int] = {}
        """When transcripts were last seen growing, in milliseconds since 1970."""
        self.bytes_read = 0
        self.parsed: set[Path] = set()
        """Transcripts of which any record was read."""
        self.removed = 0
        """Number of indexed transcripts that no longer exist."""
        self._catalogue = catalogue
        self._transcripts = transcripts
        self._changed: dict[Path, Overview | None] = {}
        """Previous overviews of those that changed since `take_changed` was called."""
        self._unindexed: set[Path] = set()
        """Files that are not in the index."""

    def take_changed(self) -> dict[Path, Overview | None]:
        """Return the transcripts whose overview changed since the last call.

        With the previous overview; None if there was none.
        """
        changed, self._changed = self._changed, {}
        return changed

    def forget(self, paths: Sequence[Path]) -> None:
        """Remove transcripts that no longer exist, also from the index."""
        for path in paths:
            for table in (self.by_path, self.grew_at, self._changed):
                table.pop(path, None)
            self._unindexed.discard(path)
        self._transcripts.forget(paths)
        self.removed += len(paths)

    def pending(self, only: Sequence[Path] = ()) -> list[Path]:
        """Return the transcripts, or those of `only`, that changed since read, newest first."""
        return [p for p in only or self._catalogue.newest_first() if not self._is_read(p)]

    def lost(self) -> list[Path]:
        """Return the transcripts to read again because the index failed, newest first."""
        paths = self._catalogue.newest_first()
        return [path for path in paths if path in self.by_path and self._transcripts.has_lost(path)]

    def unsearchable(self, paths: Iterable[Path]) -> list[Path]:
        """Return the transcripts of which neither index nor memory has everything.

        Records appended since the last scan do not count as missing.
        """
        held, catalogue = self._transcripts.index.held(), self._catalogue
        there = (p for p in paths if p in catalogue.files and p not in catalogue.unreadable)
        return [path for path in there if self._has_gap(path, held)]

    def uncounted(self) -> list[Path]:
        """Return the transcripts of which the index does not have everything."""
        paths = self.unsearchable(self._catalogue.files)
        return paths + [path for path in self._transcripts.waiting if path not in paths]

    def glance(self, path: Path) -> None:
        """Load the overview of a transcript from the index, or else from its head and tail.

        A small transcript is read completely, which costs no more.
        """
        file = self._catalogue.files.get(path)
        if file is None or self._recall(path) is not None:
            return
        if file.stat.st_size <= GLANCE:
            for _ in self.advance(path):
                pass
            return
        try:
            self._learn(path, glance(path, file.session))
        except (OSError, *UNFIT) as error:
            self._refuse(path, error)

    def glance_at_parts(self, path: Path) -> bool:
        """Glance at a transcript and its possible further parts; return whether it may have any."""
        self.glance(path)
        overview = self.by_path.get(path)
        if overview is None or not overview.agent.has_parts:
            return False
        for beside, file in self._catalogue.files.items():
            if file.directory == path.parent:
                self.glance(beside)
        return True

    def advance(self, path: Path) -> Iterator[list[Event]]:
        """Read what is new of a transcript in slices; updates its overview at the end."""
        transcript = self._transcripts.open(path)
        before = transcript.bytes_read
        try:
            yield from stored_as_read(transcript, lambda: self._transcripts.index)
            self._catalogue.unreadable.pop(path, None)
            if self._transcripts.has_lost(path) or not self._has_learned(path, transcript):
                overview = overview_of(transcript)
                self._learn(path, overview)
                self._transcripts.keep(transcript, overview)
        except (OSError, *UNFIT) as error:  # whatever one file does, the others are read
            self._refuse(path, error)
        self.bytes_read += transcript.bytes_read - before
        if transcript.bytes_read > before:
            self.parsed.add(path)

    def learn_of(self, path: Path) -> bool:
        """Load what another process stored of a transcript; return whether it is complete."""
        self._transcripts.drop(path)
        self._unindexed.discard(path)
        overview = self._transcripts.known(path)
        if overview is not None:
            self._learn(path, overview)
        return overview is not None

    def _recall(self, path: Path) -> Overview | None:
        """Return the overview of a transcript from memory or the index."""
        if path not in self.by_path and path not in self._unindexed:
            if self._transcripts.is_indexed and (overview := self._transcripts.known(path)):
                self._replace(path, overview)
            else:
                self._unindexed.add(path)
        return self.by_path.get(path)

    def _is_read(self, path: Path) -> bool:
        overview = self._recall(path)
        if overview is None or not overview.whole or self._transcripts.has_lost(path):
            return False
        ledger = overview.agent.ledger(path) if overview.agent.ledger else None
        has_grown = ledger is not None and ledger.has_changed(overview.trace)
        return not has_grown and overview.fingerprint.unchanged(self._catalogue.files[path].stat)

    def _has_gap(self, path: Path, held: dict[Path, int]) -> bool:
        overview = self._recall(path)
        if overview is None or not overview.whole or self._transcripts.has_lost(path):
            return True
        return self._transcripts.lacks(path, overview, held) or overview.fingerprint.precedes(
            self._catalogue.files[path].stat
        )

    def _has_learned(self, path: Path, transcript: Transcript) -> bool:
        """Return whether nothing was added since; called every second for an open session."""
        overview = self.by_path.get(path)
        if overview is None or not overview.whole or overview.fingerprint != transcript.fingerprint:
            return False
        return transcript.ledger is None or overview.trace == transcript.ledger.mark

    def _learn(self, path: Path, overview: Overview) -> None:
        before = self.by_path.get(path)
        if before and before.whole and overview.fingerprint.size > before.fingerprint.size:
            self.grew_at[path] = int(time.time() * 1000)
        self._replace(path, overview)
        self._catalogue.unreadable.pop(path, None)

    def _replace(self, path: Path, overview: Overview) -> None:
        self._changed.setdefault(path, self.by_path.get(path))
        self.by_path[path] = overview

    def _refuse(self, path: Path, error: Exception) -> None:
        self._transcripts.drop(path)
        is_foreign = not isinstance(error, OSError)
        strerror = getattr(error, "strerror", None)
        reason = f"it cannot be understood: {error!r}" if is_foreign else strerror or str(error)
        self._catalogue.unreadable[path] = Unreadable(path, reason)
