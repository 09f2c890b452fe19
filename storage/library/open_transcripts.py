"""The transcripts of a library: some held in memory for further reading, the others in the index.

What was read is kept here until the index has stored it, and is searched meanwhile. If the index
fails, what only it contained is marked as lost and read again.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..index.index import FILE, Index
from ..index.texts import Piece, packed
from ..transcript.overview import Overview
from ..transcript.transcript import Transcript
from .catalogue import Catalogue

HOT = 24
"""Transcripts kept open for reading on: those that grow."""

BATCH, BATCH_BYTES = 64, 4 * 1024 * 1024
"""Transcripts, and bytes of them, that are saved together: a transaction for each small one of
50,000 would take longer than to read them."""


class OpenTranscripts:
    """A catalogue's transcripts by path. `cache`: directory of the index; None for no index."""

    def __init__(self, catalogue: Catalogue, cache: Path | None) -> None:
        self.cache = cache
        self._catalogue = catalogue
        self._index: Index | None = None
        self._hot: OrderedDict[Path, Transcript] = OrderedDict()
        self._unsaved: dict[Path, tuple[Transcript, Overview]] = {}
        self._since_loss: set[Path] | None = None
        """What was read since the index failed; None where it never did."""

    def close(self) -> None:
        """Save what was read and close the index."""
        self.save()
        if self._index:
            self._index.close()

    @property
    def index(self) -> Index:
        """The index, opened when it is first needed."""
        if self._index is None:
            self._index = Index(self.cache, self._lose)
        return self._index

    @property
    def is_indexed(self) -> bool:
        """Whether there may be stored data: an index is only created after the first list."""
        return bool(self._index or (self.cache and os.path.lexists(self.cache / FILE)))

    @property
    def notice(self) -> str:
        """What is wrong with the index, in one sentence; "" if nothing is."""
        return self._index.notice if self._index else ""

    @property
    def is_kept(self) -> bool:
        """Whether everything read is stored in the index permanently."""
        return self._index is None or (self._index.is_kept and not self._unsaved)

    @property
    def waiting(self) -> list[Path]:
        """Transcripts of which not everything read is stored in the index."""
        return list(self._unsaved)

    def indexed(self) -> list[Path]:
        """Return the files below the roots that are in the index."""
        roots = [root.path for root in self._catalogue.roots]
        paths = self.index.paths() if self.is_indexed else []
        return [path for path in paths if any(map(path.is_relative_to, roots))]

    def open(self, path: Path) -> Transcript:
        """Return the transcript of a file as far as it was read, for further reading."""
        if path not in self._hot:
            session = self._catalogue.session_id(path)
            self._hot[path] = self._stored(path, session) or Transcript(path, session)
        self._hot.move_to_end(path)
        transcript = self._hot[path]
        if len(self._hot) > HOT:
            self._cool(path)
        return transcript

    def drop(self, path: Path) -> None:
        """Close a transcript and discard what was read of it and not saved."""
        self._hot.pop(path, None)
        self._unsaved.pop(path, None)

    def forget(self, paths: Sequence[Path]) -> None:
        """Remove transcripts that no longer exist, also from the index."""
        for path in paths:
            self.drop(path)
        if paths and self.is_indexed:
            self.index.remove(*paths)

    def keep(self, transcript: Transcript, known: Overview) -> None:
        """Schedule what was read of a transcript for saving, with its overview."""
        path = transcript.path
        self._hot[path], self._unsaved[path] = transcript, (transcript, known)
        if self._since_loss is not None and not transcript.begins_anew:
            self._since_loss.add(path)

    def known(self, path: Path) -> Overview | None:
        """Return the stored overview of a transcript that was read completely."""
        known = self.index.known(path)
        if known is not None and self._since_loss is not None:
            self._since_loss.add(path)
        return known

    def save(self) -> None:
        """Save what was read since the last time in the index."""
        ready = list(self._unsaved.values())
        # A second time where the index failed and goes on elsewhere.
        if ready and (
            self.index.save(ready) or (not self.index.is_busy and self.index.save(ready))
        ):
            self._unsaved.clear()

    def has_lost(self, path: Path) -> bool:
        """Return whether a transcript must be read again because the index failed."""
        return self._since_loss is not None and path not in self._since_loss

    def lacks(self, path: Path, known: Overview, held: dict[Path, int]) -> bool:
        """Return whether known records are neither in the index nor waiting to be stored.

        `held`: number of stored records by path.
        """
        if path in self._unsaved:
            return not self._unsaved[path][0].folds.tally.is_wanted
        return held.get(path, -1) < known.facts.records + known.facts.damaged

    def said(self, path: Path, also_indexed: bool = True) -> Iterator[tuple[Piece, int]]:
        """Yield the texts of a transcript, newest first, each with the latest time of the rest.

        If `also_indexed` is false, only those not in the index yet.
        """
        if path in self._unsaved:
            transcript, known = self._unsaved[path]
            for piece in reversed(list(packed(transcript.folds.tally.entries, None))):
                yield piece, known.facts.newest_at or 0
            if transcript.folds.is_fresh:
                return
        if also_indexed:
            yield from self.index.pieces(path)

    def quotable(self, path: Path) -> Transcript | None:
        """Return a transcript for quoting, with all records found in it; None if unavailable.

        A separate instance if the index has all of it.
        """
        if path not in self._catalogue.files:
            return None
        if path in self._unsaved:
            return self._unsaved[path][0]
        return self._stored(path, self._catalogue.session_id(path))

    def _stored(self, path: Path, session: str) -> Transcript | None:
        return self.index.load(path, session) if self.is_indexed else None

    def _cool(self, used: Path) -> None:
        """Close the least recently used transcripts beyond a limit, except unsaved ones."""
        if len(self._unsaved) >= BATCH or self._unsaved_bytes() >= BATCH_BYTES:
            self.save()
        if len(self._hot) > HOT + len(self._unsaved):
            for path in list(self._hot):
                if len(self._hot) > HOT and path != used and path not in self._unsaved:
                    del self._hot[path]

    def _unsaved_bytes(self) -> int:
        return sum(transcript.bytes_read for transcript, _ in self._unsaved.values())

    def _lose(self) -> None:
        """Mark what only the index contained as lost, because it failed."""
        for transcript in self._hot.values():
            if not transcript.folds.is_fresh:
                transcript.begin_anew()
        self._unsaved = {path: one for path, one in self._unsaved.items() if one[0].folds.is_fresh}
        self._since_loss = set(self._unsaved)
