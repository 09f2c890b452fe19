"""What an agent asks its person, laid out to be read: questions with their options, or a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.passages import Passage
from ..words.safe import one_line


def asked(name: str, value: Any) -> list[Passage] | None:
    """An argument that is a question or a plan; None for any other."""
    if name == "plan" and isinstance(value, str):
        return [Passage("plan", "label"), Passage(value)]
    if name != "questions" or not isinstance(value, list) or not value:
        return None
    if not all(isinstance(one, dict) and isinstance(one.get("question"), str) for one in value):
        return None
    return [passage for one in value for passage in _question(one)][1:]


def _question(question: dict[str, Any]) -> Iterator[Passage]:
    yield Passage("")
    header = question.get("header")
    yield Passage(one_line(header) if isinstance(header, str) and header else "question", "label")
    yield Passage(question["question"])
    options = question.get("options")
    for option in options if isinstance(options, list) else ():
        yield Passage(_option(option), bullet="  • ")
    if question.get("multiSelect") is True:
        yield Passage("Several may be chosen.", "muted")


def _option(option: Any) -> str:
    """`label — description`, as far as it has them."""
    if not isinstance(option, dict):
        return (
            str(option) if isinstance(option, str | int | float) else "an option of no known form"
        )
    parts = (option.get("label"), option.get("description"))
    return " — ".join(part for part in parts if isinstance(part, str) and part)
