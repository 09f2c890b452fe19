"""`sessions title`, `pin` and `hide`: what a person makes of a session."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"


@pytest.fixture
def root(own_home: Path) -> Path:
    """A store of one's own with one session."""
    folder = own_home / "store" / "projects" / "work"
    folder.mkdir(parents=True)
    shutil.copy(CASES / "product" / "01-ordinary-edits.jsonl", folder / "first.jsonl")
    return own_home / "store"


def listed(sessions: Sessions, root: Path, *options: str) -> list[Any]:
    document = sessions("list", "--root", root, "--json", *options).document
    return list(document["sessions"])


def test_a_title_and_the_agents_again(sessions: Sessions, root: Path) -> None:
    (before,) = listed(sessions, root)
    ran = sessions("title", "first", " My  own\ntitle ", "--root", root, "--json")
    assert (ran.document["title"], ran.document["title_from"]) == ("My own title", "user")
    assert listed(sessions, root) == [ran.document]
    assert sessions("title", "first", "--root", root, "--json").document == before


@pytest.mark.parametrize("blank", ["", "  ", "\u3000"])
def test_a_blank_title_is_none(sessions: Sessions, root: Path, blank: str) -> None:
    sessions("title", "first", "mine", "--root", root)
    ran = sessions("title", "first", blank, "--root", root, "--json")
    assert ran.document["title_from"] != "user"


def test_pin_and_let_go(sessions: Sessions, root: Path) -> None:
    for _ in range(2):
        assert sessions("pin", "first", "--root", root, "--json").document["pinned"] is True
    assert sessions("pin", "first", "--undo", "--root", root, "--json").document["pinned"] is False


def test_hide_and_show_again(sessions: Sessions, root: Path) -> None:
    assert sessions("hide", "first", "--root", root, "--json").document["hidden_by"] == "user"
    assert listed(sessions, root) == []
    assert [session["hidden_by"] for session in listed(sessions, root, "--all")] == ["user"]
    sessions("hide", "first", "--undo", "--root", root)
    assert len(listed(sessions, root)) == 1


def test_as_text(sessions: Sessions, root: Path) -> None:
    ran = sessions("title", "first", "\x1b[31mRed \u202e[b]", "--root", root)
    assert (ran.code, "Red" in ran.out) == (0, True)
    assert not {"\x1b", "\u202e"} & set(ran.out)


@pytest.mark.parametrize("command", ["title", "pin", "hide"])
def test_an_unknown_session(sessions: Sessions, root: Path, command: str) -> None:
    ran = sessions(command, "nobody", "--root", root)
    assert (ran.code, ran.out) == (2, "")
    assert not (root.parent / ".local").exists()


@pytest.mark.parametrize("command", ["title", "pin", "hide"])
def test_nothing_is_kept_where_nothing_can_be(
    sessions: Sessions, root: Path, tmp_path: Path, command: str
) -> None:
    place = tmp_path / "a file"
    place.write_text("mine")
    words = ("--root", root, "--data-dir", place, "--json")
    ran = sessions(command, "first", *(["x"] if command == "title" else []), *words)
    assert (ran.code, ran.out) == (6, "")
    assert "Could not save" in ran.err
    assert place.read_text() == "mine"
