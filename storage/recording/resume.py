"""From a session's files to the state an agent resumes from. The same files give the same state.

It contains nothing of a process: no client, lock, port or flag. Calls that were started and have no
result are uncertain, whatever they did.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from ..agents.mycodeagent.reader import payload_of
from ..agents.mycodeagent.recovery import MyCodeAgentFold
from ..insight.recover import fold_for
from ..memory.fold import MemoryFold
from ..model.action import Action
from ..model.event import Event
from ..model.memory import SessionMemory
from ..model.recovery import MAX_ITEMS, Fold, Message, Restored
from ..records.fields import mapping
from ..text.folding import well_formed
from ..transcript.transcript import Transcript, open_at_end
from .errors import NotKept, Untrusted, readable
from .open_calls import OpenCalls
from .shards import chain_of, lost_of, newest_of, predecessor, read_whole, session_of
from .store import at_least_one


@dataclass(frozen=True, slots=True)
class ResumeState:
    """The state of a session, over all its files."""

    session: str
    """The id of the last file."""
    dialect: str
    """`envelope`, `mycodeagent` or `product`."""
    files: tuple[Path, ...]
    """Oldest first."""
    history: tuple[Message, ...]
    """The model's conversation, oldest first, within the window."""
    checkpoint: dict[str, Any] | None
    """MyCodeAgent's last one, as recorded."""
    terminal: dict[str, Any] | None
    """The reason and details of MyCodeAgent's last one in any run."""
    pending: tuple[Action, ...]
    """Calls that were requested but not started."""
    uncertain: tuple[Action, ...]
    """Calls that were started and have no result: check their effects before repeating them.

    Record what you find with `EnvelopeRecorder.result` or `MyCodeAgentRecorder.settle`.
    """
    completed: tuple[str, ...]
    """Call ids."""
    failed: tuple[str, ...]
    """Call ids."""
    memory: SessionMemory
    """The session memory, in which open calls are uncertain."""
    runtime_state: dict[str, Any] = field(default_factory=dict)
    """Merged from MyCodeAgent's checkpoints; empty for other formats."""
    title: str | None = None
    """The last one set by the agent."""
    run_id: str | None = None
    """The run of the last record, for MyCodeAgent."""
    step: int | None = None
    """The highest step of all runs, for MyCodeAgent."""
    turn_count: int | None = None
    """The number of messages with the user role, for MyCodeAgent."""
    total_events: int = 0
    """Of all files, including those before the window."""
    missing: str | None = None
    """The name of a missing file that another file of the session continues."""
    is_torn: bool = False
    """Whether the last file ends in an incomplete line, which is ignored."""
    is_last_turn: bool = False
    """Whether only the last turn was read; the integrity of what precedes it was not checked."""


class Host(Protocol):
    """What an agent implements to be resumed: three methods, called once each, in this order."""

    def restore_history(self, history: Sequence[Message]) -> None:
        """Restore the conversation."""
        ...

    def restore_context(
        self,
        checkpoint: Mapping[str, Any] | None,
        memory: SessionMemory,
        runtime: Mapping[str, Any],
    ) -> None:
        """Restore everything else that is known."""
        ...

    def restore_calls(self, pending: Sequence[Action], uncertain: Sequence[Action]) -> None:
        """Restore the calls without a result: to plan the pending and check the uncertain ones."""
        ...


def apply_to_host(state: ResumeState, host: Host) -> None:
    """Pass a state to a host. The same state makes the same calls, as the host gets copies.

    Errors of the host propagate; what it restored until then remains.
    """
    host.restore_history(deepcopy(state.history))
    host.restore_context(deepcopy(state.checkpoint), state.memory, deepcopy(state.runtime_state))
    host.restore_calls(state.pending, state.uncertain)


def resume(path: str | PathLike[str], max_items: int | None = None) -> ResumeState:
    """Return the state of a transcript's session; `path` may be any file of its recording.

    `max_items`: number of events at the end from which the history is built, at least 1; by default
    1000 for an envelope and all for MyCodeAgent. Raises Untrusted if any file is corrupt, NotKept
    if one cannot be read or does not exist.
    """
    at_least_one("max_items", max_items)
    files = tuple(_files_of(path))
    course, is_torn = _Course(max_items), False
    for file in files:
        with readable(file):
            is_torn = _read_on(course, file)
    with readable(files[-1]):
        return replace(course.state(files), is_torn=is_torn)


def last_turn(path: str | PathLike[str]) -> ResumeState:
    """Return the state of a session's last turn, from its prompt on, read backwards from the end.

    Its cost depends on the length of the turn only. Integrity is not checked. Raises NotKept as
    `resume` does.
    """
    files = _files_of(path)
    parts: list[tuple[Transcript, list[Event]]] = []
    is_whole = False
    while files and not is_whole:
        with readable(files[-1]):
            transcript, events, is_whole = _turn_of(files.pop())
        parts.append((transcript, events))
    length = sum(len(events) for _, events in parts)
    course = _Course(None, window=length if is_whole else MAX_ITEMS)
    for transcript, events in reversed(parts):
        course.begin(transcript)
        for event in events:
            course.add(event)
    used = tuple(transcript.path for transcript, _ in reversed(parts))
    with readable(used[-1]):
        is_torn = parts[0][0].is_torn()
        return replace(course.state(used), missing=None, is_last_turn=True, is_torn=is_torn)


