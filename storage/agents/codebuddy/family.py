"""What CodeBuddy's files say about forks: copied records, and notes next to a transcript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import orjson

from ...files.lines import opened, pread
from ...folds.facts import Facts
from ...model.store import TranscriptFile
from ...records.fields import mapping, string
from .stores import NOTES

LARGEST = 64 * 1024
"""Maximum bytes read of a file of notes; real ones have about two hundred."""


class CodeBuddyFamily:
    """Sub-agents are found by their folders; only main sessions are forked."""

    def parents(
        self,
        first: Sequence[TranscriptFile],
        files: Sequence[TranscriptFile],
        facts: Mapping[Path, Facts],
    ) -> dict[Path, Path]:
        """Return nothing: folders show the parents."""
        return {}

    def continued(
        self, files: Sequence[TranscriptFile], facts: Mapping[Path, Facts]
    ) -> Iterator[tuple[Path, Path]]:
        """Yield nothing: a resumed session continues in its file."""
        return iter(())

    def name_of(self, session: str) -> str:
        """Return the session id: results name sub-agents by it."""
        return session

    def may_be_fork(self, file: TranscriptFile) -> bool:
        """Return whether records of another session are copies: in sub-agents, they are not."""
        return not file.is_agent

    def noted_source(self, file: TranscriptFile) -> str | None:
        """Return the session that the notes next to a transcript name as its source."""
        with (
            suppress(OSError, orjson.JSONDecodeError),
            opened(file.path.with_name(file.session + NOTES)) as fd,
        ):
            return string(mapping(orjson.loads(pread(fd, LARGEST, 0))).get("forkedFrom"))
        return None
