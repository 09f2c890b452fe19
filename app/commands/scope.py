"""Resolves what a command works on: session directories, places, sessions and events."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...storage.agents import resumable
from ...storage.decisions.decisions import Decisions
from ...storage.files.kinds import is_file
from ...storage.files.working_directory import DELETED, working_directory
from ...storage.library.library import Library
from ...storage.library.locate import Located, locate, locate_number
from ...storage.model.event import Event
from ...storage.model.store import Root
from ...storage.model.timeline import Alive
from ...storage.private.places import (
    Config,
    ConfigError,
    Places,
    find_places,
    keep_out,
    read_config,
)
from ...storage.stores.layouts import kept_out
from ...storage.stores.resolve import Ambiguous, Unknown, resolve
from ...storage.stores.roots import Roots, find_roots
from ...storage.text.paths import typed_path
from ...storage.text.printed_name import real_path, unquoted
from ...storage.text.safe_text import exact_name
from ...storage.transcript.neighbours import parts_beside
from ...storage.transcript.parts import Parts
from ...storage.transcript.transcript import Transcript
from ..output.streams import printable, say

if TYPE_CHECKING:
    from ...storage.review.effects import Effects

DONE, TROUBLE, USAGE, PARTIAL = 0, 1, 2, 6


class UsageError(Exception):
    """A usage error, or an unknown or ambiguous session or directory: a sentence, exit code 2."""


class Refusal(Exception):
    """A rejected decision: one sentence, exit code 1."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look for sessions, and where the program's own files are."""

    places: Places
    config: Config
    roots: Roots


def scope_of(options: argparse.Namespace) -> Scope:
    """Return the scope given by the shared options. Raises UsageError if one is invalid."""
    home = Path.home()
    try:
        places = find_places(os.environ, options.cache_dir, options.data_dir, options.config)
        named = [Path(unquoted(str(root))) for root in options.root or ()]
        refuse_relative(named or _roots_of_environment())
        refuse_relative([places.cache, places.data, places.config])
        config = read_config(
            places.config, home, required=options.config is not None, brands=resumable()
        )
        named = [real_path(working_directory() / root) for root in named]
        roots = find_roots(named, os.environ, working_directory(), home, config.roots)
        _keep_out(places, roots.found)
    except ConfigError as error:
        raise UsageError(str(error)) from None
    if roots.refused and not roots.found:
        raise UsageError(" ".join(refusal.reason for refusal in roots.refused))
    return Scope(places, config, roots)


def _roots_of_environment() -> list[Path]:
    texts = os.environ.get("SESSIONS_ROOT", "").split(os.pathsep)
    return [typed_path(text, Path.home(), Path()) for text in texts if text]


def refuse_relative(paths: Iterable[Path]) -> None:
    """Reject paths relative to a working directory that was deleted."""
    if working_directory() == DELETED:
        for path in paths:
            if not path.is_absolute():
                raise UsageError(
                    f"The working directory was deleted: give {path} as an absolute path."
                )


def _keep_out(places: Places, roots: Iterable[Root]) -> None:
    """Refuse to store any of the program's files in an agent's folders."""
    home = Path.home()
    keep_out(places, [folder for root in roots for folder in kept_out(root, home)])


def files_named(scope: Scope, queries: Iterable[str]) -> tuple[Root, ...]:
    """Return roots for the arguments that are transcript paths, and for their other parts."""
    names = [Path(name) for name in map(unquoted, queries) if name.endswith(".jsonl")]
    refuse_relative(names)
    paths = [real_path(working_directory() / name) for name in names]
    named = [path for path in paths if is_file(path)]
    files = [*named, *(part for path in named for part in parts_beside(path))]
    roots = find_roots(files, {}, working_directory(), Path.home()).found if files else ()
    try:
        _keep_out(scope.places, roots)
    except ConfigError as error:
        raise UsageError(str(error)) from None
    return roots


@contextmanager
def library_of(scope: Scope, queries: Iterable[str] = ()) -> Iterator[Library]:
    """Open the sessions of the scope, and of queries that are paths; prints rejected roots."""
    with desk_of(scope, queries) as (library, _):
        yield library


@contextmanager
def desk_of(scope: Scope, queries: Iterable[str] = ()) -> Iterator[tuple[Library, Decisions]]:
    """Open the same as `library_of`, with the decisions."""
    for refusal in scope.roots.refused:
        say(refusal.reason)
    roots = (*scope.roots.found, *files_named(scope, queries))
    decisions = Decisions(scope.places.data)
    library = Library(roots, scope.places.cache, scope.config.review_days, decisions)
    try:
        library.rescan()
        yield library, decisions
    finally:
        library.close()
        decisions.close()
        for notice in filter(None, (library.notice, decisions.notice)):
            say(notice)


def look_around(scope: Scope, library: Library) -> None:
    """If there are no sessions, print where they were looked for, and suggest the demo."""
    if not any(library.files()):
        places = ", ".join(map(str, scope.roots.looked))
        say(f"No sessions in {places}. `sessions demo` opens a demo.")


