"""How candidates are handed on: as what, and where to; the form itself writes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.widgets import OptionList

from sessions_tui.app.forms.destination import destination, is_taken, objection
from sessions_tui.app.forms.export import Export, ExportForm
from sessions_tui.app.forms.line_input import LineInput

from .desk import Desk

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where files are suggested."""
    return tmp_path


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Desk()
    async with app.run_test(size=size) as pilot:
        await app.opens(ExportForm(3, Path("/srv/inventory-api")), pilot)
        await pilot.press("3")
        await pilot.pause()
        snapshot(f"form-export-{size[0]}x{size[1]}", frame(app))


@pytest.mark.parametrize(
    ("keys", "form", "name"),
    [
        (["enter"], "markdown", None),
        (["1"], "markdown", None),
        (["2"], "jsonl", None),
        (["j", "enter"], "jsonl", None),
        (["down", "down", "up", "enter"], "jsonl", None),
        (["3", "enter"], "markdown", "memory-candidates.md"),
        (["4", "enter"], "jsonl", "memory-candidates.jsonl"),
        (["k", "enter", "enter"], "jsonl", "memory-candidates.jsonl"),
        (["3", "ctrl+u", *"jkqa12.txt", "enter"], "markdown", "jkqa12.txt"),
    ],
)
async def test_by_keys_alone(keys: list[str], form: Any, name: str | None, folder: Path) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ExportForm(1, folder), pilot)
        await pilot.press(*keys)
        await pilot.pause()
        assert app.result == Export(form, folder / name if name else None)
        assert app.heard == []
        assert list(folder.iterdir()) == []


async def test_escape_exports_nothing(folder: Path) -> None:
    for keys in (["escape"], ["3", "x", "escape"]):
        app = Desk()
        async with app.run_test(size=(80, 24)) as pilot:
            await app.opens(ExportForm(1, folder), pilot)
            await pilot.press(*keys)
            await pilot.pause()
            assert app.result is None


async def test_by_mouse(folder: Path) -> None:
    for line, form, name in ((1, "jsonl", None), (2, "markdown", "memory-candidates.md")):
        app = Desk()
        async with app.run_test(size=(80, 24)) as pilot:
            await app.opens(ExportForm(1, folder), pilot)
            await pilot.click(OptionList, offset=(3, line))
            await pilot.pause()
            if name:
                await pilot.click("#done")
                await pilot.pause()
            assert app.result == Export(form, folder / name if name else None)  # type: ignore[arg-type]


async def test_the_button_takes_what_stands_out(folder: Path) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ExportForm(1, folder), pilot)
        await pilot.press("j")
        await pilot.click("#done")
        await pilot.pause()
        assert app.result == Export("jsonl", None)


async def test_a_file_is_replaced_only_when_asked_for_twice(folder: Path, frame: Frame) -> None:
    kept = folder / "memory-candidates.md"
    kept.write_text("kept")
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ExportForm(1, folder), pilot)
        await pilot.press("3", "enter")
        await pilot.pause()
        assert "The file already exists; press enter again to replace it." in frame(app)
        assert not app.closed
        # What was agreed to is this file, not the next one.
        await pilot.press("x", "backspace", "enter")
        await pilot.pause()
        assert not app.closed
        await pilot.press("enter")
        await pilot.pause()
        assert app.result == Export("markdown", kept)
        assert kept.read_text() == "kept"


async def test_a_name_of_ones_own_stays_when_the_form_changes(folder: Path) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ExportForm(1, folder, stem="notes"), pilot)
        await pilot.press("3", "shift+tab", "j", "enter", "enter")
        await pilot.pause()
        assert app.result == Export("jsonl", folder / "notes.jsonl")
        await app.opens(ExportForm(1, folder), pilot)
        await pilot.press("3", "x", "shift+tab", "j", "enter", "enter")
        await pilot.pause()
        assert app.result == Export("jsonl", folder / "memory-candidates.mdx")


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        (" ", "The file's name is blank."),
        (".", "This is a folder; add a file's name."),
        ("nowhere/x.md", "That folder does not exist."),
        ("x" * 300, "No file can have this name."),
        ("secret.md", "Not there."),
    ],
)
async def test_refusals(typed: str, refusal: str, folder: Path, frame: Frame) -> None:
    def forbidden(path: Path) -> str:
        return "Not there." if path.name == "secret.md" else ""

    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        form = ExportForm(1, folder, forbidden=forbidden)
        await app.opens(form, pilot)
        await pilot.press("3")
        form.query_one(LineInput).value = typed
        await pilot.press("enter")
        await pilot.pause()
        assert refusal in frame(app)
        assert not app.closed
        await pilot.press("enter")  # asking again changes nothing
        await pilot.pause()
        assert not app.closed


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (20, 5), (1, 1)])
async def test_a_hostile_folder(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=size) as pilot:
        directory = Path("/" + hostile.replace("\0", ""))
        await app.opens(ExportForm(1, directory, stem=hostile.replace("\0", "")), pilot)
        for key in ("3", "enter", "left", "x"):
            await pilot.press(key)
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]


async def test_one_is_one(folder: Path, frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ExportForm(1, folder), pilot)
        assert "Export 1 approved candidate ─" in frame(app)


# Where a file is meant to be.


def test_destinations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert destination("a.md", tmp_path) == tmp_path / "a.md"
    assert destination("b/a.md", tmp_path) == tmp_path / "b" / "a.md"
    assert destination("/b/a.md", tmp_path) == Path("/b/a.md")
    assert destination("~/a.md", tmp_path) == tmp_path / "home" / "a.md"
    assert destination("~nobody-of-this-name/a.md", tmp_path) == (
        tmp_path / "~nobody-of-this-name/a.md"
    )


def test_objections(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert objection(tmp_path / "new") == ""
    assert objection(tmp_path / "file") == ""
    assert objection(tmp_path / "file" / "below") == "That folder does not exist."
    assert objection(tmp_path) == "This is a folder; add a file's name."
    assert objection(tmp_path / "a\0b") == "No file can have this name."
    assert is_taken(tmp_path / "file")
    assert not is_taken(tmp_path / "a\0b")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert objection(tmp_path / "pipe") == "This is not an ordinary file."
