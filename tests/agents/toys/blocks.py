"""An agent whose records hold several events, and are written twice: as themselves and as mirrors.

`{"time": 1790000000000, "from": "bot", "parts": [{"text": "…"}, {"id": "c1", "tool": "Edit", …}]}`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sessions_tui.storage.agents.plain import FlatHome, PlainReader
from sessions_tui.storage.model.agent import Agent
from sessions_tui.storage.model.event import Event, Kind, Place, Record, Usage
from sessions_tui.storage.model.rules import Account
from sessions_tui.storage.records.fields import mapping, milliseconds, string


class Reader(PlainReader):
    """A text, a call or a result for each part."""

    several = True

    def recognises(self, record: Record) -> bool:
        """Return whether a record has what no other agent writes."""
        return "from" in record and type(record.get("parts")) is list

    def blocks(self, record: Record) -> int:
        """Return the number of parts."""
        return len(_parts(record))

    def read(self, record: Record, place: Place) -> Event:
        """Return the event of a part."""
        part = _part(record, place)
        kind: Kind = "prompt" if record.get("from") == "user" else "answer"
        if "tool" in part:
            kind = "call"
        elif "result" in part:
            kind = "result"
        elif "text" not in part:
            kind = "unknown"
        return Event(
            kind,
            place,
            AGENT,
            record,
            self.position_id(place),
            milliseconds(record.get("time")),
            role=string(record.get("from")),
            tool=string(part.get("tool")),
            call_id=string(part.get("id")) if kind in ("call", "result") else None,
            stage="started" if kind == "call" else "ended" if kind == "result" else "",
        )

    def text(self, event: Event) -> str:
        """Return the text of a part, or its result."""
        part = _part(event.record, event.place)
        return string(part.get("text")) or string(part.get("result")) or ""

    def args(self, event: Event) -> Any:
        """Return the arguments of a call."""
        return _part(event.record, event.place).get("args") if event.kind == "call" else None

    def usage(self, record: Record) -> tuple[str, Usage] | None:
        """Return the tokens of a record."""
        tokens = record.get("tokens")
        key = string(record.get("response")) or ""
        return (key, Usage(output=tokens)) if type(tokens) is int else None


def _parts(record: Record) -> list[Any]:
    parts = record.get("parts")
    return parts if type(parts) is list else []


def _part(record: Record, place: Place) -> Record:
    parts = _parts(record)
    return mapping(parts[place.block]) if place.block < len(parts) else {}


class NoMirrors:
    """Leaves out the records that say of themselves that they are mirrors."""

    def take(self, event: Event) -> Account:
        """Return `mirror` for a mirror."""
        return "mirror" if event.record.get("mirror") is True else "counts"

    def as_json(self) -> dict[str, Any]:
        """Return nothing: there is no state."""
        return {}

    def restore(self, data: dict[str, Any], chunks: Iterable[bytes]) -> None:
        """Do nothing."""

    def changed_chunks(self) -> Iterator[tuple[int, bytes]]:
        """Yield nothing."""
        return iter(())

    def stored(self) -> None:
        """Do nothing."""


AGENT = Agent("blocks", "Blocks", Reader, stores=FlatHome(".blocks", "blocks"), sieve=NoMirrors)
