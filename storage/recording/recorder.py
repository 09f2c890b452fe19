"""What both recorders do alike: append, tell, remember."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..event import Event
from .errors import readable
from .facts import OnRecord
from .forms import Form
from .remembering import RunningMemory
from .shards import session_of
from .store import Store


class Recording:
    """A store with a callback and a memory. The memory costs nothing until it is asked for."""

    def __init__(self, store: Store, form: Form, on_record: OnRecord | None) -> None:
        self.store = store
        self._dialect = form.dialect.NAME
        self._on_record = on_record
        self._memory: RunningMemory | None = None

    def append(self, fields: Mapping[str, Any]) -> Event:
        """Append a record, then tell of it."""
        return self.told(self.store.append(fields))

    def told(self, event: Event) -> Event:
        """Tell of a record that was kept; its event."""
        if self._on_record is not None:
            self._on_record(event)
        return event

    def memory(self) -> RunningMemory:
        """The memory of the whole recording up to now, other writers' records included."""
        if self._memory is None:
            self._memory = self._begin_memory()
        else:
            self.store.look()
            if not self.store.is_followed_by(self._memory.add):  # it was interrupted
                self._memory = self._begin_memory()
        return self._memory

    def _begin_memory(self) -> RunningMemory:
        files = self.store.files()
        with readable(self.store.path):
            session = session_of(files[0]) if files else self.store.session
        memory = RunningMemory(session, self._dialect)
        self.store.follow(memory.add)
        return memory
