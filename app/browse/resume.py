"""Resumes a session in its agent: shows the command, runs it, and returns to the screen."""

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
"""Maximum seconds to wait for the note before the dialog is shown."""


async def resume(app: Desk, session: Session, configured: Mapping[str, Sequence[str]]) -> None:
    """Ask for confirmation in a dialog, then resume the session in the terminal."""
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
    """Return the note about open calls for the agent; "" if writing it takes too long."""
    note: Future[str] = Future()
    app.feed.carry_out(WriteNote(session, note))
    try:
        return await asyncio.wait_for(asyncio.wrap_future(note), NOTE_WAIT)
    except TimeoutError:
        return ""


def _away(app: Desk, wanted: Resumption) -> Ended:
    """Suspend the screen and run the command.

    The feed pauses meanwhile, so that its messages do not pile up.
    """
    back = Event()
    app.feed.carry_out(PauseReading(back))
    try:
        with app.suspend():
            print("\n".join(resumption_lines(wanted)), flush=True)
            return run_here(wanted.command, wanted.cwd, wanted.environment, _tell)
    finally:
        back.set()


def _tell(ended: Ended) -> None:
    """Print an error of the agent and wait for enter, so that the user can read it."""
    if ended.problem and not ended.was_stopped:
        print(f"\nThe agent {ended.problem}.\nPress enter to go back to the sessions.", flush=True)
        wait_for_enter()
