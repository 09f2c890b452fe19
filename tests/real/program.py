"""Asks the program: each command in a process of its own, forked from one that has it loaded."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMANDS = ("list", "actions", "show", "recover", "memory", "check", "resume")
PATIENCE = 120.0
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    ["sessions_tui.app.command_line", *(f"sessions_tui.app.commands.{c}_" for c in COMMANDS)]
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one command printed, and its exit code."""

    code: int
    output: str
    errors: str

    def json(self) -> Any:
        """The only document that it printed; None where it printed none."""
        return json.loads(self.output) if self.output.strip() else None

    def lines(self) -> list[Any]:
        """The documents that it printed, one per line."""
        return [json.loads(line) for line in self.output.splitlines()]


@dataclass(frozen=True, slots=True)
class Program:
    """The program, on some session directories, with an index and decisions of its own."""

    roots: Sequence[Path]
    folder: Path
    """For its cache and its data."""
    environment: Mapping[str, str]

    def words(self) -> list[str]:
        """The options that all commands share."""
        roots = [word for root in self.roots for word in ("--root", str(root))]
        cache, data = self.folder / "cache", self.folder / "data"
        return [*roots, "--cache-dir", str(cache), "--data-dir", str(data)]

    def environ(self) -> dict[str, str]:
        """A terminal, and none of this user's settings."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_CTYPE": "C.UTF-8"}
        calm = {"TEXTUAL_ANIMATIONS": "none", "HOME": str(self.folder)}
        return kept | terminal | calm | {k: v for k, v in self.environment.items() if k == "PATH"}

    def ask(self, command: str, *words: str) -> Answer:
        """Run one command."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            given = [command, *words, *self.words()]
            run = _FORKS.Process(target=_run, args=(given, self.environ(), scratch))
            run.start()
            run.join(PATIENCE)
            if run.exitcode is None:
                run.kill()
                run.join()
            output, errors = (_text(Path(scratch) / name) for name in ("output", "errors"))
            return Answer(int(run.exitcode or 0), output, errors)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _run(words: list[str], environ: dict[str, str], scratch: str) -> None:
    """Become `sessions` with these words."""
    from sessions_tui.app.command_line import main

    os.environ.clear()
    os.environ.update(environ)
    for name, descriptor in (("output", 1), ("errors", 2)):
        with (Path(scratch) / name).open("wb") as file:
            os.dup2(file.fileno(), descriptor)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8")
    sys.argv = ["sessions", *words]
    code = 2
    try:
        code = main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
