"""What the event panel shows of an event: its sections as passages of text. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from ...storage.model.event_detail import EventDetail
from ..base.diff import diff
from ..base.passages import Passage
from ..words.safe import exact_name, one_line
from .columns import asks
from .questions import asked

Section = Literal["event", "arguments", "result", "raw"]
SECTIONS: tuple[Section, ...] = ("event", "arguments", "result", "raw")

PRETTY = 500_000
"""Characters of JSON up to which it is indented; a longer record is shown as it stands."""


def available(event: EventDetail, section: Section) -> bool:
    """Whether an event has such a section."""
    if section == "arguments":
        return event.args is not None
    if section == "result":
        return event.result is not None
    return section == "event" or bool(event.raw)


def passages(event: EventDetail, section: Section) -> Iterator[Passage]:
    """The text of a section."""
    if section == "event":
        yield from _event(event)
    elif section == "arguments":
        yield Passage(_indented(event.args))
    elif section == "result":
        yield Passage(event.result or "")
    else:
        yield Passage(_pretty(event.raw))


def plain_text(event: EventDetail) -> str:
    """What `Y` copies: what a person would read of the event."""
    if event.kind == "call":
        return event.result if event.result is not None else _indented(event.args)
    return event.text or event.result or ""


def _event(event: EventDetail) -> Iterator[Passage]:
    if event.problem:
        yield Passage(event.problem, "error")
    if event.kind != "call":
        yield Passage(event.text or event.result or "")
        if event.kind in ("answer", "reasoning") and event.detail:
            yield Passage(event.detail, "label")
        return
    if event.edit is not None:
        yield Passage(exact_name(event.edit.path), "label")
        yield from diff(event.edit)
    else:
        yield from _arguments(event.args)
    yield Passage("")
    yield from _result(event)


def _result(event: EventDetail) -> Iterator[Passage]:
    if event.result is None:
        look = "error" if event.state == "uncertain" else "muted"
        if asks(event.state, event.detail):
            look = "label"
        yield Passage(_without_result(event), look)
        return
    yield Passage("result", "heading")
    yield Passage(event.result or "(empty)", "plain" if event.result else "muted")


def _without_result(event: EventDetail) -> str:
    if event.state == "uncertain":
        return (
            "No result was recorded. It may or may not have taken effect; "
            "check before repeating it."
        )
    if asks(event.state, event.detail):
        return "Waiting for your answer in the agent's own window."
    if event.state == "unknown":
        return "No result yet. It is unknown whether the agent is still running."
    if event.state == "pending":
        return "Not begun: no result yet."
    return "No result yet."


def _arguments(args: Any) -> Iterator[Passage]:
    """Arguments as a person reads them: texts and questions as text, nested ones indented."""
    if not isinstance(args, dict):
        yield Passage(args if isinstance(args, str) else _indented(args))
        return
    for name, value in args.items():
        if (question := asked(name, value)) is not None:
            yield from question
            continue
        yield Passage(one_line(str(name)), "label")
        yield Passage(_indented(value))


def _indented(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except RecursionError:
        return "Nested too deeply to be laid out; the record itself shows it."


def _pretty(raw: str) -> str:
    if len(raw) > PRETTY:
        return raw
    return "\n".join(_pretty_line(line) for line in raw.split("\n"))


def _pretty_line(line: str) -> str:
    try:
        return json.dumps(json.loads(line), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return line
