"""An invalid value of a filter, because of which nothing matches."""

from __future__ import annotations

from dataclasses import dataclass

MOMENTS = ("2h", "3d", "today", "yesterday", "2026-11-20")
"""Examples of valid values for `since:`."""

TYPED = 40
"""How many characters of the typed value are quoted."""


@dataclass(frozen=True, slots=True)
class QueryFault:
    """A filter as typed, and the values it accepts."""

    key: str
    value: str
    choices: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """One sentence with the value as typed."""
        takes = f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"
        return f'Invalid value "{self.value[:TYPED]}" for {self.key}:. Use {takes}.'
