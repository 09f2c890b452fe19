"""What both recorders share: appending, notifying, remembering; one caller at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, TypeVarTuple

from ..model.event import Event
from ..model.memory import SessionMemory
from .errors import TornTail, readable
from .facts import OnRecord
from .fork_safety import Mutex
from .form import Form
from .log import Late
from .running_memory import RunningMemory, opening_of
from .shards import session_of
from .store import WHILE, Store

_LOG = logging.getLogger(__name__)

Done = TypeVar("Done")
Given = TypeVarTuple("Given")


class Recording:
    """A store with a callback and a session memory, which costs nothing until it is requested."""

    def __init__(self, store: Store, form: Form, on_record: OnRecord | None) -> None:
        self.store = store
        self._agent = form.agent
        self._on_record = on_record
        self._opening = opening_of(store.path, store.session, form)
        self._mutex = Mutex()
        self._memory: RunningMemory | None = None

    def in_turn(self, work: Callable[[*Given], Done], *given: *Given) -> Done:
        """Call `work` while no other thread does, and never nested in a signal handler.

        Always acquired before the store's own lock, never while holding it: acquiring two locks in
        both orders can deadlock.
        """
        return self._mutex.in_turn(
            lambda: f"{self.store.path} is in use by this very thread, {WHILE}.", work, *given
        )

    def append(self, fields: Mapping[str, Any]) -> Event:
        """Append a record, then call `on_record`."""
        return self.told(self.in_turn(self.keep, fields))

    def keep(self, fields: Mapping[str, Any], late: Late | None = None) -> Event:
        """Append a record without calling `on_record`; call this within `in_turn`."""
        try:
            return self.store.append(fields, late)
        except TornTail as error:
            raise TornTail(
                f"{error} Made by continuing(), a recorder goes on in a new file."
            ) from None

    def told(self, event: Event) -> Event:
        """Call `on_record` with a stored event; return the event even if the callback fails."""
        if self._on_record is None:
            return event
        try:
            self._on_record(event)
        except Exception as error:
            _LOG.warning("on_record could not take %s: %s", event.event_id, error, exc_info=True)
        return event

    def memory(self, alive: bool) -> SessionMemory:
        """Return the memory of the whole recording so far, including other writers' records."""
        return self.in_turn(self._remember, alive)

    def flush(self) -> None:
        """Wait until everything appended is on disk."""
        self.in_turn(self.store.flush)

    def close(self) -> None:
        """Close the file."""
        self.in_turn(self.store.close)

    def _remember(self, alive: bool) -> SessionMemory:
        if self._memory is not None:
            self.store.look()
        if self._memory is None or not self.store.is_followed_by(self._memory.add):
            self._memory = self._begin_memory()  # the first time, or after an interruption
        return self._memory.memory(alive)

    def _begin_memory(self) -> RunningMemory:
        files = self.store.files()
        with readable(self.store.path):
            session = session_of(files[0]) if files else self.store.session
        memory = RunningMemory(session, self._agent, self._opening)
        self.store.follow(memory.add)
        return memory
