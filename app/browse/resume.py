"""From the screen into a session's agent and back: what would run is shown, then runs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from ...storage.model.session import Session
from ...storage.resume.probe import circumstances_of
from ...storage.resume.resumption import Resumption, resumption
from ..feed.tasks import PauseReading, WriteNote
from ..forms.resume import ResumeForm
from ..notify.toast import say
from ..output.resumption_lines import resumption_lines
from ..terminal.child_end import wait_for_enter
from ..terminal.run import Ended, run_here

if TYPE_CHECKING:
    from ..desk import Desk


NOTE_WAIT = 5.0
"""Seconds that the dialog waits for the note."""


async def resume(app: Desk, session: Session, configured: Mapping[str, Sequence[str]]) -> None:
    """Ask whether the session is to be gone on with as things are now, and do it."""
    look = partial(circumstances_of, session, configured, os.environ, Path.home(), app.now())
    wanted = resumption(session, await asyncio.to_thread(look))
    note = await _note(app, session) if wanted.open_calls else ""
    if not await app.push_screen_wait(ResumeForm(wanted, session.title, note)):
        return
    try:
        ended = _away(app, wanted)
    except SuspendNotSupported:
        say(app, "This terminal cannot be left", serious=True)
        return
    name = Path(wanted.command[0]).name
    say(app, f"{name} {ended.problem or 'has ended'}", serious=bool(ended.problem))


async def _note(app: Desk, session: Session) -> str:
    """What to tell the agent of its open calls; "" where that takes too long to find out."""
    note: Future[str] = Future()
    app.feed.carry_out(WriteNote(session, note))
    try:
        return await asyncio.wait_for(asyncio.wrap_future(note), NOTE_WAIT)
    except TimeoutError:
        return ""


def _away(app: Desk, wanted: Resumption) -> Ended:
    """Leave the screen for the command. The feed rests, so that its messages do not pile up."""
    back = Event()
    app.feed.carry_out(PauseReading(back))
    try:
        with app.suspend():
            print("\n".join(resumption_lines(wanted)), flush=True)
            return run_here(wanted.command, wanted.cwd, wanted.environment, _tell)
    finally:
        back.set()


def _tell(ended: Ended) -> None:
    """Let be read how it failed."""
    if ended.problem and not ended.was_stopped:
        print(f"\nThe agent {ended.problem}.\nPress enter to go back to the sessions.", flush=True)
        wait_for_enter()
