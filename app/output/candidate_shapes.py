"""Builds the JSON and the export formats of memory candidates."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ...storage.candidates.export import Form
from ...storage.model.candidate import SOURCE_TYPE, Candidate
from .shapes import time_shape, to_json


def candidate_shape(candidate: Candidate) -> dict[str, Any]:
    """Return the JSON object of a candidate."""
    captured = time_shape(candidate.captured_at)
    return {
        "candidate": candidate.candidate,
        "source_id": candidate.source_id,
        "source_type": SOURCE_TYPE,
        "session_id": candidate.session_id,
        "sequence": candidate.sequence,
        "event_type": candidate.event_type,
        "captured_at": captured,
        "summary": candidate.summary,
        "selection_reason": candidate.selection_reason,
        "status": candidate.status,
        "decided_at": time_shape(candidate.decided_at),
        "created_at": time_shape(candidate.created_at),
        "path": os.fspath(candidate.path),
        "source_sha256": candidate.source_sha256,
        "source_metadata": {
            "source_id": candidate.source_id,
            "source_type": SOURCE_TYPE,
            "title": f"{candidate.session_id} event {candidate.sequence}",
            "captured_at": captured,
        },
    }


def told(candidates: Sequence[Candidate], form: Form) -> str:
    """Return the candidates in an export format; equal candidates give identical bytes."""
    if form == "markdown":
        from ...widgets.words.candidate_markdown import markdown_of

        return markdown_of(candidates)
    return "".join(to_json(candidate_shape(candidate)) + "\n" for candidate in candidates)
