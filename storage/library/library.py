"""All sessions of all roots, kept up to date: what list, screen and commands ask.

Files are found by name, known at once by a glance at head and tail, and read whole behind that,
newest first. Used by one thread.
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
    """The sessions of some roots, as they are with what their person decided.

    From which transcripts there are (`catalogue`), by what was read of them (`transcripts`,
    `overviews`), to the sessions. `cache` is the directory of the index, None for none.
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
        """Keep what was read and close the index."""
        self.transcripts.close()

    @property
    def index(self) -> Index:
        """The index, opened when there is something to look up or to keep."""
        return self.transcripts.index

    @property
    def notice(self) -> str:
        """What is wrong with the index, in a sentence; "" if nothing is known to be."""
        return self.transcripts.notice

    @property
    def unreadable(self) -> dict[Path, Unreadable]:
        """What cannot be read, by path."""
        return self.catalogue.unreadable

    def files(self) -> Collection[TranscriptFile]:
        """The transcripts found by the last rescan."""
        return self.catalogue.files.values()

    def file(self, path: Path) -> TranscriptFile | None:
        """One of them by its path."""
        return self.catalogue.files.get(path)

    def newest_first(self) -> list[Path]:
        """The transcripts found by the last rescan, by the time they last changed."""
        return self.catalogue.newest_first()

    def namesakes(self, path: Path) -> list[Path]:
        """Other transcripts with the session id of this one: copied stores hold them."""
        return self.catalogue.namesakes(path)

    def rescan(self) -> bool:
        """Look for transcripts again; whether any came, went or changed."""
        before = list(self.catalogue.files)
        has_changed = self.catalogue.rescan()
        known = before or self.transcripts.indexed()
        gone = [path for path in known if path not in self.catalogue.files]
        if gone:
            self._sessions.forget(gone)
            self.overviews.forget(gone)
        return has_changed

    def parts(self, path: Path) -> list[Path]:
        """The transcripts of the session that one belongs to, the oldest first.

        For that the transcripts beside it are known at least by a glance.
        """
        return self.linked(path) if self.overviews.glance_at_parts(path) else [path]

    def linked(self, path: Path) -> list[Path]:
        """As `parts`, as far as they are known."""
        return self._sessions.parts(path)

    def overview(self, path: Path) -> Overview | None:
        """What is known of a transcript; None while it was not even glanced at."""
        return self.overviews.by_path.get(path)

    def pending(self, only: Sequence[Path] = ()) -> list[Path]:
        """Transcripts, or of only these, that changed since they were read, newest first."""
        return self.overviews.pending(only)

    def lost(self) -> list[Path]:
        """Transcripts to be read again because the index failed, newest first."""
        return self.overviews.lost()

    def glance(self, path: Path) -> None:
        """Know a transcript by the index, or else by its head and tail."""
        self.overviews.glance(path)

    def transcript(self, path: Path) -> Transcript:
        """The transcript of a file as far as it was read."""
        transcript = self.transcripts.open(path)
        transcript.inherited_before = self._sessions.inherited_before(path)
        return transcript

    def advance(self, path: Path) -> Iterator[list[Event]]:
        """Read what is new of a transcript, a slice at a time, and know it anew at the end."""
        self.transcript(path)
        yield from self.overviews.advance(path)

    def read(self, path: Path) -> None:
        """Read all that is new of a transcript."""
        for _ in self.advance(path):
            pass

    def read_all(self, tell: Tell = lambda progress: None, only: Sequence[Path] = ()) -> None:
        """Bring all transcripts, or these, up to date; `tell` hears between two of them."""
        from .update import bring_up_to_date  # the first list does not wait for it

        bring_up_to_date(self, tell, only)

    def save(self) -> None:
        """Keep in the index what was read since the last time."""
        self.transcripts.save()

    def sessions(self, now: int | None = None) -> list[Session]:
        """Every known session and sub-agent as it is at `now` (milliseconds)."""
        return self._sessions.all(now)

    def session(self, path: Path, now: int | None = None) -> Session | None:
        """The session that a transcript is, or is a part of, as it is now."""
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
