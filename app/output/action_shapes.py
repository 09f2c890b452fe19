"""Builds the JSON of actions and of the recovery of a session."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from ...storage.model.action import Action
from ...storage.model.evidence import Evidence
from ...storage.model.recovery import Recovery, Restored
from .shapes import integrity_shape, state_shape, time_shape

_INTERNAL = frozenset({"agent", "number", "offset", "size"})
"""Fields left out: the agent, which the session names, and the record's position in the file."""

_DERIVED = (
    *("total_events", "next_sequence", "title", "messages", "message_count", "reasoning_count"),
    *(
        "file_snapshots",
        "pending",
        "running",
        "uncertain",
        "effects",
        "response_cut",
        "completed",
        "failed",
        "checkpoint",
        "terminal",
    ),
    *("run_id", "step", "turn_count"),
)


def action_shape(action: Action) -> dict[str, Any]:
    """Return the JSON object of an action."""
    # Not `asdict`, which would copy the arguments, however deeply nested.
    names = (field.name for field in fields(action) if field.name not in _INTERNAL)
    shape = {name: getattr(action, name) for name in names}
    times = {key: time_shape(shape[key]) for key in ("at", "decided_at")}
    shape["state"] = state_shape(action.state)
    told = {"tool": None, "found": action.found} if action.found else {"found": None}
    return {**shape, **times, **told, "evidence": evidence_shape(action.evidence)}


def evidence_shape(evidence: Evidence | None) -> dict[str, Any] | None:
    """Return the JSON object of evidence; None if there is none."""
    if evidence is None:
        return None
    times = {key: time_shape(getattr(evidence, key)) for key in ("modified_at", "checked_at")}
    return {**asdict(evidence), **times}


def recovery_shape(recovery: Recovery) -> dict[str, Any]:
    """Return the document of `recover`; derived fields are null if the transcript is corrupt."""
    restored = recovery.restored
    return {
        "session": recovery.session,
        "dialect": recovery.dialect,
        "integrity": integrity_shape(recovery.integrity),
        "ignored_partial_tail": recovery.ignored_partial_tail if restored else None,
        **(_restored_shape(restored) if restored else dict.fromkeys(_DERIVED)),
    }


def _restored_shape(restored: Restored) -> dict[str, Any]:
    shape = {key: getattr(restored, key) for key in _DERIVED if key != "message_count"}
    actions = {
        key: [action_shape(action) for action in shape[key]]
        for key in ("pending", "running", "uncertain", "effects")
    }
    return {**shape, **actions, "message_count": len(restored.messages)}
