"""Writes MyCodeAgent's events: its keys in its order, times in UTC with a Z."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from ..agents import DIALECTS
from ..agents.mycodeagent.loader import refusal
from ..folds.ancestry import CONTINUES
from ..model.event import Record
from ..records.parsing import Damage, is_blank, parse
from ..stores.discovery import PREFIX
from .clock import iso
from .drafts import Draft, drafted, encoder_for, line_of
from .errors import RecordRefused, TornTail
from .form import Mend

FIELDS = ("run_id", "step", "event_type", "payload")
"""What a record is made of, beside what the store adds."""

_ORDER = ("event_id", "timestamp", "session_id", *FIELDS, "schema_version")


def new_event_id() -> str:
    """An id that no other event has."""
    return f"evt-{uuid4().hex}"


class MyCodeAgentForm:
    """The form of MyCodeAgent's transcripts. `new_id` gives each event its id."""

    dialect = DIALECTS["mycodeagent"]
    prefix = PREFIX

    def __init__(self, allow_nan: bool = False, new_id: Callable[[], str] = new_event_id) -> None:
        self._encoder = encoder_for(sort_keys=False, allow_nan=allow_nan)
        self._new_id = new_id

    def drafted(self, fields: Mapping[str, Any]) -> Draft:
        """A draft of exactly `FIELDS`, such that MyCodeAgent's own loader takes it."""
        if fields.keys() != set(FIELDS):
            raise RecordRefused(f"A record is made of {', '.join(FIELDS)}, no more and no less.")
        draft = drafted(fields, self._encoder)
        if why := refusal(draft.record | {"event_id": "", "timestamp": ""}):
            raise RecordRefused(f"MyCodeAgent would refuse the file: the record {why}.")
        return draft

    def stamped(
        self, draft: Draft, session: str, number: int, at: datetime, continues: str | None
    ) -> tuple[bytes, Record]:
        """The whole record; what it continues stands last, where the agent's loader ignores it."""
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
        """As the agent itself: a whole record gets its line end, anything else that was cut is cut.

        TornTail where the tail is JSON that no cut explains, or holds lines that end in a lone CR:
        the agent would cut them all.
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