def report_unreadable(scope: Scope, library: Library) -> int:
    """Print what could not be read, and return the matching exit code."""
    for problem in library.unreadable.values():
        say(f"{exact_name(str(problem.path))}: {problem.reason}.")
    return PARTIAL if library.unreadable or scope.roots.refused else DONE


def report_decisions(decisions: Decisions) -> int:
    """Return the exit code for whether all decisions could be read."""
    return DONE if decisions.is_whole else PARTIAL


def find_session(library: Library, query: str) -> Path:
    """Return the newest transcript of the session that a SESSION argument names.

    The argument may name any part of it. Raises UsageError if it matches none or several.
    """
    return library.parts(find_file(library, query))[-1]


def find_file(library: Library, query: str) -> Path:
    """Return the exact transcript that is named. Raises UsageError as `find_session`."""
    known = [(file.session, file.path) for file in library.files()]
    found = resolve(query, known)
    if isinstance(found, Ambiguous) and len({library.parts(path)[-1] for path in found.paths}) == 1:
        return library.parts(found.paths[0])[-1]
    return _path(query, found)


def find_path(query: str, known: Iterable[tuple[str, Path]]) -> Path:
    """Return the path of any part of the named session. Raises UsageError as `find_session`."""
    found = resolve(query, known)
    if isinstance(found, Ambiguous) and {*found.paths[1:]} <= {*parts_beside(found.paths[0])}:
        return found.paths[0]
    return _path(query, found)


def _path(query: str, found: Path | Unknown | Ambiguous) -> Path:
    if isinstance(found, Unknown):
        raise UsageError(f"There is no session {printable(query, 200)!r}.")
    if isinstance(found, Ambiguous):
        paths = ", ".join(exact_name(str(path)) for path in found.paths[:20])
        raise UsageError(f"{query!r} matches {len(found.paths)} sessions: {paths}")
    return found


def read_parts(library: Library, query: str) -> Parts:
    """Read all transcripts of the session that a SESSION argument names."""
    return parts_of(library, find_session(library, query))


def parts_of(library: Library, path: Path) -> Parts:
    """Read all transcripts of the session that a transcript belongs to."""
    return Parts([_read(library, part) for part in library.parts(path)])


def _read(library: Library, path: Path) -> Transcript:
    library.read(path)
    if path in library.unreadable:
        raise UsageError(f"{path} cannot be read: {library.unreadable[path].reason}.")
    library.linked(path)  # before asking which calls belong to the original session
    return library.transcript(path)


def find_event(library: Library, event_id: str, session: str | None) -> tuple[Transcript, Event]:
    """Return the event that an argument names. Raises UsageError unless there is exactly one.

    With a SESSION, the event's number as printed by `show` works too: in the exact file that is
    named, or else in any other part of its session.
    """
    event_id = unquoted(event_id)
    if session is None:
        found = locate(library, event_id)
    else:
        named = find_file(library, session)
        others = [part for part in library.parts(named) if part != named]
        found = _located(library, event_id, [named]) or _located(library, event_id, others)
    if not found:
        hint = "" if session else ". To use an event number, add --session SESSION"
        raise UsageError(f"There is no event {printable(event_id, 200)!r}{hint}.")
    if len(found) > 1:
        names = (exact_name(str(located.path)) for located in found[:20])
        paths = ", ".join(dict.fromkeys(names))
        told = printable(event_id, 200)
        raise UsageError(
            f"{told!r} stands {len(found)} times, in {paths}; --session PATH names one."
        )
    return library.transcript(found[0].path), found[0].event


def _located(library: Library, event_id: str, paths: Iterable[Path]) -> list[Located]:
    """Return the events with an id, or else a number, in some transcripts."""
    found = [one for path in paths for one in locate(library, event_id, path)]
    if not found and event_id.isascii() and event_id.isdigit():
        found = [one for path in paths for one in locate_number(library, path, int(event_id))]
    return found


def effects_found(library: Library, transcript: Transcript) -> Effects:
    """Return the unrecorded effects of a transcript; print why there may be more."""
    from ...storage.review.cases import effects_in  # late, as lists do not need it
    from ...storage.review.effects import NONE, effects_of

    session = library.session(transcript.path)
    if session is None:
        return NONE
    effects = effects_in(transcript, session, int(time.time() * 1000), effects_of)
    if effects.missing:
        say(f"{transcript.session}: not all changed files are known. {effects.missing}")
    return effects


def is_dead(library: Library, path: Path) -> bool:
    """Return whether a session crashed: it ended mid-turn and its agent is gone."""
    session = library.session(path)
    return session is not None and session.status == "crashed"


def is_alive(library: Library, path: Path) -> Alive:
    """Return whether a session's agent can still deliver results; None if that is unknown."""
    session = library.session(path)
    return session.alive if session else False
