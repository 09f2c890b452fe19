"""The label of each kind of event."""

from __future__ import annotations

from ...storage.model.event import Kind

LABELS: dict[Kind, str] = {
    "prompt": "you",
    "injected": "injected",
    "answer": "answer",
    "reasoning": "thought",
    "call": "call",
    "result": "result",
    "snapshot": "snapshot",
    "title": "title",
    "summary": "summary",
    "transition": "state",
    "checkpoint": "checkpt",
    "terminal": "end",
    "notice": "notice",
    "meta": "meta",
    "unknown": "unknown",
    "damaged": "damaged",
}
