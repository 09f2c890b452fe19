"""The commands for a session's title, pin and visibility."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from ...storage.decisions.decisions import Decisions
from ...storage.text.folding import well_formed
from ..output.lines import columns, session_lines, short_ids
from ..output.shapes import session_shape, to_json
from ..output.streams import say
from .scope import DONE, desk_of, find_session, scope_of

Change = Callable[[Decisions, str, Path, int], None]
"""Records a decision on a session, given its id, path and the time."""


def decide(options: argparse.Namespace, change: Change, done: str, everywhere: bool = False) -> int:
    """Apply a change to the named session, then print the session.

    `done` is the confirmation message. `everywhere`: apply it to every part of the session, as is
    needed to undo.
    """
    now = int(time.time() * 1000)
    with desk_of(scope_of(options), [options.session]) as (library, decisions):
        paths = library.parts(find_session(library, options.session))
        for path in paths:
            library.read(path)
        for path in paths if everywhere else paths[-1:]:
            file = library.file(path)
            change(decisions, well_formed(file.session if file else path.stem), path, now)
        library.sessions(now)
        if session := library.session(path, now):
            if options.json:
                print(to_json(session_shape(session)))
            else:
                say(done)
                ids = short_ids(file.session for file in library.files())
                print("\n".join(session_lines([session], ids, now, columns(), why=False)))
    return DONE
