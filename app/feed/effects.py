"""Searches the directories of sessions that lost a response, so that all cases are counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from ...storage.files.fingerprint import Fingerprint
from ...storage.transcript.transcript import Transcript
from .context import Context

if TYPE_CHECKING:
    from ...storage.review.changed_files import ChangedFiles
    from ...storage.review.effects import Effects, KeptEffects, Place


class EffectsWorker:
    """Search for unrecorded effects, one session at a time; used by the feed's thread only."""

    def __init__(self, context: Context) -> None:
        self._library = context.library
        self._now = context.now
        self._kept: KeptEffects | None = None
        self._searched: dict[Path, Fingerprint] = {}
        """The searched transcripts, each with its fingerprint at the time of the search."""
        self._work: Iterator[None] = iter(())
        self._walked: dict[Place, ChangedFiles] = {}
        """Search results that are not yet fetched by `_changed_files`."""

    def changed(self) -> None:
        """Search again, because sessions have changed."""
        self._work = self._search()

    def slice(self) -> bool:
        """Search for one session; return whether there was anything to do."""
        return next(self._work, self) is not self

    def of(self, transcript: Transcript, now: int) -> Effects:
        """Return the effects of a crashed session and count them in the list.

        They are cached for a while. `now` is in milliseconds since the Unix epoch.
        """
        from ...storage.review.effects import KeptEffects  # late, to speed up the first list
        from ...storage.review.seen_effects import seen_in

        self._kept = self._kept or KeptEffects(self._changed_files)
        effects = self._kept.of(transcript, now)
        self._library.see_effects(transcript.path, seen_in(transcript, effects))
        return effects

    def _search(self) -> Iterator[None]:
        for session in self._library.lost_responses(self._now()):
            overview = self._library.overview(session.path)
            if (
                overview
                and overview.whole
                and self._searched.get(session.path) != overview.fingerprint
            ):
                self._searched[session.path] = overview.fingerprint
                transcript = self._library.transcript(session.path)
                yield from self._walk(transcript)
                with suppress(OSError):  # reading the transcript reports the error
                    self.of(transcript, self._now())

    def _walk(self, transcript: Transcript) -> Iterator[None]:
        """Search the directory in a separate thread, as a large one takes half a second."""
        from ...storage.review.changed_files import changed_files
        from ...storage.review.effects import place_to_search

        place = place_to_search(transcript, self._now())
        if isinstance(place, str):
            return
        found: list[ChangedFiles] = []
        thread = Thread(target=lambda: found.append(changed_files(*place)), daemon=True)
        thread.start()
        while thread.is_alive():
            yield
        self._walked = {place: found[0]} if found else {}

    def _changed_files(self, *place: Any) -> ChangedFiles:
        from ...storage.review.changed_files import changed_files

        return self._walked.pop(place, None) or changed_files(*place)
