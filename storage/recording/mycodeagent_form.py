"""Writes MyCodeAgent's events: its keys in its order, times in UTC with a Z."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from ..agents import AGENTS
from ..agents.mycodeagent.loader import refusal
from ..agents.mycodeagent.stores import PREFIX
from ..model.event import CONTINUES, Record
from ..records.parsing import Damage, is_blank, parse
from .clock import iso
from .drafts import Draft, drafted, encoder_for, line_of
from .errors import RecordRefused, TornTail
from .form import Mend

FIELDS = ("run_id", "step", "event_type", "payload")
"""The fields of a record, apart from those the store adds."""

_ORDER = ("event_id", "timestamp", "session_id", *FIELDS, "schema_version")


def new_event_id() -> str:
    """Return a unique event id."""
    return f"evt-{uuid4().hex}"


class MyCodeAgentForm:
    """The form of MyCodeAgent's transcripts. `new_id` returns the id of each event."""

    agent = AGENTS["mycodeagent"]
    prefix = PREFIX

    def __init__(self, allow_nan: bool = False, new_id: Callable[[], str] = new_event_id) -> None:
        self._encoder = encoder_for(sort_keys=False, allow_nan=allow_nan)
        self._new_id = new_id

    def drafted(self, fields: Mapping[str, Any]) -> Draft:
        """Return a draft of exactly `FIELDS`, such that MyCodeAgent's own loader accepts it."""
        if fields.keys() != set(FIELDS):
            raise RecordRefused(f"A record is made of {', '.join(FIELDS)}, no more and no less.")
        draft = drafted(fields, self._encoder)
        if why := refusal(draft.record | {"event_id": "", "timestamp": ""}):
            raise RecordRefused(f"MyCodeAgent would refuse the file: the record {why}.")
        return draft

    def stamped(
        self, draft: Draft, session: str, number: int, at: datetime, continues: str | None
    ) -> tuple[bytes, Record]:
        """Return the complete record, `continues` last, where the agent's loader ignores it."""
        time = iso(at).replace("+00:00", "Z")
        texts = {"event_id": self._new_id(), "timestamp": time, "session_id": session}
        order: tuple[str, ...] = _ORDER
        if continues is not None:
            texts[CONTINUES] = continues
            order = (*_ORDER, CONTINUES)
        whole = draft.settled(texts)
        whole.parts["schema_version"] = b'"schema_version": 1'
        whole.record["schema_version"] = 1
        return line_of([whole.parts[name] for name in order]), whole.record

    def mend(self, tail: bytes) -> Mend:
        """Return what the agent itself does: complete a whole record, remove an incomplete one.

        Raises TornTail if the tail is JSON that truncation does not explain, or has lines that end
        in a lone CR: the agent would remove them all.
        """
        if not tail:
            return "nothing"
        if sum(not is_blank(line) for line in tail.split(b"\r")) > 1:
            raise TornTail("its lines end in CR alone; begin a new file that continues it")
        parsed = parse(tail, strict=True)
        if not isinstance(parsed, Damage):
            return "complete"
        if parsed.kind not in ("bad_json", "encoding"):
            raise TornTail(f"its last line cannot be a record: {parsed.detail}")
        return "cut"
