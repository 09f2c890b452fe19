"""Formats memory candidates as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from ...storage.model.candidate import Candidate
from ...widgets.words.ages import clock, day_short
from ...widgets.words.candidate_markdown import CANDIDATE_SIGNS
from ...widgets.words.safe import exact_name, fit, one_line
from ...widgets.words.wrapping import wrap

INDENT = "    "


def candidate_lines(candidate: Candidate, width: int) -> Iterator[str]:
    """Yield a candidate's line (sign, id, status, time, source), then its full text."""
    at = candidate.captured_at
    when = f"{day_short(at)} {clock(at)}"
    sign = CANDIDATE_SIGNS[candidate.status]
    start = f"{sign} {candidate.candidate}  {candidate.status:<8}  {when:<16}  "
    yield (start + fit(exact_name(candidate.source_id), max(20, width - len(start)))).rstrip()
    for words in (candidate.summary, f"because: {candidate.selection_reason}"):
        for part in wrap(one_line(words, 2_000), max(20, width - len(INDENT))):
            yield INDENT + part
