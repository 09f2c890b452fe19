"""A disk without room: nothing that agents do is missed, and what is lost is said."""

from __future__ import annotations

import sys
from contextlib import ExitStack

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from sessions_tui.app.feed.tasks import Pin, SetTitle
from tests.app.sitting import Home
from tests.full_disk import full_disk

from .hearing import listening

NO_SHARED_MEMORY = 16_384
"""Bytes that do not do for what SQLite keeps beside a database with a log."""


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for files")
@pytest.mark.parametrize("begun", [False, True], ids=["from the beginning", "later"])
def test_a_disk_that_is_full_for_a_while(home: Home, begun: bool) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    path = agent.path
    if begun:
        with listening(home.roots(), home.places, path) as heard:
            heard.until(lambda: heard.records() == 2)
            heard.carry_out(SetTitle(path, "My own title"))
            heard.until(lambda: heard.sessions["s"].title == "My own title")
    disk = ExitStack()
    disk.enter_context(full_disk(NO_SHARED_MEMORY))
    with disk, listening(home.roots(), home.places, path) as heard:
        heard.until(lambda: "disk" in heard.problems)
        agent.does(Answer("answer"))
        home.agent("t").does(Prompt("ask"))
        heard.until(lambda: heard.records() == 3 and heard.sessions["s"].events == 3)
        heard.until(lambda: "t" in heard.sessions)
        assert heard.sessions["s"].title == ("My own title" if begun else "ask")
        heard.carry_out(Pin(path, True))
        heard.until(lambda: any("the disk is full" in answer for answer in heard.answers))
        assert not heard.sessions["s"].pinned
        disk.close()
        heard.carry_out(Pin(path, True))
        heard.until(lambda: heard.sessions["s"].pinned)
        agent.does(Answer("and more"))
        heard.until(lambda: heard.records() == 4)
    with listening(home.roots(), home.places, path) as heard:
        heard.until(lambda: heard.records() == 4 and "s" in heard.sessions)
        assert heard.sessions["s"].pinned
        assert heard.sessions["s"].title == ("My own title" if begun else "ask")
        assert not heard.problems
