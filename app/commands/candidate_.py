"""`sessions candidate`: manage memory candidates, by event id."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ...storage.candidates.export import checked, write
from ...storage.candidates.proposals import Refused, proposal, words_of
from ...storage.decisions.decisions import Decisions
from ...storage.library.library import Library
from ...storage.model.candidate import Candidate
from ...storage.text.folding import well_formed
from ...widgets.words.amounts import count
from ..command_line import add_shared
from ..output.candidate_lines import candidate_lines
from ..output.candidate_shapes import candidate_shape, told
from ..output.lines import columns
from ..output.own_files import refusal
from ..output.shapes import to_json
from ..output.streams import say
from .scope import (
    DONE,
    PARTIAL,
    Refusal,
    Scope,
    UsageError,
    desk_of,
    find_event,
    find_session,
    refuse_relative,
    report_decisions,
    scope_of,
)

Run = Callable[[argparse.Namespace], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    commands = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    def add(name: str, about: str, run: Run) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name, help=about, description=about[0].upper() + about[1:] + "."
        )
        command.add_argument("--json", action="store_true", help="JSON for scripts")
        command.set_defaults(run=run)
        add_shared(command)
        return command

    new = add("add", "propose an event", _add)
    new.add_argument("event", metavar="EVENT", help="id of the event to remember")
    new.add_argument("--session", metavar="SESSION", help="which session, if the id is ambiguous")
    _add_words(new, required=True)
    for name, about, run in (
        ("approve", "approve a candidate", _approve),
        ("reject", "reject a candidate", _reject),
        ("undo", "undo the last decision on a candidate", _undo),
    ):
        add(name, about, run).add_argument("id", metavar="ID")
    changed = add("edit", "edit a candidate", _edit)
    changed.add_argument("id", metavar="ID")
    _add_words(changed, required=False)
    listed = add("list", "list the candidates, the oldest first", _list)
    listed.add_argument("--status", choices=("proposed", "approved", "rejected"))
    listed.add_argument("--session", metavar="SESSION", help="only candidates from this session")
    exported = add("export", "print approved candidates as JSON Lines", _export)
    exported.add_argument("--markdown", action="store_true", help="as a Markdown list instead")
    exported.add_argument(
        "--output", type=_file, metavar="FILE", help="write to FILE; - is standard output"
    )
    exported.add_argument("--force", action="store_true", help="overwrite FILE if it exists")


def _file(text: str) -> Path | None:
    """Return the named file; None for `-`, which means standard output."""
    return None if text == "-" else Path(text)


def _add_words(parser: argparse.ArgumentParser, required: bool) -> None:
    parser.add_argument("--summary", metavar="TEXT", required=required, help="what to remember")
    parser.add_argument("--reason", metavar="TEXT", required=required, help="why")


def run(options: argparse.Namespace) -> int:
    """Run the subcommand; exit code 1 if the decision is rejected."""
    try:
        code: int = options.run(options)
        return code
    except Refused as error:
        raise Refusal(str(error)) from None


def _add(options: argparse.Namespace) -> int:
    words_of(options.summary, options.reason)  # reject bad text before searching
    named = [options.session] if options.session else []
    with desk_of(scope_of(options), named) as (library, decisions):
        transcript, event = find_event(library, options.event, options.session)
        candidate = proposal(transcript, event, options.summary, options.reason, _now())
        return _print(decisions.propose(candidate), options)


def _approve(options: argparse.Namespace) -> int:
    return _change(options, lambda kept, id: kept.settle(id, "approved", _now()))


def _reject(options: argparse.Namespace) -> int:
    return _change(options, lambda kept, id: kept.settle(id, "rejected", _now()))


def _undo(options: argparse.Namespace) -> int:
    def undo(kept: Decisions, id: str) -> Candidate:
        if candidate := kept.undo(id, _now()):
            return candidate
        raise Refusal(f"Nothing to undo: no decision has been made on {id}.")

    return _change(options, undo)


def _edit(options: argparse.Namespace) -> int:
    if options.summary is None and options.reason is None:
        raise UsageError("Give --summary, --reason or both.")

    def edit(kept: Decisions, id: str) -> Candidate:
        before = kept.candidate(id)
        assert before is not None
        summary = before.summary if options.summary is None else options.summary
        reason = before.selection_reason if options.reason is None else options.reason
        return kept.edit(id, *words_of(summary, reason), _now())

    return _change(options, edit)


def _change(options: argparse.Namespace, change: Callable[[Decisions, str], Candidate]) -> int:
    with desk_of(scope_of(options)) as (_, decisions):
        return _print(change(decisions, _find(decisions, options.id)), options)


def _find(decisions: Decisions, query: str) -> str:
    """Return the candidate's id, given that, a unique prefix of it, or an unambiguous event id."""
    candidates = decisions.candidates()
    for found in (
        [one for one in candidates if one.candidate == query],
        [one for one in candidates if query and one.candidate.startswith(query)],
        [one for one in candidates if one.source_id == query],
    ):
        if len(found) > 1:
            ids = ", ".join(one.candidate for one in found[:20])
            raise UsageError(f"{query!r} matches {len(found)} candidates: {ids}.")
        if found:
            return found[0].candidate
    raise UsageError(f"There is no candidate {query!r}.")


