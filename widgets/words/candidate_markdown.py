"""Approved candidates as Markdown: the same bytes for the same candidates, and no foreign markup.

Whoever hands the text on does not know where it is rendered, so what candidates say can neither
begin a heading, a list or a quotation, nor be a link, an image, code or HTML there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from ...storage.model.candidate import Candidate, CandidateStatus
from .safe import safe_text

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

_MARKUP = re.compile(r"[\\`*_\[\]~$]")

_LINK = re.compile(r"(?<=[Ww]{3})\.|:(?=//)|@")
"""What makes an address a link without any brackets, where Markdown is GitHub's."""

_LINE_START = re.compile(r"^(?:[-+#=:]|\d+(?=[.)]))")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def markdown_of(items: Sequence[Candidate]) -> str:
    """A list of the approved ones among some candidates, in their order; "" where there is none."""
    lines = [line for item in items if item.status == "approved" for line in _lines(item)]
    return "".join(f"{line}\n" for line in lines)


def escaped(text: str) -> str:
    """Foreign text on one line, as Markdown and HTML show it and nothing else."""
    line = " ".join(safe_text(text).split())
    line = _MARKUP.sub(r"\\\g<0>", line.translate(_ENTITIES))
    line = _LINK.sub(r"\\\g<0>", line)
    return _LINE_START.sub(_escape_start, line)


def _escape_start(match: re.Match[str]) -> str:
    """A sign gets a backslash before it; of `1.` it is the full stop that is taken literally."""
    start = match.group()
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def _lines(item: Candidate) -> Iterator[str]:
    source = ", ".join((escaped(item.source_id), escaped(item.event_type), _time(item.captured_at)))
    yield f"- {escaped(item.summary)}"
    yield f"  - Reason: {escaped(item.selection_reason)}"
    yield f"  - Source: {source}"


def _time(at: int) -> str:
    """In UTC, whatever the time zone is where this runs."""
    try:
        moment = _EPOCH + timedelta(milliseconds=at)
    except OverflowError:
        return "no time"
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


CANDIDATE_SIGNS: dict[CandidateStatus, str] = {"proposed": "◇", "approved": "◆", "rejected": "✗"}