def _files_of(path: str | PathLike[str]) -> list[Path]:
    """Return all files of a recording, oldest first. Raises NotKept if there are none."""
    with readable(path):
        newest = newest_of(path)
    files = list(chain_of(newest))
    if not files:
        raise NotKept(f"{path} is not there.")
    return files


class _Course:
    """The folds over the files of a session."""

    def __init__(self, max_items: int | None, window: int = MAX_ITEMS) -> None:
        self._max_items = max_items
        self._size = max_items or window
        self._fold: Fold | None = None
        self._memory: MemoryFold
        self._open: OpenCalls
        self._window: deque[Event] = deque(maxlen=max_items)
        self._runtime: dict[str, Any] = {}
        self._directory: str | None = None
        self._dialect = ""

    def begin(self, transcript: Transcript) -> None:
        """Continue with the next file."""
        if self._fold is None:
            self._dialect, self._directory = transcript.agent.name, transcript.directory
            self._fold = fold_for(transcript, self._size)
            self._open = OpenCalls(self._directory)
            self._memory = MemoryFold(transcript.session, transcript.agent)

    def add(self, event: Event) -> None:
        """Take in the next event."""
        assert self._fold is not None
        self._fold.add(event)
        self._memory.add(event)
        if self._dialect == "mycodeagent":
            self._open.add(event)
            self._add_runtime(event)
            if self._max_items is not None:
                self._window.append(event)

    def state(self, files: tuple[Path, ...]) -> ResumeState:
        """Return the state after the events so far."""
        assert self._fold is not None
        restored = self._fold.result()
        before = predecessor(files[0])
        missing = lost_of(files[0]) if before is None or before in files else before
        return ResumeState(
            session=session_of(files[-1]),
            dialect=self._dialect,
            files=files,
            history=tuple(map(_well_formed, self._history(restored))),
            checkpoint=restored.checkpoint,
            terminal=restored.terminal,
            pending=self._open.with_hidden(restored.pending, "pending"),
            uncertain=self._open.with_hidden(restored.uncertain, "uncertain"),
            completed=restored.completed,
            failed=restored.failed,
            memory=self._memory.memory(),
            runtime_state=self._runtime,
            title=restored.title,
            run_id=restored.run_id,
            step=restored.step,
            turn_count=restored.turn_count,
            total_events=restored.total_events,
            missing=missing.name if missing else None,
        )

    def _history(self, restored: Restored) -> tuple[Message, ...]:
        """Return the history; in a window, which MyCodeAgent's loader lacks, without orphans."""
        if self._dialect != "mycodeagent" or self._max_items is None:
            return restored.messages
        fold = MyCodeAgentFold(self._directory)
        for event in self._window:
            fold.add(event)
        return _without_answers(fold.result().messages)

    def _add_runtime(self, event: Event) -> None:
        if event.kind == "checkpoint":
            self._runtime |= mapping(payload_of(event.record).get("runtime_state"))


def _well_formed(message: Message) -> Message:
    """Return a message that can be recorded again: U+FFFD replaces lone surrogates."""
    if all(well_formed(text) == text for text in _texts(message)):
        return message
    try:
        sound: Message = json.loads(well_formed(json.dumps(message, ensure_ascii=False)))
    except RecursionError:  # nested deeper than this Python can write
        return message
    return sound


def _texts(value: Any) -> Iterator[str]:
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            left += [*one, *one.values()]
        elif isinstance(one, list):
            left += one


def _without_answers(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Drop results at the beginning, whose calls precede the window."""
    found = list(messages)
    first = next((at for at, said in enumerate(found) if said["role"] != "tool"), len(found))
    return tuple(found[first:])


def _read_on(course: _Course, path: Path) -> bool:
    """Fold the next file; return whether it ends in a torn line."""
    transcript = read_whole(path)
    integrity, tail = transcript.ending()
    if not integrity.is_trusted:
        raise Untrusted(f"{path} cannot be trusted: {integrity.detail}.")
    course.begin(transcript)
    for event in chain(transcript.events(), tail):
        course.add(event)
    return integrity.state == "partial-tail"


_LINES = 64
"""Number of lines in which a turn's prompt is searched for first."""

_LINE = 4096
"""Assumed bytes per line."""


def _turn_of(path: Path) -> tuple[Transcript, list[Event], bool]:
    """Return the end of a file from its last prompt on, and whether it has a prompt."""
    lines, later = _LINES, list[list[Event]]()
    transcript = open_at_end(path, session_of(path), lines, lines * _LINE)
    events = [*chain.from_iterable(transcript.advance(ledger=False)), *transcript.tail()]
    start = transcript.origin
    while (prompt := _last_prompt(events)) is None and start:
        later.append(events)
        lines *= 4
        start, events = transcript.earlier(start, lines, lines * _LINE)
    turn = chain(events[prompt or 0 :], *reversed(later))
    return transcript, list(turn), prompt is not None


def _last_prompt(events: Sequence[Event]) -> int | None:
    return next((at for at in reversed(range(len(events))) if events[at].kind == "prompt"), None)
