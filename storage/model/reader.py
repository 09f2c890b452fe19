"""How the records of an agent become events: the protocol that its reader implements."""

from __future__ import annotations

from typing import Any, Protocol

from .event import Event, FileSnapshot, Place, Record, ResponsePart, Title, Usage


class Reader(Protocol):
    """How an agent's records become events: pure functions that accept any JSON object.

    Implemented by a module or a class. None of them raises.
    """

    @property
    def strict(self) -> bool:
        """Whether a lone CR ends a line, and invalid UTF-8 or JSON makes the transcript corrupt."""
        ...

    @property
    def several(self) -> bool:
        """Whether a record may hold several events, as told by `blocks`."""
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

    def blocks(self, record: Record) -> int:
        """Return how many events a record holds, at least 1; called only if `several`."""
        ...

    def read(self, record: Record, place: Place) -> Event:
        """Return the event of `place.block`: an unknown record gives kind `unknown`.

        Ids of events after the first end in `place.suffix`.
        """
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
