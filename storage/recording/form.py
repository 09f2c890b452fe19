"""What the two dialects that can be written differ in, as the stores ask it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Protocol

from ..model.event import Dialect, Record
from .drafts import Draft

Mend = Literal["nothing", "complete", "cut"]
"""What is done about a last line without its end before something is appended.

`complete`: write the missing line end. `cut`: drop what follows the last line end.
"""


class Form(Protocol):
    """How records of one dialect are drafted, stamped and appended."""

    @property
    def dialect(self) -> Dialect:
        """The module that reads them."""
        ...

    @property
    def prefix(self) -> str:
        """What stands before the session id in file names."""
        ...

    def drafted(self, fields: Mapping[str, Any]) -> Draft:
        """A checked draft; raises RecordRefused."""
        ...

    def stamped(
        self, draft: Draft, session: str, number: int, at: datetime, continues: str | None
    ) -> tuple[bytes, Record]:
        """The whole record: its line, in the dialect's order, and as a reader has it.

        `number` counts from 1, `at` is in UTC, `continues` is only told by the first of a file.
        """
        ...

    def mend(self, tail: bytes) -> Mend:
        """What is to be done about bytes after the last line end; raises TornTail."""
        ...
