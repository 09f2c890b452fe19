"""What really happened: which effects are on disk, and what the transcripts hold, read plainly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .script import Operation

Effect = Literal["applied", "not-applied", "both", "neither"]


@dataclass(frozen=True, slots=True)
class Transcript:
    """One transcript as its agent left it, read without the program."""

    session: str
    path: Path
    calls: Mapping[str, str]
    """Each call on record: `open`, or `done` with a result."""
    is_finished: bool
    """Whether its last response is a whole answer."""
    is_cut: bool
    """Whether the end of its last response is missing."""
    is_torn: bool
    """Whether bytes follow its last line end."""
    named: frozenset[str] = frozenset()
    """Files that its snapshots name."""
    parent: str = ""
    """The session that it is a sub-agent of."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One operation: what is on disk and on record."""

    operation: Operation
    effect: Effect
    record: Literal["none", "open", "done"]
    session: str
    """Of the transcript that has the call; "" without a record."""
    could_run: bool
    """Whether the model had sent it."""
    is_settled: bool = True
    """Whether the disk showed the same before and after the program was asked."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of one session after the kill."""

    name: str
    main: Transcript
    children: tuple[Transcript, ...]
    facts: tuple[Fact, ...]
    was_killed: bool
    """False where it ended by itself before the kill."""

    @property
    def transcripts(self) -> tuple[Transcript, ...]:
        """All of the session."""
        return (self.main, *self.children)

    @property
    def unrecorded(self) -> tuple[Fact, ...]:
        """Effects on disk of which no record has the call."""
        return tuple(
            fact
            for fact in self.facts
            if fact.record == "none" and fact.operation.changes and fact.effect == "applied"
        )


def effect_of(operation: Operation, content: str | None) -> Effect:
    """What a file with this content (None: missing) shows of an operation."""
    text = content or ""
    match operation.kind:
        case "edit":
            new, old = operation.new in text, operation.old in text
        case "write":
            new, old = content == operation.new, text == operation.old
        case _:
            new = operation.new in text
            old = not new
    if new and old:
        return "both"
    return "applied" if new else "not-applied" if old else "neither"


def contents(operations: Iterable[Operation]) -> dict[Path, str | None]:
    """The files that operations change, as they are now."""
    paths = {one.path for one in operations if one.path and one.changes}
    return {path: _content(path) for path in paths}


def _content(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def facts(
    operations: Iterable[Operation],
    transcripts: Iterable[Transcript],
    before: Mapping[Path, str | None],
    after: Mapping[Path, str | None],
    was_sent: Callable[[Operation], bool],
) -> tuple[Fact, ...]:
    """Each operation, held to the disk and to the records."""
    recorded = {call: (one, state) for one in transcripts for call, state in one.calls.items()}
    return tuple(_fact(one, recorded, before, after, was_sent(one)) for one in operations)


def _fact(
    operation: Operation,
    recorded: Mapping[str, tuple[Transcript, str]],
    before: Mapping[Path, str | None],
    after: Mapping[Path, str | None],
    was_sent: bool,
) -> Fact:
    now = after.get(operation.path) if operation.path else None
    transcript, state = recorded.get(operation.call, (None, "none"))
    return Fact(
        operation,
        effect_of(operation, now),
        "open" if state == "open" else "done" if state == "done" else "none",
        transcript.session if transcript else "",
        was_sent,
        not operation.path or before.get(operation.path) == now,
    )
