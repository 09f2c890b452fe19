"""An event: one record of a transcript, interpreted the same way for all formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from .agent import Agent

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
"""Position of an event in the lifecycle of its call; `told`: the result as shown to the model."""

Outcome = Literal["", "final", "failed", "interrupted"]
"""How an answer, result or terminal ended, if the record says so."""


class Place(NamedTuple):
    """Location of a record: session id (stem of the file name), number, bytes."""

    session: str
    number: int | None
    """1-based, not counting blank lines; None until the file was read from its start."""
    offset: int
    size: int
    """Length of the line without its line end."""
    inner: Any = None
    """Session id inside the records, if different from the file's."""
    block: int = 0
    """Which of the record's events, counting from 0."""

    @property
    def address(self) -> int:
        """Locates an event in its file: a record of n blocks is longer than n bytes."""
        return self.offset + self.block

    @property
    def suffix(self) -> str:
        """What distinguishes the id of an event from that of its record: "", `#2`, `#3` …"""
        return f"#{self.block + 1}" if self.block else ""


CONTINUES = "continues"
"""The field of a first record that names the session continued in its file."""

FOREIGN = "foreign: the record belongs to another session"
"""`Event.problem` of a record whose session is not that of the transcript."""

LIMIT = 10**18
"""Limit at which sums of tokens saturate; the sum of two still fits the index's 64-bit integers."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model response; `input` excludes the `cached` ones."""

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


TitleSource = Literal[
    "user", "app", "custom-title", "ai-title", "topic", "summary", "prompt", "file"
]
"""Where a title comes from: the user, the agent's database, a record, a prompt or the file name."""

TITLES: tuple[TitleSource, ...] = (
    "custom-title",
    "ai-title",
    "topic",
    "app",
    "summary",
    "prompt",
)
"""The usual order of preference among an agent's titles."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title that a record gives its session, and what kind of record that is."""

    text: str
    source: TitleSource


class ResponsePart(NamedTuple):
    """A record as one of several that the agent writes for a model response."""

    response: str
    """Id shared by all records of the response."""
    is_last: bool
    """Whether the record says that it is the last one of the response."""
    is_own: bool
    """Whether the record is in the agent's native form, which always marks the last record."""


class FileBackup(NamedTuple):
    """A file that the agent backed up before a change. All fields are foreign."""

    path: str
    """As written by the agent: absolute, or relative to its working directory."""
    name: str | None
    """Name of the backup; None if the file did not exist."""
    at: int | None
    """When the backup was made, in milliseconds since 1970."""


class FileSnapshot(NamedTuple):
    """The files named in a snapshot record."""

    is_update: bool
    """Whether it was taken for a change; otherwise it lists the files tracked before."""
    files: tuple[FileBackup, ...]


class Event(NamedTuple):
    """The facts of a record that are cheap to extract; its agent's reader computes the rest on
    demand.

    A tuple because one is created per record: a frozen dataclass takes four times as long. `at` is
    in milliseconds since 1970. `run` is set if call ids are only unique within a run, `step` if the
    format counts steps. For a damaged line, `record` is empty and `problem` says why.
    """

    kind: Kind
    place: Place
    agent: Agent
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
        """The readable text: the typed prompt, the answer, the thinking or the output."""
        return self.agent.reader.text(self) if self.kind != "damaged" else self.problem

    @property
    def args(self) -> Any:
        """Arguments of a call: the parsed object, or the raw string if unparsable; else None."""
        return self.agent.reader.args(self)

    @property
    def type(self) -> str:
        """The type of the record as the agent names it; "" if it has none."""
        return self.agent.reader.type_of(self.record)

    @property
    def cwd(self) -> str | None:
        """The working directory named in the record."""
        return self.agent.reader.cwd(self.record)

    @property
    def cwd_and_model(self) -> tuple[str | None, str | None]:
        """Both at once, for code that is called for every record."""
        reader, record = self.agent.reader, self.record
        return reader.cwd(record), reader.model(record)

    @property
    def model(self) -> str | None:
        """The model named in the record."""
        return self.agent.reader.model(self.record)

    @property
    def session_in(self) -> str | None:
        """The session id inside the record."""
        return self.agent.reader.session_in(self.record)

    @property
    def continues(self) -> str | None:
        """The session that a first record names as continued in its file."""
        return self.agent.reader.continues(self.record)

    @property
    def usage(self) -> tuple[str, Usage] | None:
        """The tokens of the record and the key under which they count once."""
        return self.agent.reader.usage(self.record)

    @property
    def file(self) -> str | None:
        """The file that a call or a snapshot is about, as spelled there; None if there is none."""
        return self.agent.reader.file_of(self)

    @property
    def response_part(self) -> ResponsePart | None:
        """The record's part in a model response; None if it has none, or does not say."""
        return self.agent.reader.response(self.record)

    @property
    def file_snapshot(self) -> FileSnapshot | None:
        """The files of a snapshot record that lists backups; None for others."""
        return self.agent.reader.snapshot(self.record)
