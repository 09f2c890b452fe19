"""An agent: the program that writes transcripts, and everything specific to it. Types only.

Each agent is one folder below `storage/agents` and one line in the table there. Code that has an
event or a transcript asks its agent and needs no table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from .event import (
    TITLES,
    Event,
    FileSnapshot,
    Kind,
    Place,
    Record,
    ResponsePart,
    Title,
    TitleSource,
    Usage,
)
from .integrity import Fault, Integrity, Tail
from .tools import TOOLS, Tools

if TYPE_CHECKING:
    from ..files.disk import Look
    from ..folds.branches import Joint
    from ..folds.responses import LostFile
    from ..memory.notes import Notes
    from ..memory.rules import Rules
    from ..review.trail import Trail
    from ..transcript.transcript import Transcript
    from .evidence import Before
    from .recovery import Fold


class Reader(Protocol):
    """How an agent's records become events: pure functions that accept any JSON object.

    Implemented by a module or a class. None of them raises.
    """

    @property
    def strict(self) -> bool:
        """Whether a lone CR ends a line, and invalid UTF-8 or JSON makes the transcript corrupt."""
        ...

    @property
    def has_ids(self) -> bool:
        """Whether event ids are the agent's own and must be searched for in the bytes."""
        ...

    def recognises(self, record: Record) -> bool:
        """Return whether a record can only have been written by this agent."""
        ...

    def type_of(self, record: Record) -> str:
        """Return the type of a record as the agent names it; "" if it has none."""
        ...

    def session_in(self, record: Record) -> str | None:
        """Return the session id inside a record."""
        ...

    def continues(self, record: Record) -> str | None:
        """Return the session that a first record names as continued in its file."""
        ...

    def read(self, record: Record, place: Place) -> Event:
        """Return the event of a record: an unknown record gives kind `unknown`."""
        ...

    def text(self, event: Event) -> str:
        """Return the readable text of an event in full; "" if it has none."""
        ...

    def args(self, event: Event) -> Any:
        """Return the arguments of a call, parsed if possible; None for other events."""
        ...

    def file_of(self, event: Event) -> str | None:
        """Return the file that a call or a snapshot is about, as spelled there; None if none."""
        ...

    def title(self, event: Event) -> Title | None:
        """Return the title that an event of kind `title`, `summary` or `prompt` gives."""
        ...

    def duration(self, call: Event, result: Event) -> int | None:
        """Return how long a call took in milliseconds; None if its records do not say."""
        ...

    def output_file(self, event: Event) -> str:
        """Return the name of the file with a result's full output; "" if the record has it."""
        ...

    def with_output(self, event: Event, text: str) -> Event:
        """Return the result event with `text` as its output."""
        ...

    def failure(self, event: Event) -> str:
        """Return in one or two words why a result, answer or terminal failed: `exit 1`."""
        ...

    def cwd(self, record: Record) -> str | None:
        """Return the working directory named in a record."""
        ...

    def model(self, record: Record) -> str | None:
        """Return the model named in a record."""
        ...

    def usage(self, record: Record) -> tuple[str, Usage] | None:
        """Return the tokens and the key under which they count once; None if there are none."""
        ...

    def response(self, record: Record) -> ResponsePart | None:
        """Return a record's part in a model response; None if it has none, or does not say."""
        ...

    def snapshot(self, record: Record) -> FileSnapshot | None:
        """Return the files of a snapshot record that lists backups; None for others."""
        ...


SOURCES = frozenset({"message", "file-history-snapshot"})
"""Record types that may be remembered, whatever their role."""

_WHY_NOT: dict[Kind, str] = {
    "reasoning": "a thought is no evidence",
    "call": "a tool call is no message or file snapshot",
    "result": "a tool result is no message or file snapshot",
    "title": "a title is no message or file snapshot",
}


def messages_only(event: Event) -> str:
    """Return why an event cannot be a memory candidate; "" for messages and file snapshots.

    A record that lacks other fields still has its type, so it is a valid source.
    """
    told = event.stage == "told"  # a tool's result under another name
    if event.type in SOURCES and not told:
        return ""
    return _WHY_NOT.get(event.kind, "only messages and file snapshots can be remembered")


class IntegrityRule(Protocol):
    """Which lines make a transcript untrustworthy. Has no state."""

    @property
    def by_record(self) -> bool:
        """Whether records must carry the session id of the first record, not the file's."""
        ...

    def fault(self, event: Event, line: int, session: str | None, number: int) -> Fault | None:
        """Return what is wrong with the `number`-th record, which is on that line."""
        ...

    def verdict(self, fault: Fault | None, damaged: int, line: int, tail: Tail) -> Integrity:
        """Return the integrity, given the first fault and the number of faulty lines.

        `line` is the number of the last complete line, `tail` the state of what follows it.
        """
        ...


Mark = tuple[int, int]
"""Size and modification time of a file; unchanged as long as nothing was added."""


