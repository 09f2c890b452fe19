"""A wrong theme, keymap id or key in the settings is reported, and the program starts."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Prompt
from sessions_tui.app.startup.settings_check import binding_ids, checked, is_key
from sessions_tui.storage.private.places import Config
from tests.app.sitting import Home, Sit

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "key",
    ["f1", "ctrl+x", "?", "question_mark", "+", "ctrl++", "plus", "space", "A", "é"],
)
def test_keys_as_they_are_written(key: str) -> None:
    assert is_key(key)


@pytest.mark.parametrize("key", ["", "ctlr+x", "ctrl+", "f25", "control-x", "Ctrl+x", "nonsense"])
def test_what_is_no_key(key: str) -> None:
    assert not is_key(key)


def test_every_id_in_the_code_is_known() -> None:
    sources = [*(ROOT / "app").rglob("*.py"), *(ROOT / "widgets").rglob("*.py")]
    ids = re.compile(r'\bid="(\w+\.\w+)"')
    written = {id for path in sources for id in ids.findall(path.read_text())}
    assert len(written) > 40
    assert written <= binding_ids()


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        (Config(theme="nrod"), 'Unknown theme "nrod" in the settings file. Did you mean nord?'),
        (Config(theme="§"), 'Unknown theme "§" in the settings file. Use one of: textual-dark, '),
        (
            Config(keymap={"desk.hepl": "f6"}),
            'Unknown keymap id "desk.hepl" in the settings file. Did you mean desk.help?',
        ),
        (
            Config(keymap={"desk.help": "f6, ctlr+x"}),
            'Unknown key "ctlr+x" for desk.help in the settings file. Write keys as ',
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_and_left_out(config: Config, problem: str) -> None:
    cleaned, problems = checked(config)
    assert len(problems) == 1
    assert problems[0].startswith(problem)
    assert (cleaned.theme, cleaned.keymap) == (None, {})


def test_what_is_right_is_kept() -> None:
    config = Config(theme="nord", keymap={"browse.group": "ctrl+g", "desk.help": "?,f1"})
    assert checked(config) == (config, ())


@pytest.mark.anyio
async def test_it_is_shown_and_the_rest_holds(home: Home, sit: Sit) -> None:
    home.agent("s", 30).does(Prompt("Fix the docs"))
    keymap = {"browse.group": "z", "browse.gruop": "f9", "desk.help": "nonsense"}
    async with sit(config=Config(theme="nrod", keymap=keymap)) as mei:
        await mei.until_sees('theme "nrod"', '"browse.gruop"', 'key "nonsense"')
        await mei.until(lambda: mei.item("s") is not None)
        await mei.press("z")
        assert mei.entries()[0] == "/src/shop"
        await mei.press("question_mark")
        await mei.until(lambda: len(mei.desk.screen_stack) == 2)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_it_is_said_before_the_screen_shows(tmp_path: Path, program: str) -> None:
    from tests.app.seat import Seat

    (tmp_path / "s.toml").write_text('theme = "nrod\\u001b[2J"\n[keymap]\n"a\\u009b1m" = "f1"\n')
    environ = {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "130", "HOME": str(tmp_path)}
    seat = Seat([program, "--config", str(tmp_path / "s.toml")], environ, tmp_path)
    try:
        seat.sees(b'sessions: Unknown theme "nrod')
        seat.sees(b"sessions: Unknown keymap id")
        assert b"\x1b" not in seat.printed
        seat.sees(b"\x1b[?1049h")
        seat.sees(b"No sessions yet")
        seat.types(b"\x11")
        assert seat.ends() == 0
    finally:
        seat.leave()
