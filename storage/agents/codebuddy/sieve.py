"""What identifies a CodeBuddy record that is written again; its own reader drops it."""

from __future__ import annotations

from zlib import crc32

from ...model.event import Event


def key(event: Event) -> int | None:
    """Return time, size and ids in one number; None if only its position identifies a record."""
    record, at = event.record, event.at
    name = record.get("id")
    if at is None or type(name) is not str:
        return None
    said = f"{name}\0{record.get('type')}\0{event.call_id}\0{event.place.size}"
    return (at & 0xFFFFFFFF) << 32 | crc32(said.encode("utf-8", "surrogatepass"))
