"""Formats how a session is resumed as lines of plain text that are safe to print."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ...storage.resume.resumption import Resumption
from ...storage.text.safe_text import exact_name, one_line, shown_name

LONGEST = 4_000


def resumption_lines(wanted: Resumption) -> Iterator[str]:
    """Yield the command, its directory, its environment, and any warnings."""
    if wanted.refusal:
        yield one_line(wanted.refusal, LONGEST)
        return
    yield f"runs  {command_line(wanted)}"
    yield f"in    {shown_name(wanted.cwd)}"
    for line in environment_lines(wanted):
        yield f"with  {line}"
    for warning in wanted.warnings:
        yield f"⚠     {one_line(warning, LONGEST)}"


def command_line(wanted: Resumption) -> str:
    """Return the command as it would be typed in a shell."""
    return " ".join(map(_word, wanted.command))


def environment_lines(wanted: Resumption) -> Iterator[str]:
    """Yield the variables that are set or unset for the command."""
    for name, value in wanted.environment.items():
        if value is None:
            yield f"{name} unset"
        else:
            yield f"{one_line(name)}={_word(value)}"


def _word(word: str) -> str:
    """Return a shell word, quoted; control characters are shown as escapes."""
    exact = exact_name(word)
    return shlex.quote(word) if exact == word else exact
