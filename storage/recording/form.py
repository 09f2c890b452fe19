"""What differs between the two formats that can be written, as the stores need it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Protocol

from ..model.agent import Agent
from ..model.event import Record
from .drafts import Draft

Mend = Literal["nothing", "complete", "cut"]
"""What to do about an unterminated last line before appending.

`complete`: add the missing line end. `cut`: remove what follows the last line end.
"""


class Form(Protocol):
    """How records of one format are drafted, stamped and appended."""

    @property
    def agent(self) -> Agent:
        """The agent that reads the format."""
        ...

    @property
    def prefix(self) -> str:
        """What precedes the session id in file names."""
        ...

    def drafted(self, fields: Mapping[str, Any]) -> Draft:
        """Return a checked draft. Raises RecordRefused."""
        ...

    def stamped(
        self, draft: Draft, session: str, number: int, at: datetime, continues: str | None
    ) -> tuple[bytes, Record]:
        """Return the complete record: its line, in the format's key order, and its parsed form.

        `number` counts from 1, `at` is in UTC, `continues` appears in a file's first record only.
        """
        ...

    def mend(self, tail: bytes) -> Mend:
        """Return what to do about bytes after the last line end. Raises TornTail."""
        ...
