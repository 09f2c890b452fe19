"""The wording of a case: its sign, subject, suggestion or decision, and time."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeGuard

from rich.cells import cell_len

from ...storage.model.timeline import Verdict
from .ages import clock, day_short, local, same_day
from .folders import below_home
from .safe import ONE_LINE, exact_name, fit, one_line

if TYPE_CHECKING:
    from ...storage.model.action import Action
    from ...storage.model.case import Case
    from ...storage.model.evidence import Suggestion

Tone = Literal["good", "bad", "doubt", "quiet"]
"""The meaning of a word to the reader; it determines the colour."""

LONGEST_PATH = 4_096
"""Maximum characters of a path to parse; no system supports longer ones."""

_TELLING = ("command", "description", "prompt", "query", "url")
"""Arguments that describe a call without a file, in order of preference."""

_SEPARATOR = re.compile(r"[/\\]")


class Word(NamedTuple):
    """A word or sign of the program's own."""

    text: str
    tone: Tone


SUGGESTED: dict[Suggestion, Word] = {
    "applied": Word("applied", "good"),
    "not-applied": Word("not applied", "bad"),
    "ambiguous": Word("unclear", "doubt"),
    "changed-since": Word("changed", "doubt"),
    "unknown": Word("unknown", "quiet"),
}
"""What the evidence suggests, in one word wherever it is shown. The sentence next to it gives the
reason, so a word says no more than all reasons for its suggestion have in common."""

DECIDED: dict[Verdict, Word] = {
    "verified": Word("applied", "good"),
    "not-applied": Word("not applied", "bad"),
    "partial": Word("partial", "doubt"),
    "dismissed": Word("dismissed", "quiet"),
}

SIGNS: dict[Verdict, Word] = {
    "verified": Word("✓", "good"),
    "not-applied": Word("✗", "bad"),
    "partial": Word("◐", "doubt"),
    "dismissed": Word("·", "quiet"),
}

OPEN = Word("⚠", "doubt")
MAYBE = Word("~", "quiet")
ENDED = Word("↩", "quiet")


class Subject(NamedTuple):
    """What a call is about; foreign text."""

    text: str
    is_path: bool


class CaseSummary(NamedTuple):
    """A case in a few words: everything in its two lines in the list."""

    sign: Word
    tool: str
    subject: Subject
    outcome: Word
    about: str


def summary(case: Case, now: int, several: bool) -> CaseSummary:
    """Return a case as shown in the list; `several`: the list has cases of several sessions."""
    about = when(case.action.at, now)
    if case.action.found:
        about = f"{unrecorded(case.action)} · {about}"
    if case.action.note and not case.is_open:
        about += f" — {one_line(case.action.note, 200)}"
    if several:
        about += f" · {one_line(case.title, 200) or 'untitled'}"
    return CaseSummary(sign(case), tool_name(case), subject(case), outcome(case), about)


def sign(case: Case) -> Word:
    """Return the state of a case in one cell."""
    if case.ended:
        return ENDED
    if case.action.verdict is not None:
        return SIGNS[case.action.verdict]
    return MAYBE if case.action.state == "unknown" else OPEN


def outcome(case: Case) -> Word:
    """Return the late result, or the decision, or what the evidence suggests."""
    if case.ended:
        return Word(case.ended, "quiet")
    return suggestion(case) if case.action.verdict is None else DECIDED[case.action.verdict]


def suggestion(case: Case) -> Word:
    """Return what the evidence suggests; a question mark is added to a proposed verdict."""
    evidence = case.action.evidence
    suggests = "unknown" if evidence is None else evidence.suggests
    word = SUGGESTED[suggests]
    return word._replace(text=f"{word.text}?") if suggests in ("applied", "not-applied") else word


def unrecorded(action: Action) -> str:
    """Return the wording for an unrecorded effect in place of its call."""
    evidence = action.evidence
    is_changed = evidence is not None and evidence.suggests in ("applied", "changed-since")
    return "changed, no call recorded" if is_changed else "no call recorded"


def tool_name(case: Case) -> str:
    """Return the tool's name; for mcp__server__tool, the last part."""
    if case.action.found:
        return "file"
    tool = case.action.tool
    return one_line(tool[-200:].rpartition("__")[2] or tool, 40) or "call"


def subject(case: Case) -> Subject:
    """Return the file of a call, or its command, or else its first text argument."""
    path = file_of(case)
    if path:
        return Subject(below_home(inside(path, case.directory)), is_path=True)
    args = case.action.args
    if not isinstance(args, dict):
        return Subject(one_line(args) if isinstance(args, str) else "", is_path=False)
    told = (args.get(key) for key in (*_TELLING, *islice(args, 8)))
    return Subject(one_line(next((text for text in told if _is_text(text)), "")), is_path=False)


def file_of(case: Case) -> str:
    """Return the path of the file concerned; "" if there is none. Foreign."""
    return case.action.path or (case.edit.path if case.edit else "")


def inside(path: str, directory: str | None) -> str:
    """Return a path relative to a directory that contains it; otherwise unchanged."""
    if not directory or len(path) > LONGEST_PATH:
        return path
    system: type[PurePath] = PureWindowsPath if PureWindowsPath(directory).drive else PurePosixPath
    try:
        relative = system(path).relative_to(directory)
    except ValueError:
        return path
    # A path that climbs with `..` is not inside, whatever it begins with.
    return path if ".." in relative.parts else str(relative)


def tail(path: str, cells: int) -> str:
    """Return the end of a path in at most `cells` cells: leading folders are dropped first."""
    line = exact_name(path[-ONE_LINE:])
    if cell_len(line) <= cells:
        return line
    starts = [match.start() for match in _SEPARATOR.finditer(line)]
    for start in starts:
        if cell_len(line[start:]) < cells:
            return "…" + line[start:]
    name = line[starts[-1] + 1 :] if starts else line
    return fit(name, cells).rstrip()


def when(at: int | None, now: int, seconds: bool = False) -> str:
    """Return the time of day, with the day if that is not today, and the year if it differs."""
    if at is None:
        return "no time"
    time = clock(at, seconds)
    if same_day(at, now):
        return time
    if local(at).year == local(now).year:
        return f"{day_short(at)} {time}"
    return f"{local(at):%Y-%m-%d} {time}"


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value[:ONE_LINE].strip())


MAYBE_CRASHED = "MAYBE CRASHED"
"""The heading of sessions, and of their calls, whose agent may or may not have died."""
