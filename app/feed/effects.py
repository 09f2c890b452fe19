"""Searches the directories of sessions that lost a response, so that the list counts all cases."""

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
    """Searches for unrecorded effects, one session at a time; used by the feed's thread alone."""

    def __init__(self, context: Context) -> None:
        self._library = context.library
        self._now = context.now
        self._kept: KeptEffects | None = None
        self._searched: dict[Path, Fingerprint] = {}
        """The transcripts whose sessions were searched, as far as they were read then."""
        self._work: Iterator[None] = iter(())
        self._walked: dict[Place, ChangedFiles] = {}
        """What was found already, until it is asked for."""

    def changed(self) -> None:
        """Look at the sessions again: they changed."""
        self._work = self._search()

    def slice(self) -> bool:
        """Search for one session; return whether there was anything to do."""
        return next(self._work, self) is not self

    def of(self, transcript: Transcript, now: int) -> Effects:
        """Return the effects of a crashed session, which from now on count in the list.

        They are kept for a while. `now` is in milliseconds since 1970.
        """
        from ...storage.review.effects import KeptEffects  # the first list does not wait for it
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
                with suppress(OSError):  # whoever reads the transcript reports that
                    self.of(transcript, self._now())

    def _walk(self, transcript: Transcript) -> Iterator[None]:
        """Search the directory in a thread of its own: a large one takes half a second."""
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
