"""From an event to a memory candidate, and from a candidate back to its source.

The rules are those of the evidence envelope, in its order: the words, the transcript, the event.
"""

from __future__ import annotations

from ..library.library import Library
from ..library.locate import Located, locate
from ..model.candidate import REASON_MOST, SUMMARY_MOST, Candidate, Source, Sourced, candidate_id
from ..model.event import Event
from ..records.digest import digest
from ..text.folding import well_formed
from ..transcript.transcript import Transcript
from .eligibility import refusal_of

SHOWN = 20_000
"""Maximum characters of an event shown with its candidate."""


class Refused(Exception):
    """Why something cannot be remembered, in one sentence."""


_ASKED = {"summary": "say what should be remembered", "reason": "say why it should be remembered"}


def words_of(summary: str, reason: str) -> tuple[str, str]:
    """Return summary and reason with white space collapsed; Refused if one is blank or too long."""
    words = tuple(" ".join(well_formed(text).split()) for text in (summary, reason))
    for name, text in zip(("summary", "reason"), words, strict=True):
        if not text:
            raise Refused(f"The {name} is blank; {_ASKED[name]}.")
    for name, text, most in zip(
        ("summary", "reason"), words, (SUMMARY_MOST, REASON_MOST), strict=True
    ):
        if len(text) > most:
            raise Refused(f"The {name} has {len(text):,} characters; there may be {most:,}.")
    return words[0], words[1]


def proposal(
    transcript: Transcript, event: Event, summary: str, reason: str, now: int
) -> Candidate:
    """Return the candidate for an event of a fully read transcript.

    Raises Refused if the event is not eligible, OSError if the transcript cannot be read.
    """
    summary, reason = words_of(summary, reason)
    if refusal := refusal_of(event, transcript.integrity()):
        raise Refused(f"{event.event_id} cannot be remembered: {refusal}.")
    place = event.place
    if event.event_id is None or event.at is None or place.number is None:
        raise Refused("The event has no id yet: its session is still being read.")
    session, event_id = well_formed(place.session), well_formed(event.event_id)
    sha256 = digest(transcript.path, place.offset, place.size)
    return Candidate(
        candidate=candidate_id(session, event_id, sha256, summary, reason),
        source_id=event_id,
        session_id=session,
        sequence=place.number,
        event_type=event.type,
        captured_at=event.at,
        summary=summary,
        selection_reason=reason,
        status="proposed",
        created_at=now,
        decided_at=None,
        path=transcript.path,
        source_sha256=sha256,
    )


def sourced(library: Library, candidate: Candidate) -> Sourced:
    """Return a candidate with the current state of its source, wherever the transcript is now."""
    files = [
        file.path for file in library.files() if well_formed(file.session) == candidate.session_id
    ]
    found = [one for path in files for one in locate(library, candidate.source_id, path)]
    same = [one for one in found if _digest(one) == candidate.source_sha256]
    named = [one for one in same if one.path == candidate.path]
    if chosen := next(iter([*named, *same]), None):
        trusted = library.transcript(chosen.path).integrity().is_trusted
        return _beside(library, candidate, chosen, "there" if trusted else "corrupt")
    if found:
        return _beside(library, candidate, found[0], "changed")
    is_there = any(path not in library.unreadable for path in files)
    return Sourced(candidate, "changed" if is_there else "gone")


def _beside(library: Library, candidate: Candidate, located: Located, source: Source) -> Sourced:
    session, reader = library.session(located.path), located.event.agent.reader
    return Sourced(
        candidate,
        source,
        is_numbered=not (reader.strict or reader.has_ids),
        title=session.title if session else "",
        text=shown_text(located.event),
        offset=located.event.place.offset,
        file=located.path,
    )


def shown_text(event: Event) -> str:
    """Return an event's text, truncated to what is shown with its candidate or in its form."""
    text = event.text
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _digest(located: Located) -> str:
    place = located.event.place
    try:
        return digest(located.path, place.offset, place.size)
    except OSError:
        return ""
