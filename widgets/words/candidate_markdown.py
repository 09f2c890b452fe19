"""Approved candidates as Markdown: deterministic, and with all foreign markup escaped.

It is unknown where the text will be rendered, so the text of candidates can neither begin a
heading, list or quotation, nor be a link, an image, code or HTML there.
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
"""What turns an address into a link without brackets in GitHub's Markdown."""

_LINE_START = re.compile(r"^(?:[-+#=:]|\d+(?=[.)]))")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def markdown_of(items: Sequence[Candidate]) -> str:
    """Return a list of the approved candidates, in order; "" if there are none."""
    lines = [line for item in items if item.status == "approved" for line in _lines(item)]
    return "".join(f"{line}\n" for line in lines)


def escaped(text: str) -> str:
    """Return foreign text on one line, to be shown literally by Markdown and HTML."""
    line = " ".join(safe_text(text).split())
    line = _MARKUP.sub(r"\\\g<0>", line.translate(_ENTITIES))
    line = _LINK.sub(r"\\\g<0>", line)
    return _LINE_START.sub(_escape_start, line)


def _escape_start(match: re.Match[str]) -> str:
    """Put a backslash before a sign; in `1.`, before the full stop."""
    start = match.group()
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def _lines(item: Candidate) -> Iterator[str]:
    source = ", ".join((escaped(item.source_id), escaped(item.event_type), _time(item.captured_at)))
    yield f"- {escaped(item.summary)}"
    yield f"  - Reason: {escaped(item.selection_reason)}"
    yield f"  - Source: {source}"


def _time(at: int) -> str:
    """Return a time in UTC, independent of the local time zone."""
    try:
        moment = _EPOCH + timedelta(milliseconds=at)
    except OverflowError:
        return "no time"
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


CANDIDATE_SIGNS: dict[CandidateStatus, str] = {"proposed": "◇", "approved": "◆", "rejected": "✗"}
