"""From a session's files to what an agent goes on from: the same files always give the same.

Nothing of a process is among it: no client, lock, port or flag. Calls that were started and have
no result are uncertain, whatever they did.
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
    """What a session comes to, over all its files."""

    session: str
    """The id of the last file."""
    dialect: str
    """`envelope`, `mycodeagent` or `product`."""
    files: tuple[Path, ...]
    """Oldest first."""
    history: tuple[Message, ...]
    """What the model was told, oldest first, within the window."""
    checkpoint: dict[str, Any] | None
    """MyCodeAgent's last one, as it was recorded."""
    terminal: dict[str, Any] | None
    """MyCodeAgent's last one of any run: its reason and details."""
    pending: tuple[Action, ...]
    """Calls that were asked for and not started."""
    uncertain: tuple[Action, ...]
    """Calls that were started and have no result: to be looked into before they are made again.

    What is found out is recorded by `EnvelopeRecorder.result` or `MyCodeAgentRecorder.settle`.
    """
    completed: tuple[str, ...]
    """Call ids."""
    failed: tuple[str, ...]
    """Call ids."""
    memory: SessionMemory
    """The session memory; open calls are uncertain in it."""
    runtime_state: dict[str, Any] = field(default_factory=dict)
    """What MyCodeAgent's checkpoints kept of it, merged; no other dialect keeps any."""
    title: str | None = None
    """The last one that the agent gave."""
    run_id: str | None = None
    """MyCodeAgent's run of the last record."""
    step: int | None = None
    """MyCodeAgent's highest step of all runs."""
    turn_count: int | None = None
    """How many messages MyCodeAgent's user role has."""
    total_events: int = 0
    """Of all files, those before the window included."""
    missing: str | None = None
    """A file that another one of the session continues, where it is not there."""
    is_torn: bool = False
    """Whether the last file ends in a line that was cut, and is left out."""
    is_last_turn: bool = False
    """Whether only the last turn was read; the evidence before it was not judged then."""


class Host(Protocol):
    """What an agent offers to be resumed: three methods, called once each, in this order."""

    def restore_history(self, history: Sequence[Message]) -> None:
        """Take over the conversation."""
        ...

    def restore_context(
        self,
        checkpoint: Mapping[str, Any] | None,
        memory: SessionMemory,
        runtime: Mapping[str, Any],
    ) -> None:
        """Take over what else is known."""
        ...

    def restore_calls(self, pending: Sequence[Action], uncertain: Sequence[Action]) -> None:
        """Take over the calls that have no result: to be planned again, to be looked into."""
        ...


def apply_to_host(state: ResumeState, host: Host) -> None:
    """Hand a state over; the same state makes the same calls, whatever is done with what it gives.

    What the host raises comes through; what it took over until then stays with it.
    """
    host.restore_history(deepcopy(state.history))
    host.restore_context(deepcopy(state.checkpoint), state.memory, deepcopy(state.runtime_state))
    host.restore_calls(state.pending, state.uncertain)


def resume(path: str | PathLike[str], max_items: int | None = None) -> ResumeState:
    """What the session of a transcript comes to; `path` may be any file of its recording.

    `max_items` are the events from whose end the history is told, at least 1; without, it is 1000
    for an envelope and all for MyCodeAgent. Raises Untrusted where the evidence of any file is
    broken, NotKept where one cannot be read or is not there.
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
    """What the last turn of a session comes to, from the prompt on, read backwards from the end.

    It costs what the turn is long. The evidence is not judged. Raises NotKept as `resume` does.
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
    """All files of a recording, oldest first; NotKept where it is not there."""
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
        """Go on with the next file."""
        if self._fold is None:
            self._dialect, self._directory = transcript.dialect.NAME, transcript.directory
            self._fold = fold_for(transcript, self._size)
            self._open = OpenCalls(self._directory)
            self._memory = MemoryFold(transcript.session, self._dialect)

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
        """What the events so far come to."""
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
        """MyCodeAgent's loader knows no window: in one, what answers no call there is left out."""
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
    """A message that can be recorded again: half a character is told by U+FFFD."""
    if all(well_formed(text) == text for text in _texts(message)):
        return message
    try:
        sound: Message = json.loads(well_formed(json.dumps(message, ensure_ascii=False)))
    except RecursionError:  # nested deeper than this Python writes
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
    """Without results at the beginning, whose calls are before it."""
    found = list(messages)
    first = next((at for at, said in enumerate(found) if said["role"] != "tool"), len(found))
    return tuple(found[first:])


def _read_on(course: _Course, path: Path) -> bool:
    """Fold the next file; whether it ends in a torn line."""
    transcript = read_whole(path)
    integrity, tail = transcript.ending()
    if not integrity.is_trusted:
        raise Untrusted(f"{path} cannot be trusted: {integrity.detail}.")
    course.begin(transcript)
    for event in chain(transcript.events(), tail):
        course.add(event)
    return integrity.state == "partial-tail"


_LINES = 64
"""Lines in which a turn's prompt is looked for first."""

_LINE = 4096
"""Bytes that a line is thought to have."""


def _turn_of(path: Path) -> tuple[Transcript, list[Event], bool]:
    """The end of a file from its last prompt on, and whether there is one."""
    lines, later = _LINES, list[list[Event]]()
    transcript = open_at_end(path, session_of(path), lines, lines * _LINE)
    transcript.trace = None
    events = [*chain.from_iterable(transcript.advance()), *transcript.tail()]
    start = transcript.origin
    while (prompt := _last_prompt(events)) is None and start:
        later.append(events)
        lines *= 4
        start, events = transcript.earlier(start, lines, lines * _LINE)
    turn = chain(events[prompt or 0 :], *reversed(later))
    return transcript, list(turn), prompt is not None


def _last_prompt(events: Sequence[Event]) -> int | None:
    return next((at for at in reversed(range(len(events))) if events[at].kind == "prompt"), None)
