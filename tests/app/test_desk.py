"""The program as a whole: sizes, themes, palette, help, the person's editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import CommandPalette

from sessions_tui.app.demo.steps import Answer, Call, Prompt
from sessions_tui.app.forms.dialog import FormScreen
from sessions_tui.app.places.help import HelpScreen
from sessions_tui.app.terminal.editor import edit
from sessions_tui.storage.private.places import Config

from .sitting import Home, Person, Sit

pytestmark = pytest.mark.anyio

EDIT = Call(
    "Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}, "a.py", "edited", 0.1
)


@pytest.fixture
def filled(home: Home) -> Home:
    """One session."""
    home.agent("s", 30).does(Prompt("Fix the docs"), EDIT, Answer("Fixed."))
    return home


def is_whole(mei: Person) -> bool:
    """Whether every line of the screen is as wide as the screen."""
    strips = mei.desk.screen._compositor.render_strips()
    return {strip.cell_length for strip in strips} == {mei.desk.size.width}


async def test_any_size_of_terminal_will_do(filled: Home, sit: Sit) -> None:
    async with sit((140, 40)) as mei:
        await mei.opens("s")
        for size in ((80, 24), (20, 5), (1, 1), (20, 5), (300, 100), (140, 40)):
            await mei.pilot.resize_terminal(*size)
            await mei.pilot.pause()
            assert is_whole(mei)
            await mei.press("j", "k", "enter", "escape")
        await mei.until_sees("NEEDS YOU" if mei.sees("NEEDS YOU") else "TODAY", "Fixed.", "1 event")


@pytest.mark.parametrize("theme", ["textual-light", "nord", "no-such-theme"])
async def test_a_theme_from_the_settings(filled: Home, sit: Sit, theme: str) -> None:
    async with sit(config=Config(theme=theme)) as mei:
        await mei.opens("s")
        assert mei.desk.theme == (theme if theme in mei.desk.available_themes else "textual-dark")


async def test_changing_the_theme_repaints_all(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.opens("s")
        before = mei.timeline.render_line(0)
        mei.desk.theme = "textual-light"
        await mei.until(lambda: mei.timeline.render_line(0) != before)
        assert mei.timeline.render_line(0).text == before.text


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_help_and_palette_open_everywhere(
    filled: Home, sit: Sit, size: tuple[int, int]
) -> None:
    async with sit(size) as mei:
        await mei.until(lambda: mei.item("s") is not None)
        for place in ("list", "timeline", "event"):
            assert mei.desk.browse.has_class(f"-on-{place}")
            await mei.press("question_mark")
            await mei.until(lambda: isinstance(mei.desk.screen, HelpScreen))
            await mei.press("question_mark")
            await mei.until(lambda: not isinstance(mei.desk.screen, HelpScreen))
            await mei.press("ctrl+p")
            await mei.until(lambda: isinstance(mei.desk.screen, CommandPalette))
            await mei.until_sees("Search for commands", "Mark all sessions as read")
            await mei.press("escape")
            await mei.until(lambda: not isinstance(mei.desk.screen, CommandPalette))
            await mei.press("enter")


async def test_the_palette_does_what_it_offers(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.until(lambda: mei.item("s") is not None)
        await mei.press("ctrl+p")
        await mei.types("group")
        await mei.until_sees("Group by day")
        await mei.press("down", "enter")
        await mei.until(lambda: mei.entries()[0] == "/src/shop")


async def test_a_key_of_ones_own(filled: Home, sit: Sit) -> None:
    async with sit(config=Config(keymap={"browse.group": "z"})) as mei:
        await mei.until(lambda: mei.item("s") is not None)
        await mei.press("w")
        assert mei.entries()[0] == "TODAY"
        await mei.press("z")
        assert mei.entries()[0] == "/src/shop"


@pytest.mark.parametrize(
    ("editor", "there", "said"),
    [
        ("no-such-editor --wait", True, "there is no editor 'no-such-editor'"),
        ("true", False, "there is no such file on this machine"),
        ("true", True, "the terminal cannot be suspended"),
    ],
)
async def test_why_the_editor_does_not_open(
    filled: Home,
    sit: Sit,
    monkeypatch: pytest.MonkeyPatch,
    editor: str,
    there: bool,
    said: str,
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    async with sit() as mei:
        await mei.until(lambda: mei.item("s") is not None)
        path = filled.folder / "a.py"
        if there:
            path.touch()
        assert said in edit(mei.desk, path)


async def test_e_asks_for_the_file_of_the_event(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("k")
        await mei.until(lambda: mei.panel.event is not None and mei.panel.event.tool == "Edit")
        await mei.press("enter", "e")
        await mei.until_sees(str(Path("/src/shop/a.py")), "no")
        await mei.press("y")
        await mei.until_sees("Copied the event id")
        await mei.press("Y")
        await mei.until_sees("Copied the text")


async def test_one_leaves_from_a_dialog_too(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    for key in ("ctrl+p", "question_mark"):
        async with sit() as mei:
            await mei.opens("s")
            await mei.press(key)
            await mei.until(lambda: mei.desk.screen is not mei.desk.browse)
            await mei.press("ctrl+q")
            assert mei.desk._exit


async def test_a_form_ends_once(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.opens("s")
        for _ in range(2):
            mei.desk.action_rename()
        await mei.until(lambda: len(mei.desk.screen_stack) == 3)
        below, above = mei.desk.screen_stack[1:]
        assert isinstance(below, FormScreen)
        assert isinstance(above, FormScreen)
        for form in (below, above, above, below):  # as by keys that come before a form is gone
            form.end("Another title")
        await mei.until(lambda: len(mei.desk.screen_stack) == 2)
        await mei.press("escape")
        await mei.until_sees("Another title")


@pytest.mark.parametrize("path", ["/" + "x/" * 3_000, "/a\0b", "/\udcff", "/proc/1/root/x"])
async def test_a_file_that_cannot_be_opened_costs_a_sentence(
    home: Home, sit: Sit, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        assert "no such file" in edit(mei.desk, Path(path))
        monkeypatch.setenv("EDITOR", "'")
        assert "cannot be understood" in edit(mei.desk, Path(path))


async def test_the_palette_waits_for_room(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    async with sit((10, 3)) as mei:
        await mei.press("ctrl+p", "pagedown")
        assert mei.desk.screen is mei.desk.browse
