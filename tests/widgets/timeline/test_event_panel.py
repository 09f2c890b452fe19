"""The event panel: sections, diffs, pages, and what it hands on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.message import Message

from sessions_tui.storage.model.edits import edit_of
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.event_detail import EventDetail
from sessions_tui.widgets.base.diff import diff
from sessions_tui.widgets.base.page_text import PageText
from sessions_tui.widgets.timeline.event_panel import COPIED, EventPanel
from sessions_tui.widgets.timeline.event_sections import passages

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

ARGS = {
    "file_path": "/home/mei/src/inventory-api/app/stock.py",
    "old_string": "def reserve(db, sku, n):\n    stock = db.get(sku)\n    return True\n",
    "new_string": "def reserve(db, sku, n):\n    done = db.execute(RESERVE, (n, sku, n))\n"
    "    return done.rowcount == 1  # 不会超卖\n",
}
RAW = {"type": "function_call", "name": "Edit", "arguments": json.dumps(ARGS)}


def edit_event() -> EventDetail:
    return EventDetail(
        "call",
        500,
        5,
        "transcript:abc:5",
        1_795_953_731_000,
        tool="Edit",
        model="hy3",
        usage=Usage(1_200, 34_000, 212),
        args=ARGS,
        edit=edit_of("Edit", ARGS),
        result="Successfully edited file",
        state="completed",
        duration=41,
        raw=json.dumps(RAW),
        path=ARGS["file_path"],
        cwd="/home/mei/src/inventory-api",
    )


class Host(App[None]):
    """Nothing but the panel."""

    def __init__(self, event: EventDetail | None) -> None:
        super().__init__()
        self.panel = EventPanel()
        self.panel.show(event)
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.panel

    def on_mount(self) -> None:
        self.panel.focus()

    @on(EventPanel.Copied)
    @on(EventPanel.FileWanted)
    def hear(self, message: Message) -> None:
        self.heard.append(message)


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Host(edit_event())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        snapshot(f"event-{size[0]}x{size[1]}", frame(app))


async def test_sections(frame: Frame) -> None:
    app = Host(edit_event())
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("2")
        await pilot.pause()
        assert '"old_string": "def reserve' in frame(app)
        await pilot.press("3")
        await pilot.pause()
        assert "Successfully edited file" in frame(app)
        assert "def reserve" not in frame(app)
        await pilot.press("4")
        await pilot.pause()
        assert '"type": "function_call"' in frame(app)
        app.panel.show(EventDetail("answer", 0, text="No arguments here.", raw="{}"))
        await pilot.press("2")
        await pilot.pause()
        assert app.panel.section == "raw"


async def test_a_missing_section_falls_back(frame: Frame) -> None:
    app = Host(edit_event())
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("3")
        app.panel.show(EventDetail("answer", 0, text="Only text."))
        await pilot.pause()
        assert app.panel.section == "event"
        assert "Only text." in frame(app)


async def test_nothing_chosen(frame: Frame) -> None:
    app = Host(None)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.press("1", "2", "y", "Y", "e")
        await pilot.pause()
        assert "Choose an event" in frame(app)
        assert not app.heard


async def test_an_uncertain_call_says_so(frame: Frame) -> None:
    app = Host(EventDetail("call", 0, tool="Bash", args={"command": "make"}, state="uncertain"))
    async with app.run_test(size=(100, 12)) as pilot:
        await pilot.pause()
        assert "Bash ⚠ uncertain" in frame(app)
        assert "No result was recorded." in frame(app)


ASKED = {
    "questions": [
        {
            "question": "Where should orders live?",
            "header": "Database",
            "multiSelect": True,
            "options": [
                {"label": "SQLite", "description": "one file, no server to run or to back up"},
                {"label": "Postgres"},
                "neither",
            ],
        },
        {"question": "Which port?"},
    ],
    "limits": {"rows": 5},
}


async def test_a_question_is_readable(frame: Frame) -> None:
    app = Host(EventDetail("call", 0, tool="AskUserQuestion", args=ASKED, state="running",
                           detail="asks you"))  # fmt: skip
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        lines = [line.strip("▌ ") for line in frame(app).splitlines()]
        assert "AskUserQuestion ? asks you  no time" in lines
        start = lines.index("Database")
        assert lines[start : start + 16] == [
            "Database",
            "Where should orders live?",
            "• SQLite — one file, no server to",
            "run or to back up",
            "• Postgres",
            "• neither",
            "Several may be chosen.",
            "",
            "question",
            "Which port?",
            "limits",
            "{",
            '"rows": 5',
            "}",
            "",
            "Waiting for your answer in the agent's",
        ]


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        ({"plan": "# Steps\n1. Move"}, ["plan", "# Steps", "1. Move"]),
        ({"questions": []}, ["questions", "[]"]),
        ({"questions": [{"question": 1}]}, ["questions", "[", "  {", '    "question": 1']),
        ({"questions": [{"question": "?", "options": 3}]}, ["question", "?"]),
    ],
)
def test_arguments_as_one_reads_them(args: Any, shown: list[str]) -> None:
    event = EventDetail("call", 0, tool="ExitPlanMode", args=args)
    text = "\n".join(passage.text for passage in passages(event, "event"))
    assert text.split("\n")[: len(shown)] == shown


@pytest.mark.parametrize(
    ("event", "size"),
    [
        (EventDetail("call", 0, tool="Bash", text="make test all", state="running"), None),
        (EventDetail("call", 0, tool="Bash", text="make", result="x" * 20), "20 B"),
        (EventDetail("result", 0, text="x" * 20, result="x" * 20), "20 B"),
    ],
)
async def test_a_size_is_that_of_a_result(
    event: EventDetail, size: str | None, frame: Frame
) -> None:
    app = Host(event)
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        facts = frame(app).splitlines()[0]
        assert facts.endswith(size or "no time")


async def test_copying_and_opening() -> None:
    app = Host(edit_event())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("y")
        assert app.clipboard == "transcript:abc:5"
        await pilot.press("Y")
        assert app.clipboard == "Successfully edited file"
        await pilot.press("e")
        await pilot.pause()
        wanted = app.heard[-1]
        assert isinstance(wanted, EventPanel.FileWanted)
        assert (wanted.path, wanted.cwd) == (ARGS["file_path"], "/home/mei/src/inventory-api")
        app.panel.show(EventDetail("answer", 0, text="\ud800" + "x" * COPIED))
        await pilot.press("Y")
        await pilot.pause()
        assert app.heard[-1] == EventPanel.Copied(app.panel, "text", whole=False)
        assert len(app.clipboard) == COPIED + len("…")


async def test_thirty_megabytes_by_page(frame: Frame) -> None:
    text = "\n".join(f"{number:07} {'x' * 92}" for number in range(300_000))
    app = Host(EventDetail("result", 0, text=text))
    async with app.run_test(size=(110, 20)) as pilot:
        await pilot.pause()
        pane = app.query_one(PageText)
        assert pane.page_count > 900
        assert pane.virtual_size.height < 500
        assert "0000000 xxx" in frame(app)
        await pilot.press("G")
        await pilot.pause()
        assert pane.page == pane.page_count
        assert "0299999 xxx" in frame(app)
        await pilot.press("g", "k")
        assert pane.page == 1
        while pane.page == 1:
            await pilot.press("pagedown")
        assert pane.scroll_offset.y == 0
        await pilot.press("k")
        assert pane.page == 1
        assert pane.scroll_offset.y == pane.max_scroll_y


async def test_narrower_wraps_again(frame: Frame) -> None:
    app = Host(EventDetail("answer", 0, text="修好了：reserve 现在用一条带条件的语句。" * 20))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        before = app.query_one(PageText).virtual_size.height
        await pilot.resize_terminal(30, 20)
        await pilot.pause()
        assert app.query_one(PageText).virtual_size.height > 2 * before


async def test_hostile_events(hostile: str, frame: Frame) -> None:
    args = {hostile: hostile, "file_path": hostile, "old_string": hostile, "new_string": "y"}
    event = EventDetail(
        "call", 0, 1, hostile, 10**18, hostile, hostile, hostile, hostile,
        text=hostile, args=args, edit=edit_of("Edit", args), result=hostile, state="failed",
        detail=hostile, raw=hostile, path=hostile, cwd=hostile, problem=hostile,
    )  # fmt: skip
    app = Host(event)
    async with app.run_test(size=(90, 30)) as pilot:
        for key in ("1", "2", "3", "4"):
            await pilot.press(key)
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
        await pilot.press("y", "Y", "e")
        assert not [c for c in app.clipboard if c not in "\n\t" and not c.isprintable()]


async def test_a_depth_bomb_is_shown_as_it_stands(frame: Frame) -> None:
    bomb: Any = "x"
    for _ in range(100_000):
        bomb = [bomb]
    event = EventDetail("call", 0, tool="T", args={"a": bomb}, raw="[" * 100_000)
    app = Host(event)
    async with app.run_test(size=(90, 20)) as pilot:
        for key, text in (("1", "Nested too deeply"), ("2", "Nested too deeply"), ("4", "[[[[")):
            await pilot.press(key)
            await pilot.pause()
            assert text in frame(app)


@pytest.mark.parametrize(
    ("tool", "args", "looks"),
    [
        ("Edit", {"file_path": "a", "old_string": "x\ny", "new_string": "x\nz"},
         "plain removed added"),
        ("Write", {"file_path": "a", "content": "x\ny"}, "hunk added"),
        ("Edit", {"path": "a", "create_content": "x"}, "hunk added"),
        ("Edit", {"path": "a", "edits": [{"old_string": "x", "new_string": ""}] * 2},
         "hunk removed hunk removed"),
        ("MultiEdit", {"file_path": "a", "edits": [{"old_string": "x", "new_string": "y",
                                                    "replace_all": True}]}, "hunk removed added"),
    ],
)  # fmt: skip
def test_diff(tool: str, args: dict[str, Any], looks: str) -> None:
    edit = edit_of(tool, args)
    assert edit is not None
    assert " ".join(line.look for line in diff(edit)) == looks


def test_a_giant_edit_is_not_compared() -> None:
    args = {"path": "a", "edits": [{"old_string": "x\n" * 500_000, "new_string": "y\n" * 500_000}]}
    edit = edit_of("Edit", args)
    assert edit is not None
    assert [line.look for line in diff(edit)] == ["removed", "added"]
