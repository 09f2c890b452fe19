"""The command `sessions`: parses its arguments, runs a subcommand, and returns the exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from errno import ENOSPC
from importlib import import_module
from pathlib import Path
from typing import Any

from .output.streams import OutputError, open_streams
from .startup import garbage

COMMANDS = {
    "open": "open the terminal UI, at SESSION if given",
    "demo": "open a demo with sample data and simulated agents",
    "list": "list sessions with their status",
    "show": "print the timeline of a session",
    "tail": "follow the timeline of a session as it grows",
    "search": "search prompts and answers of all sessions",
    "recover": "show what can be restored after a crash, and what was interrupted",
    "memory": "show a session's memory, with sources",
    "actions": "list uncertain and pending actions",
    "review": "give a verdict on an uncertain action, or undo it",
    "candidate": "manage memory candidates: propose, approve, reject, list, export",
    "title": "give a session your own title",
    "pin": "pin a session to the top of the list",
    "hide": "hide a session from the list",
    "resume": "resume a session in its agent",
    "index": "update the search index",
    "check": "check transcripts for corruption",
}
"""The subcommands with their help; each is a module `commands/NAME_.py`."""

UNREAD = 141
"""The exit code if the reader of standard output, or the terminal, is gone."""

EPILOG = """\
Without a command, `sessions` opens the screen. SESSION is an id, a unique prefix of one, or a
path to a .jsonl file. Transcripts are read and never written.

exit codes: 0 done; 1 problems were found, `search` found no match, or a decision was refused;
2 usage error, or an unknown or ambiguous session, event or root; 6 something could not be read,
saved or written
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    open_streams()
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except OutputError as error:
        if error.has_no_reader:
            return UNREAD
        print(f"sessions: {error.sentence}", file=sys.stderr)
        return 6


def _run(words: list[str]) -> int:
    try:
        options = _parser(words).parse_args(words)
    except SystemExit:  # --help and --version have printed
        sys.stdout.flush()
        raise
    garbage.rest()
    module = import_module(f".commands.{options.command or 'open'}_", __package__)
    garbage.take_up()
    from ..storage.decisions.decisions import DecisionsError
    from .commands.scope import PARTIAL, TROUBLE, USAGE, Refusal, UsageError
    from .output.streams import say

    try:
        code = int(module.run(options))
        sys.stdout.flush()
        return code
    except UsageError as error:
        say(str(error))
        return USAGE
    except Refusal as error:
        say(str(error))
        return TROUBLE
    except DecisionsError as error:
        say(str(error))
        return PARTIAL
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        verb = "written" if error.errno == ENOSPC else "read"
        say(f"{error.filename or 'A file'} cannot be {verb}: {error.strerror or error}.")
        return PARTIAL


class _Command(argparse.ArgumentParser):
    """A subcommand whose positional arguments and options may be mixed."""

    _is_split = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._is_split or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._is_split = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_split = False


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sessions",
        description="Browse, watch and recover coding-agent sessions in the terminal.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=_Version())
    add_shared(parser, absent=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Command)
    for name, about in COMMANDS.items():
        command = commands.add_parser(
            name, help=about, description=about[0].upper() + about[1:] + "."
        )
        if name in words:
            add_shared(command)
            import_module(f".commands.{name}_", __package__).add_arguments(command)
    return parser


def add_shared(parser: argparse.ArgumentParser, absent: str | None = argparse.SUPPRESS) -> None:
    """Add the options that are accepted both before and after the subcommand."""
    options = parser.add_argument_group("locations")
    options.add_argument(
        "--root",
        type=Path,
        action="append",
        default=absent,
        metavar="PATH",
        help="an agent's home with projects/, a project or tree of projects with "
        "memory/transcripts/, or one .jsonl file; replaces the defaults; repeatable",
    )
    for name, about in (
        ("--cache-dir", "directory of the index"),
        ("--data-dir", "directory of your decisions"),
        ("--config", "settings file (TOML)"),
    ):
        options.add_argument(name, type=_place, default=absent, metavar="PATH", help=about)


def _place(text: str) -> Path:
    """Return a path; reject an empty one, which would mean the working directory."""
    if not text:
        raise argparse.ArgumentTypeError("a path is needed")
    return Path(text)


class _Version(str):
    """The version, looked up only when printed, as that takes as long as parsing all arguments."""

    def __new__(cls) -> _Version:
        return super().__new__(cls, "%(prog)s")

    def __mod__(self, names: object) -> str:
        from importlib.metadata import version

        return f"sessions {version('sessions-tui')}"


if __name__ == "__main__":
    sys.exit(main())
