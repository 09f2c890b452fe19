"""The files of one recording as a single log, however many there are.

Threads may share a store; each process opens its own. By default appending waits for the disk, so
that a confirmed record survives a power cut.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypedDict, TypeVar

from ..model.event import Event
from .clock import Clock, utc_now
from .drafts import Draft
from .errors import NotKept, RecordRefused, TornTail, readable
from .fork_safety import Mutex
from .form import Form
from .lock import PATIENCE
from .log import Late, Log, Taker, Terms
from .shards import (
    LIMIT,
    chain_of,
    check_name,
    continues_of,
    events_of,
    free_names,
    is_begun,
    is_session_name,
    newest_of,
    path_of,
    successor,
)


class Options(TypedDict, total=False):
    """How a recording is written."""

    sync: bool
    """Whether each record is on disk before its method returns (True; takes a few milliseconds).
    Otherwise it survives a killed process, but a power cut only after `flush`, or once a later file
    of the recording was begun."""
    limit: int | None
    """Maximum records per file (10,000); None for no limit."""
    continues: str | None
    """The session, in the same directory, that a new file continues."""
    goes_on: bool
    """Whether to begin the next file if the last one must not be appended to (False)."""
    patience: float
    """Seconds to wait for other writers (30)."""
    clock: Clock
    """Source of timestamps."""


Given = ParamSpec("Given")
Done = TypeVar("Done")


def _in_turn(
    method: Callable[Concatenate[Store, Given], Done],
) -> Callable[Concatenate[Store, Given], Done]:
    """Run a method in one thread at a time, and never nested within another in the same thread."""

    @wraps(method)
    def taken(self: Store, /, *args: Given.args, **options: Given.kwargs) -> Done:
        work = partial(method, self, *args, **options)
        return self._mutex.in_turn(
            lambda: f"{self.path} is being written by this very thread, {WHILE}.", work
        )

    return taken


WHILE = "which a signal handler or a callback of the store interrupted"


def at_least_one(name: str, value: int | None) -> None:
    """Raise ValueError unless `value` is None or an integer of at least 1."""
    if value is not None and (type(value) is not int or value < 1):
        raise ValueError(f"{name} must be a whole number of at least 1, or None")


class Store:
    """Append-only files that continue one another; `path` may be any of them, or new."""

    def __init__(
        self,
        path: Path,
        form: Form,
        *,
        sync: bool = True,
        limit: int | None = LIMIT,
        continues: str | None = None,
        goes_on: bool = False,
        patience: float = PATIENCE,
        clock: Clock = utc_now,
    ) -> None:
        at_least_one("limit", limit)
        if type(patience) not in (int, float) or not patience >= 0:
            raise ValueError("patience must be a number of seconds")
        check_name(path, form.prefix)
        if continues is not None and continues == path.stem.removeprefix(form.prefix):
            raise RecordRefused(f"{continues!a} cannot continue itself.")
        if continues is not None and not is_session_name(continues):
            raise RecordRefused(f"{continues!a} cannot be the name of a session.")
        self._form = form
        self._terms = Terms(clock, sync, limit, patience)
        self._goes_on = goes_on
        self._mutex = Mutex()
        with readable(path):
            newest = newest_of(path)
            said = None if newest.name == path.name else continues_of(path)
        self._log = self._open(newest)
        self._continues = None if continues == said else continues
        self._unflushed: NotKept | None = None
        self._after: str | None = None
        """The first unused name for a next file; None until searched for."""

    @property
    def path(self) -> Path:
        """The file currently appended to."""
        return self._log.path

    @property
    def session(self) -> str:
        """The session id of that file."""
        return self._log.session

    def files(self) -> list[Path]:
        """Return the files so far, oldest first."""
        if files := list(chain_of(self.path)):
            return files
        if self._continues is None:
            return []
        return list(chain_of(path_of(self._continues, self.path, self._form.prefix)))

    @_in_turn
    def append(self, fields: Mapping[str, Any], late: Late | None = None) -> Event:
        """Append a record; return its event, as a reader sees it, once it is stored.

        Raises RecordRefused, with no file changed, if it cannot be written, or another
        RecordingError if it is not stored. `late` is called for some of the fields once all records
        before it are known and no other can intervene.
        """
        return self._append(self._form.drafted(fields), late)

    @_in_turn
    def follow(self, take: Taker) -> None:
        """Pass every event of the recording to `take` in order, from the first on, as it grows.

        Events of other writers are passed when this store appends or looks. An interruption while
        events are passed ends this, as does an error in `take`: see `is_followed_by`.
        """
        self._look()
        for path in self.files():
            with readable(path):
                self._hand_over(path, take)
        self._log.takers.append(take)

    def is_followed_by(self, take: Taker) -> bool:
        """Return whether events are still passed to `take`."""
        return take in self._log.takers

    def _hand_over(self, path: Path, take: Taker) -> None:
        for event in events_of(path):
            if path == self.path and (event.place.number or 0) > self._log.handed_over:
                break  # the log will pass it on
            take(event)

    @_in_turn
    def look(self) -> None:
        """Read what other writers appended, and switch to the file they went on in."""
        self._look()

    def _look(self) -> None:
        self._log.look()
        with readable(self.path):
            while (after := successor(self.path)) is not None:
                self._go_on_in(after)
                self._log.look()

    @_in_turn
    def flush(self) -> None:
        """Wait until everything appended is on disk."""
        error, self._unflushed = self._unflushed, None
        if error is not None:
            raise error
        self._log.flush()

    @_in_turn
    def close(self) -> None:
        """Close the file."""
        self._log.close()

    def _open(self, path: Path) -> Log:
        return Log(path, self._form, self._terms)

    def _append(self, draft: Draft, late: Late | None) -> Event:
        while True:
            after = self._after or self._catch_up()
            event = self._append_here(draft, late, after)
            if event is not None:
                if event.place.number == 1:
                    self._after = None  # the next file's name depends on this file's first record
                return event
            if not is_begun(after):
                return self._log.exclusively(self._append_to_next, draft, late)
            self._after = None

    def _append_here(self, draft: Draft, late: Late | None, after: str) -> Event | None:
        try:
            return self._log.append(draft, self._continues, late, after)
        except TornTail:
            if not self._goes_on:
                raise
            return None

    def _append_to_next(self, draft: Draft, late: Late | None) -> Event:
        """Continue in the next file, but only if that stores the record or others have begun it.

        The previous file stays locked meanwhile: a writer about to append to it waits and then
        follows.
        """
        before, after = self._log, self._next()
        if before.takers:
            before.take_in()  # includes an unterminated last record
        after.takers, before.takers = before.takers, []
        try:
            event = after.append(draft, before.session, late)
        except BaseException:
            if after.records:
                self._settle(after)
            else:
                before.takers = after.takers
                after.close()
            raise
        self._settle(after)
        return event or self._append(draft, late)

    def _next(self) -> Log:
        """Return the next file, which another writer may have begun."""
        with readable(self.path):
            names = free_names(self.path)
            return self._open(successor(self.path) or next(names))

    def _catch_up(self) -> str:
        """Switch to the file others went on in; return the name that a file after it would have.

        Later records must not precede earlier ones.
        """
        with readable(self.path):
            while (after := successor(self.path)) is not None:
                self._log.look()  # passes on the last events
                self._go_on_in(after)
            self._after = os.fspath(next(free_names(self.path)))
            return self._after

    def _go_on_in(self, path: Path) -> None:
        after = self._open(path)
        after.takers, self._log.takers = self._log.takers, []
        self._settle(after)

    def _settle(self, after: Log) -> None:
        before = self._log
        # In one statement, so that no interruption comes between.
        self._log, self._continues, self._after = after, before.session, None
        if not self._terms.sync:
            self._flush_before(before)
        before.close()

    def _flush_before(self, log: Log) -> None:
        """Write a finished file to disk; if that fails, `flush` raises the error."""
        try:
            log.flush()
        except NotKept as error:
            self._unflushed = error


def check_end(path: Path, form: Form, patience: float = PATIENCE) -> None:
    """Raise Untrusted if a recording's last file is corrupt.

    Raises NotKept if it cannot be read.
    """
    check_name(path, form.prefix)
    with readable(path):
        last = newest_of(path)
    with closing(Log(last, form, Terms(patience=patience))) as log, suppress(TornTail):
        log.check()
