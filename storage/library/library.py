"""All sessions of all roots, kept up to date, for list, screens and commands.

Files are found by name, listed at once from their head and tail, and then read completely, newest
first. Used by one thread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..decisions.decisions import Decisions
from ..index.index import Index
from ..model.event import Event
from ..model.session import Session
from ..model.store import Root, TranscriptFile
from ..stores.walk import Unreadable
from ..transcript.overview import Overview
from ..transcript.transcript import Transcript
from .catalogue import Catalogue
from .open_transcripts import OpenTranscripts
from .overviews import Overviews
from .sessions import Sessions

if TYPE_CHECKING:
    from .status import SeenEffect
    from .update import Tell


class Library:
    """The sessions of some roots, including the user's decisions.

    Combines the transcripts found (`catalogue`), what was read of them (`transcripts`, `overviews`)
    and the sessions. `cache` is the directory of the index; None for no index.
    """

    def __init__(
        self,
        roots: Sequence[Root],
        cache: Path | None,
        review_days: int = 7,
        decisions: Decisions | None = None,
    ) -> None:
        self.catalogue = Catalogue(roots)
        self.transcripts = OpenTranscripts(self.catalogue, cache)
        self.overviews = Overviews(self.catalogue, self.transcripts)
        self._sessions = Sessions(self.catalogue, self.overviews, decisions, review_days)

    def close(self) -> None:
        """Save what was read and close the index."""
        self.transcripts.close()

    @property
    def index(self) -> Index:
        """The index, opened when it is first needed."""
        return self.transcripts.index

    @property
    def notice(self) -> str:
        """What is wrong with the index, in one sentence; "" if nothing is."""
        return self.transcripts.notice

    @property
    def unreadable(self) -> dict[Path, Unreadable]:
        """Files and directories that cannot be read, by path."""
        return self.catalogue.unreadable

    def files(self) -> Collection[TranscriptFile]:
        """Return the transcripts found by the last scan."""
        return self.catalogue.files.values()

    def file(self, path: Path) -> TranscriptFile | None:
        """Return one of the transcripts by its path; None if it was not found."""
        return self.catalogue.files.get(path)

    def newest_first(self) -> list[Path]:
        """Return the transcripts found by the last scan, most recently changed first."""
        return self.catalogue.newest_first()

    def namesakes(self, path: Path) -> list[Path]:
        """Return other transcripts with the same session id, as in copied directories."""
        return self.catalogue.namesakes(path)

    def rescan(self) -> bool:
        """Scan again; return whether any transcript appeared, disappeared or changed."""
        before = list(self.catalogue.files)
        has_changed = self.catalogue.rescan()
        known = before or self.transcripts.indexed()
        gone = [path for path in known if path not in self.catalogue.files]
        if gone:
            self._sessions.forget(gone)
            self.overviews.forget(gone)
        return has_changed

    def parts(self, path: Path) -> list[Path]:
        """Return the transcripts of the session that one belongs to, oldest first.

        Reads at least head and tail of the transcripts next to it.
        """
        return self.linked(path) if self.overviews.glance_at_parts(path) else [path]

    def linked(self, path: Path) -> list[Path]:
        """Return the same as `parts`, as far as known without reading anything."""
        return self._sessions.parts(path)

    def overview(self, path: Path) -> Overview | None:
        """Return the overview of a transcript; None if nothing of it was read yet."""
        return self.overviews.by_path.get(path)

    def pending(self, only: Sequence[Path] = ()) -> list[Path]:
        """Return the transcripts, or those of `only`, that changed since read, newest first."""
        return self.overviews.pending(only)

    def lost(self) -> list[Path]:
        """Return the transcripts to read again because the index failed, newest first."""
        return self.overviews.lost()

    def glance(self, path: Path) -> None:
        """Load the overview of a transcript from the index, or else from its head and tail."""
        self.overviews.glance(path)

    def transcript(self, path: Path) -> Transcript:
        """Return the transcript of a file as far as it was read."""
        transcript = self.transcripts.open(path)
        transcript.inherited_before = self._sessions.inherited_before(path)
        return transcript

    def advance(self, path: Path) -> Iterator[list[Event]]:
        """Read what is new of a transcript in slices; updates its overview at the end."""
        self.transcript(path)
        yield from self.overviews.advance(path)

    def read(self, path: Path) -> None:
        """Read everything new of a transcript."""
        for _ in self.advance(path):
            pass

    def read_all(self, tell: Tell = lambda progress: None, only: Sequence[Path] = ()) -> None:
        """Bring all transcripts, or these, up to date; calls `tell` between two of them."""
        from .update import bring_up_to_date  # the first list does not wait for it

        bring_up_to_date(self, tell, only)

    def save(self) -> None:
        """Save what was read since the last time in the index."""
        self.transcripts.save()

    def sessions(self, now: int | None = None) -> list[Session]:
        """Return all known sessions and sub-agents as of `now` (milliseconds since 1970)."""
        return self._sessions.all(now)

    def session(self, path: Path, now: int | None = None) -> Session | None:
        """Return the session that a transcript is or is a part of, as of now."""
        return self._sessions.one(path, now)

    def lost_responses(self, now: int | None = None) -> list[Session]:
        """Return the sessions that crashed while a response was being written."""
        crashed = (one for one in self.sessions(now) if one.status == "crashed")
        return [
            session
            for session in crashed
            if (overview := self.overview(session.path)) and overview.facts.responses.cut
        ]

    def see_effects(self, path: Path, seen: tuple[SeenEffect, ...]) -> None:
        """Count what a search of the disk found for the session with its newest part at `path`.

        It replaces what an earlier search found.
        """
        self._sessions.see_effects(path, seen)
