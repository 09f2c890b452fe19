"""From the screen into a session's agent and back: what would run is shown, then runs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from ..storage.circumstances import circumstances_of
from ..storage.resuming import Resumption, resumption
from ..storage.session import Session
from .forms.resume import ResumeForm
from .resumption_lines import resumption_lines
from .running import Ended, run_here, wait_for_enter
from .saying import say

if TYPE_CHECKING:
    from .desk import Desk


async def resume(app: Desk, session: Session, configured: Mapping[str, Sequence[str]]) -> None:
    """Ask whether the session is to be gone on with as things are now, and do it."""
    look = partial(circumstances_of, session, configured, os.environ, Path.home(), app.now())
    wanted = resumption(session, await asyncio.to_thread(look))
    if not await app.push_screen_wait(ResumeForm(wanted, session.title)):
        return
    try:
        ended = _away(app, wanted)
    except SuspendNotSupported:
        say(app, "This terminal cannot be left", serious=True)
        return
    name = Path(wanted.command[0]).name
    say(app, f"{name} {ended.problem or 'has ended'}", serious=bool(ended.problem))


def _away(app: Desk, wanted: Resumption) -> Ended:
    """Leave the screen for the command. The feed rests, so that its messages do not pile up."""
    back = Event()
    app.feed.decide(lambda work: _wait(back))
    try:
        with app.suspend():
            print("\n".join(resumption_lines(wanted)), flush=True)
            return run_here(wanted.command, wanted.cwd, wanted.environment, _tell)
    finally:
        back.set()


def _wait(back: Event) -> None:
    back.wait()


def _tell(ended: Ended) -> None:
    """Let be read how it failed."""
    if ended.problem and not ended.was_stopped:
        print(f"\nThe agent {ended.problem}.\nEnter goes back to the sessions.", flush=True)
        wait_for_enter()
