"""The lines that say where one is: top bar, head of a session, and what to do with nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from ..words.amounts import count
from ..words.folders import below_home
from ..words.safe import fit, one_line


@dataclass(frozen=True, slots=True)
class Summary:
    """What the top bar tells of all sessions."""

    sessions: int = 0
    working: int = 0
    need_you: int = 0
    indexing: int | None = None
    """Per cent done; None while nothing is being indexed."""
    scope: str = "all sources"
    note: str = ""
    """Something to know now, as `2 files could not be read`; foreign."""
    left: str = ""
    """What is still to be indexed, and how long that takes."""
    maybe_crashed: int = 0
    """Sessions whose agent nobody can tell to be alive or dead."""


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
        "Press enter for a demo with sample data and agents at work,",
        "or give a session directory with --root PATH.",
    )


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
