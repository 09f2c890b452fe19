"""Why a filter finds nothing at all: its value means nothing to it."""

from __future__ import annotations

from dataclasses import dataclass

MOMENTS = ("2h", "3d", "today", "yesterday", "2026-11-20")
"""What `since:` takes."""

TYPED = 40
"""Characters of what was typed that are told."""


@dataclass(frozen=True, slots=True)
class QueryFault:
    """A filter as it was typed, and what it takes instead."""

    key: str
    value: str
    choices: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """One sentence, which holds what was typed."""
        takes = f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"
        return f"{self.key}:{self.value[:TYPED]} means nothing: {self.key}: takes {takes}."
