"""Records that a writer delivers again, as after a compaction or a resume of its session.

The product's own reader drops them. Told twice, a call would look like one without a result, and
tokens would count double.
"""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from collections import OrderedDict
from zlib import crc32

from .event import Event

REMEMBERED = 1000
"""The last records that one is compared with: as many as the product loads on a resume."""


class Repeats:
    """The last records of a transcript, by what tells one from any other."""

    def __init__(self) -> None:
        self._keys: OrderedDict[int, None] = OrderedDict()

    def is_one(self, event: Event) -> bool:
        """Whether an event was there before; it is remembered if not."""
        key = _key(event)
        if key is None:
            return False
        if key in self._keys:
            return True
        self._keys[key] = None
        if len(self._keys) > REMEMBERED:
            self._keys.popitem(last=False)
        return False

    def as_json(self) -> str:
        """Plain data for the index."""
        return b64encode(array("Q", self._keys).tobytes()).decode("ascii")

    @classmethod
    def from_json(cls, data: str) -> Repeats:
        """What `as_json` gave."""
        repeats = cls()
        repeats._keys = OrderedDict.fromkeys(array("Q", b64decode(data)))
        return repeats


def repeated(event: Event) -> Event:
    """The event of a record that was there before: it says nothing of its own."""
    return event._replace(kind="meta", tool=None, call_id=None, stage="", outcome="")


def _key(event: Event) -> int | None:
    """Time, length and ids together; None where only its place tells a record from others.

    The other dialects number their records, and count what stands twice as two.
    """
    record, at = event.record, event.at
    name = record.get("id")
    if event.dialect.STRICT or at is None or type(name) is not str:
        return None
    said = f"{name}\0{record.get('type')}\0{event.call_id}\0{event.place.size}"
    return (at & 0xFFFFFFFF) << 32 | crc32(said.encode("utf-8", "surrogatepass"))
