"""Which title a session bears."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sessions_tui.storage.folds.titles import LENGTH, choose, is_placeholder, naming_words, one_line
from sessions_tui.storage.model.event import TITLES

ALL = {"custom-title": "custom", "ai-title": "ai", "topic": "topic", "summary": "summary"}


def without(*sources: str) -> dict[str, str]:
    return {source: text for source, text in ALL.items() if source not in sources}


@pytest.mark.parametrize(
    ("titles", "app_custom", "app_title", "expected"),
    [
        (ALL, "renamed", "app", ("renamed", "app")),
        (ALL, None, "app", ("custom", "custom-title")),
        (without("custom-title"), "", "app", ("ai", "ai-title")),
        (without("custom-title", "ai-title"), None, "app", ("topic", "topic")),
        ({"summary": "summary"}, None, "app", ("app", "app")),
        ({"summary": "summary"}, None, None, ("summary", "summary")),
        ({}, None, None, ("prompt", "prompt")),
        ({"ai-title": "(No content)", "topic": " \n"}, None, "/clear", ("prompt", "prompt")),
    ],
)
def test_precedence(
    titles: Mapping[str, str],
    app_custom: str | None,
    app_title: str | None,
    expected: tuple[str, str],
) -> None:
    assert choose(TITLES, titles, app_custom, app_title, "prompt", "file") == expected


@pytest.mark.parametrize("prompt", ["", "/compact", "[image shot.png]", "/home/mei/a b.png"])
def test_the_file_name_is_the_last_resort(prompt: str) -> None:
    assert choose(TITLES, {}, None, None, prompt, "0d951c95") == ("0d951c95", "file")


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("why does   `make docs`\nfail on CI?", "why does `make docs` fail on CI?"),
        ("/review the parser", "/review the parser"),
        ("[image 截图 1.png]\n@image#1:截图 1.png 这张图", "截图 1.png 这张图"),
    ],
)
def test_a_prompt_becomes_one_line(prompt: str, title: str) -> None:
    assert choose(TITLES, {}, None, None, prompt, "file") == (title, "prompt")


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("fix it", "fix it"),
        ("/login", ""),
        ("/compact keep the names", ""),
        ("/srv/x/app.py fails", "/srv/x/app.py fails"),
        ("/srv", ""),
        ("continue", ""),
        ("Please continue.", ""),
        ("继续", ""),
        ("continue with the queue", "continue with the queue"),
        ("[image shot.png]", ""),
        ("<new_hints>\n- a\n</new_hints>\n\nfix it", "fix it"),
        ("<a>\n1\n</a>\n<b x='1'>\n2\n</b>\nfix it", "fix it"),
        ("<a>\n1\n</a>", "<a>\n1\n</a>"),
        ("<a>1</a> fails", "<a>1</a> fails"),
    ],
)
def test_the_words_of_a_prompt_that_name_a_session(prompt: str, words: str) -> None:
    assert naming_words(prompt) == words


def test_a_summary_that_is_a_command_names_nothing() -> None:
    titles = {"summary": "/compact keep"}
    assert choose(TITLES, titles, None, "/plan it", "prompt", "file") == ("prompt", "prompt")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\x1b[1mbold\x1b[0m \x1b]0;owned\x07title", "bold title"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("a\x00b\x9bc\u202ed\x85e", "abcd e"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("[bold]kept[/]", "[bold]kept[/]"),
    ],
)
def test_one_line_is_safe(text: str, line: str) -> None:
    assert one_line(text) == line


def test_one_line_is_cut() -> None:
    line = one_line("word " * 1_000_000)
    assert len(line) <= LENGTH
    assert line.endswith("…")


@pytest.mark.parametrize("text", ["Fix /tmp", "fix the icon.png", "/review it", "x"])
def test_words_are_no_placeholder(text: str) -> None:
    assert not is_placeholder(text)
