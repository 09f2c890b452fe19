"""Formats sessions and events as lines of plain text, for commands without a UI."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len

from ...storage.model.event import Event
from ...storage.model.session import Session
from ...storage.text.safe_text import exact_name
from ...storage.timeline.annotated import AnnotatedEvent
from ...storage.transcript.positions import MERGED_CALL, REPEATED, SILENT_ANSWER
from ...storage.transcript.transcript import Transcript
from ...widgets.words.ages import age, clock, day_short
from ...widgets.words.amounts import count
from ...widgets.words.families import family_words, origin_words
from ...widgets.words.folders import folder_name
from ...widgets.words.kinds import LABELS
from ...widgets.words.safe import fit, one_line
from ...widgets.words.wrapping import wrap

PIPED = 200
"""Columns if the output is not a terminal."""

ROOMY = 100
"""Minimum number of columns to show the full path of a workspace."""

SHORT = 8
"""Characters of a session id, if they suffice to identify it."""

ALIGNED = ("left", "left", "right", "left", "left", "left", "right")
"""Alignment of the columns of a row."""

TITLE, WORKSPACE = 4, 5
"""The columns that shrink if there is too little room."""

GAP, INDENT = "  ", "    "

UNSAID = frozenset({MERGED_CALL, SILENT_ANSWER, REPEATED})
"""Marks of records without a line: the start of a call already listed, empty answers, repeats."""

STATUS_SIGNS = {
    "working": "●",
    "asking": "?",
    "crashed": "⚠",
    "corrupt": "✗",
    "interrupted": "■",
    "waiting": "…",
    "unknown": "~",
}
STATE_SIGNS = {
    "completed": "✓",
    "failed": "✗",
    "uncertain": "⚠",
    "running": "●",
    "pending": "○",
    "unknown": "~",
}


class Row(NamedTuple):
    """The columns of one session, safe to print."""

    id: str
    mark: str
    age: str
    status: str
    title: str
    workspace: str
    events: str


def columns() -> int:
    """Return the maximum width of a line."""
    return shutil.get_terminal_size((PIPED, 24)).columns if sys.stdout.isatty() else PIPED


def short_ids(known: Iterable[str]) -> dict[str, str]:
    """Map each id to a unique prefix: eight characters, or more if others share them."""
    ids = sorted(set(known))
    shared = [0, *(_shared(one, other) for one, other in pairwise(ids)), 0]
    lengths = [max(SHORT, 1 + max(shared[at : at + 2])) for at in range(len(ids))]
    return {id: exact_name(id[:length]) for id, length in zip(ids, lengths, strict=True)}


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def session_lines(
    sessions: Sequence[Session], ids: Mapping[str, str], now: int, width: int, why: bool
) -> Iterator[str]:
    """Yield a line per session, in columns; below it the reason for its status.

    The reason is printed if `why` is set or the session needs the user.
    """
    rows = [_row(session, ids, now, width < ROOMY) for session in sessions]
    widths = _widths(rows, width)
    for session, row in zip(sessions, rows, strict=True):
        if cell_len(row.workspace) > widths[WORKSPACE]:
            row = row._replace(workspace=one_line(folder_name(session.workspace)))
        others = GAP.join(map(fit, row, widths, ALIGNED)).removeprefix(row.id)
        # The id is never cut, as it is needed as an argument.
        yield (row.id + fit(others, width - cell_len(row.id))).rstrip()
        for sentence in _sentences(session, why):
            for part in wrap(one_line(sentence), width - len(INDENT)):
                yield INDENT + part


def _sentences(session: Session, why: bool) -> Iterator[str]:
    """Yield why a session has its status, and how it relates to other sessions."""
    if why or session.needs_you:
        yield session.why
    words = [family_words(session.family), origin_words(session.origin) if why else ""]
    yield from (f"{said[:1].upper()}{said[1:]}." for said in words if said)


def _row(session: Session, ids: Mapping[str, str], now: int, narrow: bool) -> Row:
    sign = STATUS_SIGNS.get(session.status, " ")
    if session.status == "crashed" and not session.uncertain:
        sign = "✗"  # it has no case left to decide
    workspace = folder_name(session.workspace) if narrow else session.workspace
    return Row(
        id=one_line(ids[session.session]),
        mark="⚠" if session.needs_you and sign == " " else sign,
        age=age(session.updated_at, now),
        status=session.status,
        title=_prefix(session) + one_line(session.title),
        workspace=exact_name(workspace),
        events="" if session.events is None else count(session.events, "event"),
    )


def _prefix(session: Session) -> str:
    """Return the marks of a sub-agent, of a pinned and of a hidden session."""
    hidden = "(hidden) " if session.hidden_by else ""
    return ("└ " if session.parent else "") + ("★ " if session.pinned else "") + hidden


def _widths(rows: Sequence[Row], width: int) -> list[int]:
    """Return the width of each column; title and workspace share the remaining space."""
    needs = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    if needs:
        title, workspace = needs[TITLE], needs[WORKSPACE]
        others = sum(needs) - title - workspace + len(GAP) * (len(needs) - 1)
        room = max(0, width - others)
        needs[WORKSPACE] = min(workspace, max(room - title, room // 3))
        needs[TITLE] = min(title, room - needs[WORKSPACE])
    return needs


def event_line(told: AnnotatedEvent, width: int) -> str:
    """Return the line of an event: number, time, kind or tool, state, text."""
    event = told.event
    number = "" if event.place.number is None else str(event.place.number)
    when = f"{day_short(event.at)} {clock(event.at)}" if event.at is not None else "-"
    label = one_line(event.tool) if event.kind == "call" and event.tool else LABELS[event.kind]
    sign = STATE_SIGNS.get(told.state, "-" if not told.active else " ")
    start = f"{number:>7}  {when:<16} {fit(label, 12)} {sign} "
    return (start + fit(one_line(_marked(event)), max(20, width - len(start)))).rstrip()


def _marked(event: Event) -> str:
    """Return the text of an event's line, marked if the event was interrupted."""
    text = text_of(event)
    if event.outcome != "interrupted":
        return text
    words = event.agent.reader.failure(event)
    return text if words in text[:PIPED].casefold() else f"[{words}] {text}"


def text_of(event: Event) -> str:
    """Return the text of an event's line, or why it has none."""
    return event.text or event.problem or event.type


def has_line(transcript: Transcript, index: int) -> bool:
    """Return whether the record at a 0-based index has its own line, as in the UI."""
    kinds = transcript.positions.kinds
    return index >= len(kinds) or kinds[index] not in UNSAID


def first_of(transcript: Transcript, last: int, end: int) -> int:
    """Return the 0-based index from which there are `last` lines up to `end`."""
    while end and last:
        end -= 1
        last -= has_line(transcript, end)
    return end
