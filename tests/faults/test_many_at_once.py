"""Many transcripts that come at once beside the one that is open."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from sessions_tui.storage.family.kinship import Kinship
from tests.app.sitting import Home

from .hearing import listening
from .writing import line

MANY = 600


def test_who_belongs_to_whom_is_not_found_out_after_each(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = home.agent("s", 5000).does(Prompt("ask"), Answer("answer"))
    old = agent.path.read_bytes()
    relinked = 0
    relink = Kinship.relink

    def counted(kin: Kinship, *rest: object) -> object:
        nonlocal relinked
        relinked += 1
        return relink(kin, *rest)  # type: ignore[arg-type]

    with listening(home.roots(), home.places, agent.path) as heard:
        heard.until(lambda: heard.records() == 3)
        monkeypatch.setattr(Kinship, "relink", counted)
        for number in range(MANY):
            home.path(f"s{number}").write_bytes(old)
        with agent.path.open("ab") as file:
            file.write(line(agent, "answer"))
        heard.until(lambda: heard.records() == 4)
        heard.until(lambda: len(heard.sessions) == MANY + 1, 60)
        heard.until(heard.is_settled, 60)
    assert relinked < MANY / 4
