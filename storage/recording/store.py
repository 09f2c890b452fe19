"""The files of one recording as one place to append to, however many there are.

Threads may share a store; processes open one each. Appending waits for the disk, unless asked not
to: a record that was confirmed outlives a power cut.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypedDict

from ..event import Event
from .appending import Late, Log, Taker, Terms
from .errors import RecordRefused, TornTail
from .forms import Form
from .locking import PATIENCE
from .reading import events_of, readable
from .shards import (
    LIMIT,
    chain_of,
    is_lost,
    is_session_name,
    newest_of,
    next_path,
    numbered_paths,
    path_of,
    successor,
)

Clock = Callable[[], datetime]
"""Tells the time, in any zone; one without is local."""


class Options(TypedDict, total=False):
    """How a recording is kept."""

    sync: bool
    """Whether each record is on the disk before its method returns (True, a few milliseconds).
    Without, it outlives a killed process, but a power cut only after `flush`."""
    limit: int | None
    """Records of a file after which the next one is begun (10,000); None for no limit."""
    continues: str | None
    """The session, in the same directory, that a new file continues."""
    patience: float
    """Seconds to wait for other writers (30)."""
    clock: Clock
    """Where times come from."""


def in_utc(at: datetime) -> datetime:
    """A time in UTC; one without a zone is local."""
    return at if at.tzinfo is UTC else at.astimezone(UTC)


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def at_least_one(name: str, value: int | None) -> None:
    """Raise ValueError unless it is a whole number from 1 on, or None."""
    if value is not None and (type(value) is not int or value < 1):
        raise ValueError(f"{name} must be a whole number of at least 1, or None")


class Store:
    """Append-only files that continue one another; `path` may be of any of them, or a new one."""

    def __init__(
        self,
        path: Path,
        form: Form,
        *,
        sync: bool = True,
        limit: int | None = LIMIT,
        continues: str | None = None,
        patience: float = PATIENCE,
        clock: Clock = utc_now,
    ) -> None:
        at_least_one("limit", limit)
        if type(patience) not in (int, float) or not patience >= 0:
            raise ValueError("patience must be a number of seconds")
        if continues is not None and continues == path.stem.removeprefix(form.prefix):
            raise RecordRefused(f"{continues!a} cannot continue itself.")
        for name in (path.stem, continues):
            if name is not None and not is_session_name(name):
                raise RecordRefused(f"{name!a} cannot be the name of a session.")
        self._form = form
        self._sync = sync
        self._limit = limit
        self._continues = continues
        self._patience = patience
        self._clock = clock
        self._mutex = threading.RLock()
        self._log = self._open(newest_of(path.absolute()))

    @property
    def path(self) -> Path:
        """The file that is appended to now."""
        return self._log.path

    @property
    def session(self) -> str:
        """The session id of that file."""
        return self._log.session

    def files(self) -> list[Path]:
        """The files so far, oldest first."""
        if files := list(chain_of(self.path)):
            return files
        if self._continues is None:
            return []
        return list(chain_of(path_of(self._continues, self.path, self._form.prefix)))

    def append(self, fields: Mapping[str, Any], late: Late | None = None) -> Event:
        """Append a record; its event, as a reader has it, once it is kept. RecordingError if not.

        Raises RecordRefused, with no file touched, where it cannot be written. `late` is asked for
        texts of some fields when all records before it are known and no other can come between.
        """
        draft = self._form.drafted(fields)
        with self._mutex:
            terms = Terms(self._now, self._continues, self._limit, late)
            while (event := self._log.append(draft, terms)) is None:
                self._roll()
                terms = terms._replace(continues=self._continues)
            return event

    def follow(self, take: Taker) -> None:
        """Hand over every event of the recording in its order, from its first to all to come.

        Those of other writers come when this store appends or looks.
        """
        with self._mutex:
            self.look()
            for path in self.files():
                with readable(path):
                    self._hand_over(path, take)
            self._log.takers.append(take)

    def _hand_over(self, path: Path, take: Taker) -> None:
        for event in events_of(path):
            if path == self.path and event.place.offset >= self._log.end:
                break  # the log hands it over when it comes to it
            take(event)

    def look(self) -> None:
        """Take in what other writers appended, and go where they went on."""
        with self._mutex:
            self._log.look()
            while (after := successor(self.path)) is not None:
                self._go_on_in(after)
                self._log.look()

    def flush(self) -> None:
        """Wait until all that was appended is on the disk."""
        with self._mutex:
            self._log.flush()

    def close(self) -> None:
        """Close the file."""
        with self._mutex:
            self._log.close()

    def _now(self) -> datetime:
        return in_utc(self._clock())

    def _open(self, path: Path) -> Log:
        return Log(path, self._form, self._sync, self._patience)

    def _roll(self) -> None:
        """Go on in the next file, which another writer may have begun, or be about to."""
        before = self.session
        paths = numbered_paths(self.path)
        self._go_on_in(
            next(path for path in paths if not is_lost(path) and self._is_ours(path, before))
        )

    def _go_on_in(self, path: Path) -> None:
        before = self._log
        before.close()
        self._log = self._open(path)
        self._log.takers = before.takers
        self._continues = before.session

    def _is_ours(self, path: Path, before: str) -> bool:
        with closing(self._open(path)) as log:
            return log.may_continue(before)


def where_to_continue(
    path: Path, form: Form, patience: float = PATIENCE
) -> tuple[Path, str | None]:
    """The file in which a recording goes on after whatever ended it, and what it then continues.

    That is its last file or, where that may not be appended to, a new one. Raises Untrusted where
    its evidence is broken, NotKept where it cannot be read.
    """
    last = newest_of(path.absolute())
    with closing(Log(last, form, patience=patience)) as log:
        try:
            log.check()
        except TornTail:
            return next_path(last), log.session
    return last, None
