"""An agent: the program that writes transcripts, and everything specific to it. Types only.

Each agent is one folder below `storage/agents` and one line in the table there. Code that has an
event or a transcript asks its agent and needs no table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .event import (
    TITLES,
    Event,
    Kind,
    TitleSource,
    Usage,
)
from .process import Around
from .reader import Reader
from .resume import Resume
from .rules import (
    BranchRule,
    DelegationRule,
    FamilyRule,
    IntegrityRule,
    Ledger,
    RecoveryTerms,
    Sieve,
)
from .store import Stores
from .tools import TOOLS, Tools

if TYPE_CHECKING:
    from ..files.disk import Look
    from ..folds.responses import LostFile
    from ..memory.notes import Notes
    from ..memory.rules import Rules
    from ..review.trail import Trail
    from ..transcript.transcript import Transcript
    from .evidence import Before
    from .recovery import Fold


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


def once_per_response(event: Event, counted: str) -> tuple[str, Usage] | None:
    """Count the tokens of a response once, though several of its records may hold them."""
    found = event.usage
    return None if found is None or found[0] == counted else found


@dataclass(frozen=True, eq=False)
class Agent:
    """What an agent provides. Whatever is optional has a default that suits a simple agent."""

    name: str
    """`dialect` in JSON and on the command line; never renamed."""
    title: str
    """The name used in sentences."""
    load_reader: Callable[[], Reader]
    """Returns the reader; called once, when the first record has to be read."""
    stores: Stores | None = None
    """None: its transcripts lie among those of other agents."""
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
    load_family: Callable[[], FamilyRule] | None = None
    """None: folders show all relations, and sessions are not forked."""
    load_branches: Callable[[], BranchRule] | None = None
    """None: the records form no tree."""
    rules: Callable[[Notes], Rules] | None = None
    """Rules of the session memory; None: those for messages and calls."""
    fold: Callable[[RecoveryTerms], Fold] | None = None
    """The recovery fold; None: messages and calls are restored."""

    around: Callable[[Path], Around] | None = None
    """Returns what is around the sessions of a home; None: its processes register nowhere."""
    programs: tuple[str, ...] = ()
    """Names of its commands, in lower case and without `-` and `_`, if they register nowhere."""
    is_per_process: bool = False
    """Whether each process writes a transcript of its own."""
    directory_in: Callable[[Path], str] | None = None
    """Returns the real path of the directory that records near the end of a transcript name, to
    recognise copies; "" for none."""
    answers_end: bool = True
    """Whether any whole answer ends a turn; False: final ones are marked."""
    has_parts: bool = False
    """Whether a session may continue in further files, each naming the one before."""
    names_children: bool = True
    """Whether results always name the sub-agents that they come from."""
    ledger: Callable[[Path], Ledger | None] | None = None
    """Returns the file that reports a transcript's tokens; None: its records do."""
    before: Callable[[Trail, Look], Before] | None = None
    """Returns what is known about the file of a call; None: whether it existed, if it is gone."""
    backup: Callable[[Transcript, LostFile], bytes | None] | None = None
    """Returns what a file held before a response that was cut off; None: no backups are kept."""

    @cached_property
    def family(self) -> FamilyRule | None:
        """The rule for families, imported on first use; None if it is the default."""
        return self.load_family() if self.load_family else None

    @cached_property
    def delegations(self) -> DelegationRule | None:
        """The rule for delegated work, imported on first use; None if it is the default."""
        return self.load_delegations() if self.load_delegations else None

    own_folders: tuple[tuple[str, ...], ...] = ()
    """Where it keeps its own files in a project: names of nested folders."""
    commands_for: tuple[str, ...] = ()
    """The products for which the settings may set a command that resumes sessions."""
    load_resume: Callable[[], Resume] | None = None
    """None: its sessions cannot be resumed from here."""

    @cached_property
    def resume(self) -> Resume | None:
        """How its sessions are resumed, imported on first use."""
        return self.load_resume() if self.load_resume else None

    @cached_property
    def branches(self) -> BranchRule | None:
        """The rule for abandoned branches, imported on first use; None if there are none."""
        return self.load_branches() if self.load_branches else None

    @cached_property
    def reader(self) -> Reader:
        """The reader, imported on first use."""
        return self.load_reader()
