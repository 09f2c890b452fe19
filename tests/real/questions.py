"""Asks the program everything about one session, by its commands and on its screen."""

from __future__ import annotations

from dataclasses import replace

from .comparison import Answers, shown_for
from .program import Program
from .screen import look
from .script import marker

EVERYTHING = ("list", "--why", "--children", "--json")


def ask(program: Program, name: str, session: str, *, on_screen: bool = True) -> Answers:
    """What the program says of the session of a script; the list is asked first and last."""
    listed = program.ask(*EVERYTHING).json()["sessions"]
    answers = Answers(
        listed,
        actions=program.ask("actions", "--all", "--json").json(),
        show=program.ask("show", session, "--json").lines(),
        recover=program.ask("recover", session, "--json").json(),
        memory=program.ask("memory", session, "--json").json(),
        check=program.ask("check", session, "--json").json(),
    )
    if on_screen:
        answers = replace(answers, later=program.ask(*EVERYTHING).json()["sessions"])
        wanted = shown_for(answers.last_row(session))
        answers = replace(answers, shown=look(program, session, marker(name), wanted))
    return replace(answers, later=program.ask(*EVERYTHING).json()["sessions"])
