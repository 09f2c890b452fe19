"""Watches a long command: `working` everywhere while it runs, `crashed` soon after a kill."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.bench.terminal import NotShown

from .agent import Agent, Home
from .comparison import Check, Shown
from .kills import PATIENCE, end, kill
from .model import Model
from .program import Program
from .scenarios import long_call
from .screen import Screen
from .script import Script, marker

EVERY = 5.0
"""Seconds between two questions."""

SOON = 2.0
"""Seconds after the kill by which the open screen and the list say it."""

QUIET = Shown("working", 0, 0)


def watch(agent: Agent, folder: Path, seconds: float) -> Iterator[Check]:
    """All that is said in so many seconds, and what is said after a kill."""
    folder = folder / f"{agent.name}-live"
    model = Model()
    home = agent.home(folder, model.url, None)
    script = long_call("live-1-000", home.projects / "live", seconds)
    script.prepare()
    model.script(script.conversations, lambda one: home.translate(one, script.project))
    program = Program(home.roots, folder / "program", home.environment)
    process = home.start(script)
    try:
        session = _running(home, script, process)
        with closing(Screen(program, session, marker(script.name))) as screen:
            yield from _while_it_runs(program, session, screen, seconds)
            kill(process, True)
            yield from _after_the_kill(program, session, screen)
    finally:
        end(process)
        model.close()


def _running(home: Home, script: Script, process: subprocess.Popen[bytes]) -> str:
    """The session, once its call is on record."""
    latest = time.monotonic() + PATIENCE
    while time.monotonic() < latest and process.poll() is None:
        found = home.transcripts(script)
        if found and "open" in found[0].calls.values():
            return found[0].session
        time.sleep(0.2)
    raise TimeoutError("the call was not recorded")


def _while_it_runs(
    program: Program, session: str, screen: Screen, seconds: float
) -> Iterator[Check]:
    screen.until(lambda shown: True)
    began = time.monotonic()
    while (passed := time.monotonic() - began) < seconds:
        yield from _asked(program, session, passed)
        screen.rest(EVERY)
        shown = screen.shown()
        is_right = shown == QUIET
        yield Check("screen", "agreed" if is_right else "wrong", f"at {passed:.0f} s: {shown}")


def _asked(program: Program, session: str, passed: float) -> Iterator[Check]:
    listed: Any = program.ask("list", "--why", "--json").json()
    row = _row(listed, session)
    is_right = row.get("status") == "working" and not row["uncertain"]
    detail = f"at {passed:.0f} s: {row.get('status')}, {row.get('why')}"
    yield Check("list", "agreed" if is_right else "wrong", detail)
    actions: Any = program.ask("actions", session, "--all", "--json").json()
    events = program.ask("show", session, "--json").lines()
    recover: Any = program.ask("recover", session, "--json").json()
    memory: Any = program.ask("memory", session, "--json").json()
    states = {
        "actions": [one["state"] for one in actions],
        "show": sorted({one["state"] for one in events if one["kind"] == "call"}),
        "recover": ["uncertain" for _ in recover["uncertain"]] or ["running"],
        "memory": ["uncertain" for one in memory["todo_items"]] or ["running"],
    }
    for name, found in states.items():
        is_right = found == ["running"]
        yield Check(name, "agreed" if is_right else "wrong", f"at {passed:.0f} s: {found}")


def _row(listed: Any, session: str) -> Any:
    return next((one for one in listed["sessions"] if one["session"] == session), {})


def _after_the_kill(program: Program, session: str, screen: Screen) -> Iterator[Check]:
    died = time.monotonic()
    try:
        shown = screen.until(lambda shown: shown.status != "working", 90.0)
    except NotShown:
        shown = QUIET
    waited = time.monotonic() - died
    detail = f"{shown} after {waited:.1f} s"
    is_right = shown.status == "crashed" and waited <= SOON
    yield Check("screen after the kill", "agreed" if is_right else "wrong", detail)
    listed: Any = program.ask("list", "--why", "--json").json()
    row = _row(listed, session)
    is_right = row.get("status") == "crashed"
    detail = f"{row.get('status')}: {row.get('why')}"
    yield Check("list after the kill", "agreed" if is_right else "wrong", detail)
