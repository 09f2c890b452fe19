"""What stands below the timeline: the event under the cursor, or what the session comes to."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import ContentSwitcher

from ..widgets.event_panel import EventPanel
from ..widgets.facts_pane import FactsPane
from ..widgets.memory_facts import memory_facts
from ..widgets.recovery_facts import recovery_facts
from ..widgets.tab_bar import TabBar
from .messages import Understood
from .understanding import Aspect

TABS = {"event": "Event", "memory": "Memory", "recovery": "Recovery"}
ASPECTS: dict[str, Aspect] = {"event": "", "memory": "memory", "recovery": "recovery"}
WAITING = "The session is being read from its beginning …"


class Panes(Vertical):
    """Event, Memory and Recovery, one at a time."""

    @dataclass
    class Turned(Message):
        """Another tab is shown; `aspect` is what of the session it needs to know."""

        aspect: Aspect

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.event = EventPanel(id="event")
        self._memory = FactsPane(empty=WAITING, id="memory")
        self._recovery = FactsPane(empty=WAITING, id="recovery")
        self._bar = TabBar(TABS, id="tabs")
        self._switcher = ContentSwitcher(initial="event")

    def compose(self) -> ComposeResult:
        """The tabs, and what is shown of them."""
        yield self._bar
        with self._switcher:
            yield from (self.event, self._memory, self._recovery)

    @property
    def shown(self) -> str:
        """The tab that is shown."""
        return self._bar.shown

    def take_keys(self) -> None:
        """Give the keys to what is shown."""
        shown = {"memory": self._memory, "recovery": self._recovery}.get(self.shown)
        if shown is None:
            self.event.focus()
        else:
            self.screen.set_focus(shown)

    def turn(self, step: int) -> None:
        """Show the next tab, or the one before; the keys stay with the panes if they were."""
        self._show(self._bar.next(step))

    def understood(self, message: Understood) -> None:
        """Show what the session comes to."""
        if message.memory is not None:
            self._memory.show_facts(message.path, memory_facts(message.memory))
        if message.recovery is not None:
            self._recovery.show_facts(message.path, recovery_facts(message.recovery))

    def forget(self) -> None:
        """Another session is shown: what was known is of the one before."""
        for pane in (self._memory, self._recovery):
            pane.show_facts(None, [])

    def mark_recovery(self, mark: str) -> None:
        """Say behind the tab's name what a person would look for in it."""
        self._bar.mark("recovery", mark)

    @on(TabBar.Chosen)
    def _chosen(self, event: TabBar.Chosen) -> None:
        event.stop()
        self._show(event.name)

    def _show(self, name: str) -> None:
        had_keys = self.has_focus_within
        self._bar.show(name)
        self._switcher.current = name
        self.post_message(self.Turned(ASPECTS[name]))
        if had_keys:
            self.take_keys()
