"""What an agent may decide for itself: the protocols of its optional parts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from .event import Event, Usage
from .integrity import Fault, Integrity, Tail
from .store import TranscriptFile

if TYPE_CHECKING:
    from ..folds.branches import Joint
    from ..folds.facts import Facts


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


class FamilyRule(Protocol):
    """How the transcripts of a workspace are related, beyond what their folders show."""

    def parents(
        self,
        first: Sequence[TranscriptFile],
        files: Sequence[TranscriptFile],
        facts: Mapping[Path, Facts],
    ) -> dict[Path, Path]:
        """Return the parents of sub-agents, by path; only `first` parts of sessions have one."""
        ...

    def continued(
        self, files: Sequence[TranscriptFile], facts: Mapping[Path, Facts]
    ) -> Iterator[tuple[Path, Path]]:
        """Yield each session that continues another one in a new file, with that one."""
        ...

    def name_of(self, session: str) -> str:
        """Return the name of a session in the results of its parent."""
        ...

    def may_be_fork(self, file: TranscriptFile) -> bool:
        """Return whether records of another session in a file are copies of it."""
        ...

    def noted_source(self, file: TranscriptFile) -> str | None:
        """Return the session that the notes next to a transcript name as its source."""
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