def _list(options: argparse.Namespace) -> int:
    named = [options.session] if options.session else []
    with desk_of(scope_of(options), named) as (library, decisions):
        ids = _ids(library, decisions.candidates(), options.session)
        wanted = [
            candidate
            for candidate in decisions.candidates()
            if options.status in (None, candidate.status)
            and (ids is None or candidate.session_id in ids)
        ]
        code = report_decisions(decisions)
    if options.json:
        print(to_json([candidate_shape(candidate) for candidate in wanted]))
    else:
        _print_lines(wanted)
    return code


def _ids(library: Library, known: Iterable[Candidate], session: str | None) -> set[str] | None:
    """Return the ids of all parts of the named session; None for any session.

    A session that no longer exists can be named by its id if it has candidates.
    """
    if session is None:
        return None
    try:
        paths = library.parts(find_session(library, session))
    except UsageError:
        if any(one.session_id == session for one in known):
            return {session}
        raise
    files = map(library.file, paths)
    return {well_formed(file.session) for file in files if file}


def _export(options: argparse.Namespace) -> int:
    if options.markdown and options.json:
        raise UsageError("Give either --markdown or --json.")
    scope = scope_of(options)
    if options.output and (why := _refusal(options, scope)):
        raise Refusal(why)
    with desk_of(scope) as (library, decisions):
        approved, refusals = checked(library, decisions.candidates())
        if not decisions.is_whole:
            raise Refusal("Nothing is exported while not all decisions can be read.")
    text = told(approved, "markdown" if options.markdown else "jsonl")
    if options.output is None:
        print(text, end="")
    else:
        _write(options.output, text)
        say(f"Exported {count(len(approved), 'approved candidate')} to {options.output}.")
    for left_out in refusals:
        say(f"{left_out}.")
    return PARTIAL if refusals else DONE


def _refusal(options: argparse.Namespace, scope: Scope) -> str:
    """Return why the file cannot be written; "" if it can."""
    refuse_relative([options.output])
    if why := refusal(options.output, scope.places, scope.roots.found):
        return why
    if options.output.exists() and not options.force:
        return f"{options.output} already exists; use --force to overwrite it."
    return ""


def _write(path: Path, text: str) -> None:
    try:
        write(path.resolve(), text)
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None


def _print(candidate: Candidate, options: argparse.Namespace) -> int:
    if options.json:
        print(to_json(candidate_shape(candidate)))
    else:
        _print_lines([candidate])
    return DONE


def _print_lines(candidates: Sequence[Candidate]) -> None:
    for candidate in candidates:
        print("\n".join(candidate_lines(candidate, columns())))


def _now() -> int:
    return int(time.time() * 1000)
