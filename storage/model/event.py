"""An event: one record of a transcript as `sessions` understands it, alike for all dialects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, get_args

Record = dict[str, Any]
"""One parsed line: a JSON object."""

Kind = Literal[
    "prompt",
    "injected",
    "answer",
    "reasoning",
    "call",
    "result",
    "snapshot",
    "title",
    "summary",
    "transition",
    "checkpoint",
    "terminal",
    "notice",
    "meta",
    "unknown",
    "damaged",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
CODE: dict[Kind, int] = {kind: code for code, kind in enumerate(KINDS)}

Stage = Literal["", "requested", "started", "ended", "told"]
"""Where an event stands in its call's life; `told`: what the model was shown of the result."""

Outcome = Literal["", "final", "failed", "interrupted"]
"""How an answer, result or terminal ended, where the record says so."""


class Place(NamedTuple):
    """Where a record stands: session id (file stem, see DESIGN words), 1-based number, bytes."""

    session: str
    number: int | None
    """1-based over all lines that are not blank; None while the file's start was not read yet."""
    offset: int
    size: int
    """Bytes of the line without its line end."""
    inner: Any = None
    """The session id that the records themselves carry, where it differs (MyCodeAgent)."""


LIMIT = 10**18
"""Tokens at which sums stay: two such still fit into the 64 bits that the index has for them."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model response; `input` leaves out the `cached` ones."""

    input: int = 0
    cached: int = 0
    output: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            _sum(self.input, other.input),
            _sum(self.cached, other.cached),
            _sum(self.output, other.output),
        )


def _sum(one: int, other: int) -> int:
    return max(-LIMIT, min(LIMIT, one + other))


@dataclass(frozen=True, slots=True)
class Title:
    """A title that a record gives its session, with the word for where it came from."""

    text: str
    source: Literal["custom-title", "ai-title", "topic", "summary"]


class ResponsePart(NamedTuple):
    """A record as part of a model response, of which the agent writes several."""

    response: str
    """The id that the records of one response share."""
    is_last: bool
    """Whether it says that no other record of the response follows."""
    is_own: bool
    """Whether it is in the agent's own form, which always says so."""


class FileBackup(NamedTuple):
    """A file of which the agent keeps what it held before a change. All foreign."""

    path: str
    """As the agent names it: relative to its directory, or absolute."""
    name: str | None
    """Of the backup; None where the file did not exist."""
    at: int | None
    """When the backup was made, in milliseconds since 1970."""


class FileSnapshot(NamedTuple):
    """The files that a snapshot record names."""

    is_update: bool
    """Whether it was made for a change; else it holds what was tracked before."""
    files: tuple[FileBackup, ...]


class Event(NamedTuple):
    """The cheap facts of one record; what takes work is asked of its dialect when wanted.

    A tuple, as one is made of every record: a frozen dataclass takes four times as long.
    `at` is in milliseconds since 1970. `run` is set where call ids are only unique within a run,
    `step` where its steps are counted.
    `record` is empty and `problem` says why where the line is damaged.
    """

    kind: Kind
    place: Place
    dialect: Dialect
    record: Record
    event_id: str | None
    at: int | None = None
    role: str | None = None
    tool: str | None = None
    call_id: str | None = None
    run: str | None = None
    step: int | None = None
    stage: Stage = ""
    outcome: Outcome = ""
    problem: str = ""

    @property
    def text(self) -> str:
        """What a person would read: the typed prompt, the answer, the thought, the output."""
        return self.dialect.text(self) if self.kind != "damaged" else self.problem

    @property
    def args(self) -> Any:
        """A call's arguments: the parsed object, or the string where it does not parse; or None."""
        return self.dialect.args(self)


class Dialect(Protocol):
    """What a module in `dialects/` offers. All functions are pure and take any JSON object."""

    @property
    def NAME(self) -> str:
        """The word of the command line: product, envelope, mycodeagent."""
        ...

    @property
    def STRICT(self) -> bool:
        """Whether a lone CR ends a line and invalid UTF-8 or JSON breaks the chain of evidence."""
        ...

    def recognises(self, record: Record) -> bool:
        """Whether a record could only have been written in this dialect."""
        ...

    def read(self, record: Record, place: Place) -> Event:
        """The event of a record. Never raises; what is not understood is of kind `unknown`."""
        ...

    def text(self, event: Event) -> str:
        """What a person would read of the event, whole; "" where there is nothing."""
        ...

    def args(self, event: Event) -> Any:
        """The arguments of a call, parsed where they parse; None for other events."""
        ...

    def title(self, event: Event) -> Title | None:
        """The title that an event of kind `title` or `summary` gives the session."""
        ...

    def inner_session(self, record: Record) -> str | None:
        """The session id that a record carries."""
        ...

    def duration(self, call: Event, result: Event) -> int | None:
        """Milliseconds that a call took; None where the times of its records do not tell."""
        ...

    def output_file(self, event: Event) -> str:
        """The name of the file that holds the whole output of a result; "" if the record does."""
        ...

    def with_output(self, event: Event, text: str) -> Event:
        """A result whose output is this text."""
        ...

    def failure(self, event: Event) -> str:
        """In a word or two what went wrong with a result, an answer or an end: `exit 1`."""
        ...

    def cwd(self, record: Record) -> str | None:
        """The working directory that a record names."""
        ...

    def model(self, record: Record) -> str | None:
        """The model that a record names."""
        ...

    def usage(self, record: Record) -> tuple[str, Usage] | None:
        """Tokens with the key that counts them once; None where the record holds none."""
        ...

    def response(self, record: Record) -> ResponsePart | None:
        """The record as part of a model response; None where it is none, or does not say."""
        ...

    def snapshot(self, record: Record) -> FileSnapshot | None:
        """The files of a snapshot record that tells of backups; None for others."""
        ...
