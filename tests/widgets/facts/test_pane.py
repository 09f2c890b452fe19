"""Memory and recovery as lines: what they say, their order, and where they lead."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from textual import on
from textual.app import App, ComposeResult

from sessions_tui.storage.model.memory import LISTS, MemoryItem, SessionMemory, Source
from sessions_tui.widgets.facts.memory import memory_facts
from sessions_tui.widgets.facts.pane import FactsPane

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]


class Host(App[None]):
    """The pane, and what it asked for."""

    def __init__(self, memory: SessionMemory | None = None) -> None:
        super().__init__()
        self.pane = FactsPane(empty="Nothing to remember yet.")
        self.memory = memory
        self.wanted: list[tuple[str, int]] = []

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.tell(self.memory)

    def tell(self, memory: SessionMemory | None) -> None:
        facts = memory_facts(memory) if memory else []
        self.pane.show_facts(memory.session if memory else None, facts)

    @on(FactsPane.SourceWanted)
    def note(self, message: FactsPane.SourceWanted) -> None:
        assert message.control is self.pane
        self.wanted.append((message.event_id, message.offset))


@pytest.fixture
def memory(now: int) -> SessionMemory:
    """A memory with everything that looks different."""

    def item(number: int, text: str, uncertain: bool = False, timed: bool = True) -> MemoryItem:
        at = now - 1_000 * (100 - number) if timed else None
        source = Source(f"e{number}", f"e{number + 1}")
        return MemoryItem(text, source, at, number * 100, uncertain)

    return SessionMemory(
        session="s",
        current_goal=item(1, "<user_query>修好</user_query>"),
        goal="修好 reserve() 的超卖并补测试",
        completed_work=(
            item(3, "Edit app/stock.py"),
            item(
                9, "reserve() uses one conditional UPDATE, so that two orders cannot both take it"
            ),
        ),
        key_decisions=(item(2, "Approved plan: 1. Measure 2. Cut", timed=False),),
        failed_attempts=(item(6, "Bash pytest -q: exit 1"),),
        todo_items=(
            item(8, "Resolve uncertain action Edit app/db.py before claiming completion.", True),
            item(4, "write the test (in progress)"),
            item(4, "update the README"),
        ),
        verification_status=(item(6, "Tests failed: pytest -q"), item(7, "Tests passed: pytest")),
        event_count=12,
        first_event_id="e1",
        last_event_id="e12",
        dropped={**dict.fromkeys(LISTS, 0), "completed_work": 1_204},
    )


@pytest.mark.parametrize("size", [(140, 14), (60, 14)])
async def test_frames(
    size: tuple[int, int], memory: SessionMemory, frame: Frame, snapshot: Snapshot
) -> None:
    app = Host(memory)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        snapshot(f"memory-{size[0]}x{size[1]}", frame(app))


async def test_a_line_leads_to_its_source(memory: SessionMemory) -> None:
    app = Host(memory)
    async with app.run_test(size=(80, 14)) as pilot:
        await pilot.press("enter", "j", "enter", "G", "enter")
        await pilot.pause()
        # The last line only tells how many are left out: the cursor does not rest there.
        assert app.wanted == [("e1", 100), ("e8", 800), ("e3", 300)]


async def test_a_line_without_an_id_leads_nowhere(memory: SessionMemory) -> None:
    goal = MemoryItem("goal", Source(None, None))
    app = Host(dataclasses.replace(memory, current_goal=goal, goal="goal"))
    async with app.run_test(size=(80, 14)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert app.wanted == []


async def test_nothing_to_remember(frame: Frame, memory: SessionMemory) -> None:
    app = Host()
    async with app.run_test(size=(80, 14)) as pilot:
        await pilot.pause()
        assert "Nothing to remember yet." in frame(app)
        app.tell(memory)
        await pilot.pause()
        assert "reserve()" in frame(app)
        app.tell(None)
        await pilot.press("enter")
        await pilot.pause()
        assert "Nothing to remember yet." in frame(app)
        assert app.wanted == []


async def test_the_cursor_stays_on_its_line_while_the_memory_grows(memory: SessionMemory) -> None:
    app = Host(memory)
    async with app.run_test(size=(80, 14)) as pilot:
        await pilot.press("j", "j")
        row = app.pane.current
        assert row is not None
        assert row.text == "write the test (in progress)"
        app.tell(dataclasses.replace(memory, todo_items=memory.todo_items[1:]))
        await pilot.pause()
        assert app.pane.current is not None
        assert app.pane.current.text == row.text
        app.tell(dataclasses.replace(memory, session="other"))
        await pilot.pause()
        assert app.pane.cursor == 0


async def test_hostile_items(memory: SessionMemory, hostile: str, frame: Frame) -> None:
    def nasty(items: tuple[MemoryItem, ...]) -> tuple[MemoryItem, ...]:
        return tuple(dataclasses.replace(item, text=hostile, at=10**18) for item in items)

    lists: dict[str, Any] = {name: nasty(memory.items(name)) for name in LISTS}
    app = Host(dataclasses.replace(memory, goal=hostile, **lists))
    for size in ((140, 14), (60, 14), (12, 5)):
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
            for y in range(size[1]):
                width = app.pane.scrollable_content_region.width
                assert app.pane.render_line(y).cell_length == width
        app = Host(dataclasses.replace(memory, goal=hostile, **lists))
