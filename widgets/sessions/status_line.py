"""The lines that say where one is: top bar, head of a session, and what to do with nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from ...storage.folds.integrity import State
from ...storage.model.session import Session, Status
from ..words.ages import age
from ..words.amounts import count, duration
from ..words.families import family_tokens, family_words, path_title
from ..words.folders import below_home
from ..words.safe import fit, one_line

STATUS_STYLES: dict[Status, str] = {
    "working": "$text-success",
    "waiting": "$text-primary",
    "asking": "bold $text-warning",
    "interrupted": "$text-warning",
    "crashed": "bold $text-error",
    "done": "$foreground-muted",
    "empty": "$foreground-muted",
    "corrupt": "bold $text-error",
    "unknown": "$foreground-muted",
}

STATUS_SIGNS: dict[Status, str] = {
    "working": "●",
    "waiting": "○",
    "asking": "?",
    "interrupted": "■",
    "crashed": "✗",
    "done": "✓",
    "empty": "·",
    "corrupt": "✗",
    "unknown": "~",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """What the top bar tells of all sessions."""

    sessions: int = 0
    working: int = 0
    need_you: int = 0
    indexing: int | None = None
    """Per cent done; None while nothing is being indexed."""
    scope: str = "all roots"
    note: str = ""
    """Something to know now, as `2 files could not be read`; foreign."""
    left: str = ""
    """What is still to be indexed, and how long that takes."""
    maybe_crashed: int = 0
    """Sessions whose agent nobody can tell to be alive or dead."""


EVIDENCE: dict[State, str] = {
    "partial-tail": "… last line cut",
    "damaged": "✗ damaged lines",
    "corrupt": "✗ corrupt",
    "unreadable": "✗ unreadable",
}
"""How much the evidence can be trusted, where it is not whole."""


class TopBar(Widget):
    """Name, counts and scope in one line."""

    DEFAULT_CSS = """
    TopBar { height: 1; padding: 0 1; background: $panel; color: $foreground; }
    """

    def __init__(
        self,
        summary: Summary | None = None,
        *,
        place: str = "sessions",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._summary = summary or Summary()
        self._place = place

    def show(self, summary: Summary, place: str | None = None) -> None:
        """Show other counts, and another place's name."""
        self._place = place or self._place
        if summary != self._summary or place:
            self._summary = summary
            self.refresh()

    def render(self) -> Content:
        """The counts in the middle; these, scope, then name give way where it is narrow."""
        width, summary = self.size.width, self._summary
        middle = _counts(summary)
        if middle.cell_length > width:
            middle = _counts(replace(summary, left=""))
        scope = one_line(summary.scope, 60)
        side = max(0, (width - middle.cell_length) // 2)
        spare = width - middle.cell_length - cell_len(scope) - 2
        if cell_len(self._place) < spare < side:
            side = spare
        left = fit(self._place, side) if side > 3 else ""
        room = width - cell_len(left) - middle.cell_length
        right = fit(scope, max(0, room), "right") if cell_len(scope) < room else ""
        return Content.assemble((left, "bold $text-accent"), middle, (right, "$foreground-muted"))


class SessionHeader(Widget):
    """Title and size of the open session; its status with the reason, and its place."""

    DEFAULT_CSS = """
    SessionHeader { height: 2; padding: 0 1; background: $background; color: $foreground; }
    """

    def __init__(
        self,
        session: Session | None = None,
        *,
        now: int = 0,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._session = session
        self._now = now

    def show(self, session: Session | None, now: int) -> None:
        """Show a session as it is at a moment."""
        self._session, self._now = session, now
        self.refresh()

    def render(self) -> Content:
        """Two lines, the right side giving way to the left: to a reason altogether."""
        session, width = self._session, self.size.width
        if session is None:
            return Content("")
        share = width * 2 // 3 if session.lineage else width // 2
        title, status = path_title(session, share), _status(session, width)
        wanted = min(cell_len(title), share)
        first = _sides(title, "bold", _extent(session, self._now), width, wanted)
        look = STATUS_STYLES[session.status]
        second = _sides(status, look, _place(session), width, cell_len(status))
        return Content("\n").join([first, second])


class Notice(Widget):
    """What a place says when it has nothing to show: why, and what one can do."""

    DEFAULT_CSS = """
    Notice {
        width: 1fr; height: 1fr; padding: 1 3; background: $background;
        content-align: center middle; color: $foreground;
    }
    """

    def __init__(
        self,
        title: str = "",
        lines: Sequence[str] = (),
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._title = title
        self._lines = tuple(lines)

    def show(self, title: str, lines: Sequence[str] = ()) -> None:
        """Say something else; both may hold foreign text, as paths."""
        self._title, self._lines = title, tuple(lines)
        self.refresh(layout=True)

    def render(self) -> Content:
        """The title, and below it the lines."""
        parts: list[tuple[str, str]] = [(one_line(self._title), "bold $text-accent"), ("\n", "")]
        for line in self._lines:
            parts.append((f"\n{one_line(line)}", "$foreground-muted"))
        return Content.assemble(*parts)


def nothing_found(roots: Sequence[str], cwd: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Title and lines for a `Notice` where no transcript was found.

    In the working directory, where it is among the roots, only a project's transcripts were
    looked for.
    """
    places = [f"{root.rstrip('/')}/memory/transcripts" if root == cwd else root for root in roots]
    return "No sessions yet", (
        "Looked in:",
        *(below_home(place) for place in places),
        "",
        "Press enter for a made-up store with agents at work,",
        "or name a store with --root PATH.",
    )


def _status(session: Session, width: int) -> str:
    """`● working: Bash pytest -q — pid 4711 alive, last record 3 s ago`.

    What does not fit is the last of the reason: the list tells how many calls are uncertain, too.
    """
    said = _reasoned(session, why := one_line(session.why))
    while cell_len(said) > width and "; " in why:
        said = _reasoned(session, why := why.rpartition("; ")[0] + ".")
    return said


def _reasoned(session: Session, why: str) -> str:
    doing = f": {one_line(session.doing, 80)}" if session.doing else ""
    below = family_words(session.family)
    if family := session.family:
        detail = family.why.rstrip(".") if family.needing else family.doing
        below += f": {one_line(detail, 80)}" if detail else ""
    said = " — ".join(part for part in (below, why) if part)
    return f"{STATUS_SIGNS[session.status]} {session.status}{doing} — {said}"


def _place(session: Session) -> list[str]:
    """Workspace and model, which stay or go together."""
    place = (below_home(session.workspace), session.model or "")
    return [" · ".join(one_line(part, 80) for part in place if part)]


def _extent(session: Session, now: int) -> list[str]:
    """Events, tokens, duration, age and a fault of the evidence, as far as they are known."""
    parts = []
    if session.events is not None:
        parts.append(count(session.events, "event"))
    if used := family_tokens(session):
        parts.append(used)
    if session.started_at and session.updated_at and session.updated_at > session.started_at:
        parts.append(duration(session.updated_at - session.started_at))
    passed = age(session.updated_at, now)
    parts.append(f"{passed} ago" if passed.endswith((" min", " h", " d")) else passed)
    if fault := EVIDENCE.get(session.integrity.state):
        parts.append(fault)
    return parts


def _counts(summary: Summary) -> Content:
    """`482 sessions · 3 working · 2 need you · indexing 61 %`."""
    parts: list[tuple[str, str]] = [(count(summary.sessions, "session"), "$foreground")]
    if summary.working:
        parts.append((f"{summary.working:,} working", "$text-success"))
    if summary.need_you:
        needs = "needs" if summary.need_you == 1 else "need"
        parts.append((f"{summary.need_you:,} {needs} you", "bold $text-warning"))
    if summary.maybe_crashed:
        parts.append((f"{summary.maybe_crashed:,} maybe crashed", "$foreground-muted"))
    if summary.indexing is not None:
        left = f", {summary.left}" if summary.left else ""
        parts.append((f"indexing {summary.indexing} %{left}", "$foreground-muted"))
    if summary.note:
        parts.append((one_line(summary.note, 80), "$text-warning"))
    return Content(" · ").join([Content.styled(text, style) for text, style in parts])


def _sides(left: str, style: str, parts: Sequence[str], width: int, wanted: int) -> Content:
    """A line with something at both ends.

    Of the right end the first parts are left out while the left one has less than it wants.
    """
    for first in range(len(parts)):
        right = " · ".join(parts[first:])
        room = width - cell_len(right) - 2
        if right and room >= wanted:
            return Content.assemble((fit(left, room), style), "  ", (right, "$foreground-muted"))
    return Content.styled(fit(left, width), style)
