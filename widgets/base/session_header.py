"""The header of an open session: title, size, status and workspace."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from ...storage.model.integrity import IntegrityState
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

EVIDENCE: dict[IntegrityState, str] = {
    "partial-tail": "… last line cut",
    "damaged": "✗ damaged lines",
    "corrupt": "✗ corrupt",
    "unreadable": "✗ unreadable",
}
"""How much the evidence can be trusted, where it is not whole."""


class SessionHeader(Widget):
    """Title and size of the open session; its status with the reason, and its workspace."""

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
        """Show a session as of a given time."""
        self._session, self._now = session, now
        self.refresh()

    def render(self) -> Content:
        """Return two lines; the right side gives way to the left, entirely to a reason."""
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


def _status(session: Session, width: int) -> str:
    """`● working: Bash pytest -q — pid 4711 alive, last record 3 s ago`.

    Where it does not fit, the last part of the reason is left out: the list counts uncertain calls.
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
    """Return workspace and model, which are shown or omitted together."""
    place = (below_home(session.workspace), session.model or "")
    return [" · ".join(one_line(part, 80) for part in place if part)]


def _extent(session: Session, now: int) -> list[str]:
    """Return events, tokens, duration, age and integrity problems, as far as known."""
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


def _sides(left: str, style: str, parts: Sequence[str], width: int, wanted: int) -> Content:
    """Return a line with text at both ends.

    The first parts of the right end are omitted while the left one lacks room.
    """
    for first in range(len(parts)):
        right = " · ".join(parts[first:])
        room = width - cell_len(right) - 2
        if right and room >= wanted:
            return Content.assemble((fit(left, room), style), "  ", (right, "$foreground-muted"))
    return Content.styled(fit(left, width), style)
