"""Who takes part in a soak: what each agent writes, in which ways, and how it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Ending = Literal["turn", "call", "question", "torn", "killed"]
"""A finished turn; an open call; an open question; a torn line; death within a call."""

TOKEN = re.compile(r"tok\d\d-\d{6}")
"""Stands in the text of every record that has a row of its own, and in no other record."""


@dataclass(frozen=True, slots=True)
class Part:
    """One agent: its dialect, its ways, and how it ends.

    `torn`: some lines come in two pieces. `late`: the line end comes after the line.
    `cut`: a batch of records fails and is cut off again. `replaced`: the file is written anew
    under its name. `broken`: a line that was torn stays so, and the next one follows right after.
    `large`: outputs by which the file soon passes a megabyte. `anew`: a new session now and then.
    `agents`: sub-agents.
    """

    number: int
    dialect: str
    ways: frozenset[str]
    ending: Ending = "turn"

    @property
    def home(self) -> str:
        """The root it writes below, relative to the store."""
        homes = {"product": "home", "envelope": "lessons"}
        return homes.get(self.dialect, f"project-{self.number:02d}")

    @property
    def is_registered(self) -> bool:
        """Whether its process says so in the home's registry."""
        return self.dialect == "product"

    def title(self, session: int) -> str:
        """What one of its sessions is called."""
        return f"Task {self.number:02d}.{session}"

    def session(self, session: int) -> str:
        """The id of one of its sessions."""
        return f"s-20261101-{self.number:06d}-{session:04d}"

    def transcript(self, store: Path, session: int) -> Path:
        """Where one of its sessions is written."""
        if self.dialect == "mycodeagent":
            name = f"transcript-{self.session(session)}.jsonl"
            return store / self.home / "memory" / "transcripts" / name
        folder = store / self.home / "projects" / f"code-{self.number:02d}"
        return folder / f"{self.session(session)}.jsonl"

    def sub_agent(self, store: Path, session: int, number: int) -> tuple[str, Path]:
        """The session id inside a sub-agent's transcript, and where that is written."""
        code = f"{self.number:02x}{session:02x}{number:04x}"
        above = self.transcript(store, session)
        if self.dialect == "mycodeagent":
            inner = f"subagent-child-{code:0>32}"
            return inner, above.with_name(f"transcript-{inner}.jsonl")
        return f"inner-{code}", above.with_suffix("") / "subagents" / f"agent-{code}.jsonl"


def token_of(title: str) -> str:
    """How the tokens of a session begin, by its title."""
    return f"tok{title.removeprefix('Task ')[:2]}-"


def _part(number: int, dialect: str, ways: str, ending: Ending = "turn") -> Part:
    return Part(number, dialect, frozenset(ways.split()), ending)


CAST = (
    _part(0, "product", "torn cut"),
    _part(1, "product", "agents broken", "killed"),
    _part(2, "mycodeagent", "late cut", "torn"),
    _part(3, "envelope", "torn cut anew"),
    _part(4, "product", "large agents replaced", "call"),
    _part(5, "product", "torn replaced", "question"),
    _part(6, "mycodeagent", "late large agents anew"),
    _part(7, "envelope", "large replaced", "call"),
)
"""The first is the one that is followed."""


def cast(count: int) -> list[Part]:
    """So many of them; beyond eight their ways come again."""
    parts = (CAST[number % len(CAST)] for number in range(count))
    return [Part(number, part.dialect, part.ways, part.ending) for number, part in enumerate(parts)]
