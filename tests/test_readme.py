"""What the README names is there: pictures, commands, settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sessions_tui.app.command_line import COMMANDS
from sessions_tui.storage.agents import resumable
from sessions_tui.storage.private.places import Config, read_config

TOP = Path(__file__).parent.parent
README = (TOP / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", re.findall(r"\]\(([^)]+)\)", README))
def test_what_is_linked_is_there(name: str) -> None:
    assert (TOP / name).is_file()


@pytest.mark.parametrize("name", re.findall(r"^\| `sessions \[?(\w+)", README, re.MULTILINE))
def test_commands_are_there(name: str) -> None:
    assert name in COMMANDS


def test_the_settings_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"{example('    theme =')}\n{example('    [resume]')}")
    wanted = Config(
        theme="textual-light",
        notify=True,
        keymap={"browse.group": "ctrl+g"},
        resume={"mycodeagent": ("uv", "run", "--project", "/src/MyCodeAgent", "mycodeagent")},
    )
    assert read_config(path, tmp_path, brands=resumable()) == wanted


def example(beginning: str) -> str:
    """An indented example, from its beginning on."""
    lines = README[README.index(beginning) :].split("\n\n")[0].splitlines()
    return "\n".join(line.strip() for line in lines)
