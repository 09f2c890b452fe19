"""The parts of a small agent: a reader and a layout to which only what differs is added."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..files.kinds import is_directory
from ..model.event import Event, FileSnapshot, Place, Record, ResponsePart, Title, Usage
from ..model.store import SUFFIX, Home, Named, Root
from ..records.fields import lapse, string
from ..text.paths import named_path

if TYPE_CHECKING:
    from ..stores.walk import Walk


class PlainReader:
    """A reader of which a subclass must write only `recognises` and `read`."""

    strict = False
    several = False
    has_ids = False

    def blocks(self, record: Record) -> int:
        """Return 1: a record is one event."""
        return 1

    def position_id(self, place: Place) -> str | None:
        """Return the event id of a record that has none of its own: its session and number."""
        if place.number is None:
            return None
        return f"transcript:{place.session}:{place.number}{place.suffix}"

    def type_of(self, record: Record) -> str:
        """Return the field `type`."""
        return string(record.get("type")) or ""

    def session_in(self, record: Record) -> str | None:
        """Return None: the file name is the session id."""
        return None

    def continues(self, record: Record) -> str | None:
        """Return None: a file holds all records of its session."""
        return None

    def text(self, event: Event) -> str:
        """Return the field `text`."""
        return string(event.record.get("text")) or ""

    def args(self, event: Event) -> Any:
        """Return the field `args` of a call."""
        return event.record.get("args") if event.kind == "call" else None

    def file_of(self, event: Event) -> str | None:
        """Return the file that the arguments of a call name."""
        return named_path(event.args)

    def title(self, event: Event) -> Title | None:
        """Return None: records hold no titles."""
        return None

    def duration(self, call: Event, result: Event) -> int | None:
        """Return the milliseconds from call to result."""
        return lapse(call.at, result.at)

    def output_file(self, event: Event) -> str:
        """Return "": records hold the full output."""
        return ""

    def with_output(self, event: Event, text: str) -> Event:
        """Return the event unchanged."""
        return event

    def failure(self, event: Event) -> str:
        """Return `failed` for a failed event."""
        return event.outcome if event.outcome in ("failed", "interrupted") else ""

    def cwd(self, record: Record) -> str | None:
        """Return the field `cwd`."""
        return string(record.get("cwd"))

    def model(self, record: Record) -> str | None:
        """Return the field `model`."""
        return string(record.get("model"))

    def usage(self, record: Record) -> tuple[str, Usage] | None:
        """Return None: records hold no tokens."""
        return None

    def response(self, record: Record) -> ResponsePart | None:
        """Return None: a response is a single record."""
        return None

    def snapshot(self, record: Record) -> FileSnapshot | None:
        """Return None: no record lists backups of files."""
        return None


class FlatHome:
    """The layout of an agent that keeps its transcripts directly in its home directory."""

    def __init__(self, folder: str, brand: str, variable: str = "") -> None:
        self.homes = (Home(folder, brand, variable),)
        self.brands = (brand,)

    def is_home(self, path: Path) -> bool:
        """Return whether a directory has the name of the home."""
        return path.name == self.homes[0].folder and is_directory(path)

    def has_sessions(self, home: Path) -> bool:
        """Return whether there is a transcript in a home."""
        try:
            return any(path.name.endswith(SUFFIX) for path in home.iterdir())
        except OSError:
            return False

    def is_project(self, path: Path) -> bool:
        """Return False: transcripts are kept in the home alone."""
        return False

    def brand(self, home: Path) -> str:
        """Return the only brand."""
        return self.brands[0]

    def brand_of_file(self, transcript: Path) -> str:
        """Return the brand of a transcript in a home."""
        return self.brands[0] if self.holds(transcript) else ""

    def holds(self, transcript: Path) -> bool:
        """Return whether a transcript lies in a home."""
        return transcript.parent.name == self.homes[0].folder

    def home_of(self, transcript: Path) -> Path | None:
        """Return the home that a transcript lies in."""
        return transcript.parent if self.holds(transcript) else None

    def session_of(self, transcript: Path) -> str:
        """Return the session id of a transcript: the stem of its name."""
        return transcript.name[: -len(SUFFIX)]

    def watched(self, root: Root) -> tuple[Path, ...]:
        """Return the home."""
        return (root.path,)

    def kept_out(self, root: Root, user: Path) -> tuple[Path, ...]:
        """Return the home."""
        return (root.path if root.kind == "home" else root.path.parent,)

    def find(self, root: Root, walk: Walk) -> None:
        """Find the transcripts of a home, or a single one."""
        if root.kind != "home":
            walk.take_path(root.path, Named(self.session_of(root.path), root.path.parent))
            return
        folder = walk.folder(root.path)
        for entry in walk.transcripts(walk.enter(folder)):
            walk.take(entry, folder.path, Named(entry.name[: -len(SUFFIX)], folder.path))
