"""A small agent: one JSON object per line, `{"who": "user", "say": "…", "at": 1790000000000}`."""

from __future__ import annotations

from sessions_tui.storage.agents.plain import FlatHome, PlainReader
from sessions_tui.storage.model.agent import Agent
from sessions_tui.storage.model.event import Event, Kind, Place, Record
from sessions_tui.storage.records.fields import milliseconds, string

KINDS: dict[str | None, Kind] = {"user": "prompt", "bot": "answer", "run": "call", "ran": "result"}


class Reader(PlainReader):
    """Prompts, answers, calls and results."""

    def recognises(self, record: Record) -> bool:
        """Return whether a record has what no other agent writes."""
        return "who" in record and "say" in record

    def read(self, record: Record, place: Place) -> Event:
        """Return the event of a record."""
        who = string(record.get("who"))
        kind = KINDS.get(who, "unknown")
        is_failure = kind == "result" and record.get("failed") is True
        return Event(
            kind,
            place,
            AGENT,
            record,
            self.position_id(place),
            milliseconds(record.get("at")),
            role=who,
            tool=string(record.get("tool")),
            call_id=string(record.get("id")) if kind in ("call", "result") else None,
            stage={"call": "started", "result": "ended"}.get(kind, ""),  # type: ignore[arg-type]
            outcome="failed" if is_failure else "",
        )

    def text(self, event: Event) -> str:
        """Return what was said."""
        return string(event.record.get("say")) or ""


AGENT = Agent("notes", "Notes", Reader, stores=FlatHome(".notes", "notes"))