class Ledger(Protocol):
    """A file next to a transcript that alone reports its tokens; read as it grows."""

    @property
    def mark(self) -> Mark:
        """Size and modification time at the last reading."""
        ...

    @property
    def spawned(self) -> Iterable[str]:
        """The sub-agents named in it, in order; foreign text."""
        ...

    def has_changed(self, read: Mark | None) -> bool:
        """Return whether the file differs from when it was `read`."""
        ...

    def advance(self) -> Iterator[Mapping[tuple[int, str], tuple[Usage, int]]]:
        """Yield what new lines add, one slice at a time; negative numbers take back.

        Tokens and number of responses by quarter of an hour since 1970 and model.
        """
        ...

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `load`."""
        ...

    def load(self, data: Mapping[str, Any]) -> None:
        """Continue from the result of `as_json`."""
        ...


Account = Literal["counts", "repeated", "inherited", "mirror", "made-up"]
"""How a record counts. `repeated`: it is in the file already; `inherited`: it is a copy of a
parent's; `mirror`: another record says the same. These keep their number and place, mean nothing
and are never counted. `made-up`: a result that the agent invented; it is shown and ends no call."""


class Sieve(Protocol):
    """Decides which records count: a fold, one per transcript, with state that can be stored."""

    def take(self, event: Event) -> Account:
        """Return how the next record counts; called once per record, in file order."""
        ...

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `restore`, without what `changed_chunks` yields."""
        ...

    def restore(self, data: dict[str, Any], chunks: Iterable[bytes]) -> None:
        """Continue from the results of `as_json` and `changed_chunks`."""
        ...

    def changed_chunks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the numbered pieces of bulky state that are not stored yet."""
        ...

    def stored(self) -> None:
        """Mark the changed chunks as stored."""
        ...


def once_per_response(event: Event, counted: str) -> tuple[str, Usage] | None:
    """Count the tokens of a response once, though several of its records may hold them."""
    found = event.usage
    return None if found is None or found[0] == counted else found


class DelegationRule(Protocol):
    """How calls that delegate work, and their results, refer to sub-agents. Has no state."""

    def opening(self, event: Event) -> str:
        """Return the prompt that the sub-agent of a call starts with."""
        ...

    def child(self, event: Event) -> str:
        """Return the sub-agent named in a result; "" if it names none."""
        ...

    def goes_on(self, event: Event) -> bool:
        """Return whether a result says only that the sub-agent was started."""
        ...


class BranchRule(Protocol):
    """How the records of a transcript form a tree. Has no state."""

    def joint(self, event: Event) -> Joint | None:
        """Return the place of a record in the tree; None if it is not part of it."""
        ...

    def branches_off(self, joint: Joint, tip: Joint) -> bool:
        """Return whether a record does not continue where the tree's preceding one ended."""
        ...

    def abandoned(self, joints: Iterable[Joint | None]) -> frozenset[int]:
        """Return the 0-based indexes of records that are not on the active branch."""
        ...


class RecoveryTerms(NamedTuple):
    """What a recovery fold is built from."""

    max_items: int
    """Number of events, from the end, of which messages are restored; at least 1."""
    directory: str | None
    """Where the session's agent ran; paths in calls are relative to it."""
    left: Callable[[], Collection[int]]
    """Returns the 0-based indexes of records on abandoned branches; may read the transcript."""


@dataclass(frozen=True, eq=False)
class Agent:
    """What an agent provides. Whatever is optional has a default that suits a simple agent."""

    name: str
    """`dialect` in JSON and on the command line; never renamed."""
    title: str
    """The name used in sentences."""
    load_reader: Callable[[], Reader]
    """Returns the reader; called once, when the first record has to be read."""
    tools: Tools = TOOLS
    titles: tuple[TitleSource, ...] = TITLES
    """Sources of titles in order of preference; a title of the user's comes before all."""
    refuses_memory: Callable[[Event], str] = messages_only
    """Returns why an event cannot be a memory candidate, as the end of a sentence; "" if it can."""

    integrity: Callable[[], IntegrityRule] | None = None
    """None: damaged lines are marked and everything else is trusted."""

    sieve: Callable[[], Sieve] | None = None
    """Returns a new sieve; None: every record counts."""
    meter: Callable[[Event, str], tuple[str, Usage] | None] = once_per_response
    """Given a record and its last returned state ("" at first), returns the new state and the
    tokens that the record adds; None if it adds none. Called in file order."""
    directory: Callable[[Path], str | None] | None = None
    """Returns where the agent of a transcript ran; None: its records say."""
    load_delegations: Callable[[], DelegationRule] | None = None
    """None: the prompt is an argument, and the text of a result names the sub-agent."""
    load_branches: Callable[[], BranchRule] | None = None
    """None: the records form no tree."""
    rules: Callable[[Notes], Rules] | None = None
    """Rules of the session memory; None: those for messages and calls."""
    fold: Callable[[RecoveryTerms], Fold] | None = None
    """The recovery fold; None: messages and calls are restored."""

    ledger: Callable[[Path], Ledger | None] | None = None
    """Returns the file that reports a transcript's tokens; None: its records do."""
    before: Callable[[Trail, Look], Before] | None = None
    """Returns what is known about the file of a call; None: whether it existed, if it is gone."""
    backup: Callable[[Transcript, LostFile], bytes | None] | None = None
    """Returns what a file held before a response that was cut off; None: no backups are kept."""

    @cached_property
    def delegations(self) -> DelegationRule | None:
        """The rule for delegated work, imported on first use; None if it is the default."""
        return self.load_delegations() if self.load_delegations else None

    @cached_property
    def branches(self) -> BranchRule | None:
        """The rule for abandoned branches, imported on first use; None if there are none."""
        return self.load_branches() if self.load_branches else None

    @cached_property
    def reader(self) -> Reader:
        """The reader, imported on first use."""
        return self.load_reader()
