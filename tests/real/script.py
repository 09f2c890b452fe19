"""What a scripted model makes an agent do in one session, and where the result can be seen.

Every text that an operation writes occurs nowhere else, so the file alone shows which operations
took effect. Agents translate operations into calls of their own tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Kind = Literal["read", "edit", "write", "bash", "delegate"]
Instant = Literal["began", "sent"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One tool call."""

    kind: Kind
    call: str
    """The id that the model gives it."""
    path: Path | None = None
    """The file that it reads or changes."""
    old: str = ""
    """Edit: the text to replace. Write: the content before, "" for a new file."""
    new: str = ""
    """Edit: the replacement. Write: the whole content. Bash: the text that it appends."""
    command: str = ""
    agent: str = ""
    """Delegate: the conversation of the sub-agent, which is part of its prompt."""

    @property
    def changes(self) -> bool:
        """Whether its effect can be seen on disk."""
        return self.kind in ("edit", "write", "bash")


@dataclass(frozen=True, slots=True)
class Turn:
    """One response of the model."""

    text: str = ""
    operations: tuple[Operation, ...] = ()
    pause: float = 0.0
    """Seconds between two pieces of the stream."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: so many seconds after a response began or was sent in full."""

    conversation: str
    turn: int
    instant: Instant
    delay: float


@dataclass(frozen=True, slots=True)
class Script:
    """One session: files, prompt and responses, and the moment of the kill."""

    name: str
    """Unique. It is part of the prompt, and the name of the main conversation."""
    project: Path
    conversations: Mapping[str, tuple[Turn, ...]]
    files: Mapping[Path, str] = field(default_factory=dict)
    moment: Moment | None = None
    """None lets the session end by itself."""
    whole_group: bool = False
    """Whether the agent's children are killed with it."""

    @property
    def prompt(self) -> str:
        """What the user types."""
        return f"{marker(self.name)} Do it."

    def operations(self) -> Iterator[Operation]:
        """All operations, those of sub-agents too."""
        for turns in self.conversations.values():
            for turn in turns:
                yield from turn.operations

    def prepare(self) -> None:
        """Create the project as it is before the session."""
        self.project.mkdir(parents=True, exist_ok=True)
        for path, content in self.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")


def marker(conversation: str) -> str:
    """The words in a prompt by which the model recognises a conversation."""
    return f"[task {conversation}]"
