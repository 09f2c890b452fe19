"""How a case is spoken of: its sign, what it is about, what is suggested or decided, and when."""

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
"""What a word means to its reader; the colours follow it."""

LONGEST_PATH = 4_096
"""Characters of a path that is taken apart; no system knows longer ones."""

_TELLING = ("command", "description", "prompt", "query", "url")
"""Arguments that say what a call without a file is about, in the order in which they are asked."""

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
"""What the evidence suggests, in one word wherever it is shown. The sentence beside it gives the
reason, so a word never says more than all the sentences of its suggestion have in common."""

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
    """A case in few words: all that its two lines in the list are made of."""

    sign: Word
    tool: str
    subject: Subject
    outcome: Word
    about: str


def summary(case: Case, now: int, several: bool) -> CaseSummary:
    """A case as the list tells it; `several` where it holds cases of more than one session."""
    about = when(case.action.at, now)
    if case.action.found:
        about = f"{unrecorded(case.action)} · {about}"
    if case.action.note and not case.is_open:
        about += f" — {one_line(case.action.note, 200)}"
    if several:
        about += f" · {one_line(case.title, 200) or 'untitled'}"
    return CaseSummary(sign(case), tool_name(case), subject(case), outcome(case), about)


def sign(case: Case) -> Word:
    """In one cell how a case stands."""
    if case.ended:
        return ENDED
    if case.action.verdict is not None:
        return SIGNS[case.action.verdict]
    return MAYBE if case.action.state == "unknown" else OPEN


def outcome(case: Case) -> Word:
    """How it ended after all, or what was decided, or what the evidence suggests."""
    if case.ended:
        return Word(case.ended, "quiet")
    return suggestion(case) if case.action.verdict is None else DECIDED[case.action.verdict]


def suggestion(case: Case) -> Word:
    """What the evidence suggests; a verdict that it proposes has a question mark."""
    evidence = case.action.evidence
    suggests = "unknown" if evidence is None else evidence.suggests
    word = SUGGESTED[suggests]
    return word._replace(text=f"{word.text}?") if suggests in ("applied", "not-applied") else word


def unrecorded(action: Action) -> str:
    """What is said of an effect without a record instead of its call."""
    evidence = action.evidence
    is_changed = evidence is not None and evidence.suggests in ("applied", "changed-since")
    return "changed, no call recorded" if is_changed else "no call recorded"


def tool_name(case: Case) -> str:
    """The tool; those of other servers, named mcp__server__tool, by their last part."""
    if case.action.found:
        return "file"
    tool = case.action.tool
    return one_line(tool[-200:].rpartition("__")[2] or tool, 40) or "call"


def subject(case: Case) -> Subject:
    """The file of a call, or its command, or whatever its arguments begin with."""
    path = file_of(case)
    if path:
        return Subject(below_home(inside(path, case.directory)), is_path=True)
    args = case.action.args
    if not isinstance(args, dict):
        return Subject(one_line(args) if isinstance(args, str) else "", is_path=False)
    told = (args.get(key) for key in (*_TELLING, *islice(args, 8)))
    return Subject(one_line(next((text for text in told if _is_text(text)), "")), is_path=False)


def file_of(case: Case) -> str:
    """The path of the file concerned; "" where there is none. Foreign."""
    return case.action.path or (case.edit.path if case.edit else "")


def inside(path: str, directory: str | None) -> str:
    """A path as seen from a directory that it lies in; otherwise as it is."""
    if not directory or len(path) > LONGEST_PATH:
        return path
    system: type[PurePath] = PureWindowsPath if PureWindowsPath(directory).drive else PurePosixPath
    try:
        relative = system(path).relative_to(directory)
    except ValueError:
        return path
    # A path that climbs is not inside, whatever it begins with.
    return path if ".." in relative.parts else str(relative)


def tail(path: str, cells: int) -> str:
    """The end of a path in at most so many cells: its first folders give way to its name."""
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
    """The time of day, with the day where that is not today, and the year where it is another."""
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
"""The group of sessions, and of their calls, whose agent nobody can tell to be alive or dead."""
