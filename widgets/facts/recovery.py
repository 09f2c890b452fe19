"""What a restart would restore, as lines, and whether the evidence for it can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ...storage.model.action import Action
from ...storage.model.recovery import CUT_OFF, Message, Recovery, Restored
from ...storage.model.timeline import Verdict
from ..words.amounts import count
from ..words.cases import DECIDED, tail
from ..words.safe import one_line
from .pane import SHOWN, Fact, Tone

NONE: Mapping[str, Verdict] = MappingProxyType({})

MESSAGES = 20
"""Messages shown of those that would be restored, newest first."""

FILES = 20

NAME = 30
"""Cells of the end of a path, which tells a file from others."""

TELLING = ("text", "content", "input", "command", "name")
"""Keys under which a message or call says what it is about."""

DEPTH = 6

TONES: dict[str, Tone] = {"ok": "plain", "partial-tail": "strong"}


def recovery_facts(recovery: Recovery, verdicts: Mapping[str, Verdict] = NONE) -> list[Fact]:
    """The lines: evidence first, then what was interrupted, then what is restored.

    `verdicts` are those on interrupted actions, by event id.
    """
    integrity = recovery.integrity
    where = f", line {integrity.line:,}" if integrity.line is not None else ""
    evidence = f"{integrity.state}{where}: {integrity.detail}"
    tone = TONES.get(integrity.state, "bad")
    facts = [Fact("transcript", evidence, is_first=True, tone=tone)]
    if recovery.restored is None:
        sentence = "not available: the transcript is corrupt"
        return [*facts, Fact("restored", sentence, is_first=True, tone="bad")]
    return [*facts, *_restored(recovery.restored, verdicts)]


def _restored(restored: Restored, verdicts: Mapping[str, Verdict]) -> Iterator[Fact]:
    yield from _actions("uncertain", restored.uncertain, verdicts)
    for state in ("running", "unknown"):
        yield from _actions(state, [a for a in restored.running if a.state == state], verdicts)
    yield from _actions("pending", restored.pending, verdicts)
    yield from _effects(restored, verdicts)
    ended = f"{len(restored.completed):,} completed, {len(restored.failed):,} failed"
    yield Fact("calls", ended, is_first=True)
    following = restored.next_sequence
    ending = "" if following is None else f"; the next record is {following:,}"
    yield Fact("events", f"{restored.total_events:,}{ending}", is_first=True)
    if restored.run_id is not None:
        turns = count(restored.turn_count or 0, "turn")
        yield Fact("run", f"{restored.run_id}, step {restored.step}, {turns}", is_first=True)
    if restored.title:
        yield Fact("title", restored.title[:SHOWN], is_first=True)
    for name, value in (("checkpoint", restored.checkpoint), ("terminal", restored.terminal)):
        if value:
            yield Fact(name, _summary(value), is_first=True)
    yield from _files(restored)
    yield from _messages(restored.messages)


def _actions(
    group: str, actions: Sequence[Action], verdicts: Mapping[str, Verdict]
) -> Iterator[Fact]:
    for place, action in enumerate(actions[::-1]):
        about = action.path or _first_text(action.args)
        verdict = verdicts.get(action.action or "")
        said = f" — your verdict: {DECIDED[verdict].text}" if verdict else ""
        yield Fact(
            group,
            f"{action.tool} {about}"[:SHOWN] + said,
            action.at,
            action.action,
            action.offset,
            group == "uncertain" and verdict is None,
            is_first=not place,
            tone="plain" if verdict or group in ("running", "unknown") else "strong",
        )


def _effects(restored: Restored, verdicts: Mapping[str, Verdict]) -> Iterator[Fact]:
    """What a response that was cut off may have changed without a record."""
    if restored.response_cut:
        yield Fact("response", CUT_OFF, is_first=True, tone="strong")
    for place, action in enumerate(restored.effects):
        verdict = action.verdict or verdicts.get(action.action or "")
        said = f"your verdict: {DECIDED[verdict].text}" if verdict else "no call recorded"
        path = one_line(action.path or "", SHOWN)
        yield Fact(
            "effects",
            f"{tail(path, NAME).lstrip('…/')} — {said} ({path})",
            action.at,
            action.action,
            action.offset,
            verdict is None,
            is_first=not place,
            tone="plain" if verdict else "strong",
        )


def _files(restored: Restored) -> Iterator[Fact]:
    snapshots = restored.file_snapshots[::-1]
    for place, snapshot in enumerate(snapshots[:FILES]):
        yield Fact("files", str(snapshot.get("path")), offset=-place, is_first=not place)
    if len(snapshots) > FILES:
        yield Fact("files", f"+ {len(snapshots) - FILES:,} earlier", is_item=False, tone="quiet")


def _messages(messages: Sequence[Message]) -> Iterator[Fact]:
    total = count(len(messages), "message")
    yield Fact("messages", f"{total} will be restored on resume, newest first:", is_first=True)
    for place, message in enumerate(messages[::-1][:MESSAGES]):
        text = f"{message.get('role')}: {_first_text(message.get('content'))}"
        yield Fact("messages", text[:SHOWN], offset=-place - 1, tone="quiet")


def _summary(value: dict[str, object]) -> str:
    words = (f"{key} {_first_text(item)}" for key, item in value.items() if item not in ({}, None))
    return one_line(" · ".join(words), SHOWN)


def _first_text(value: object, depth: int = 0) -> str:
    """The first text in a message's content or a call's arguments, whatever their shape."""
    if isinstance(value, str):
        return value[:SHOWN]
    if depth < DEPTH and isinstance(value, dict) and value.get("type") == "tool_use":
        return f"{value.get('name')} {_first_text(value.get('input'), depth + 1)}"[:SHOWN]
    if depth < DEPTH and isinstance(value, dict):
        telling = [value[key] for key in TELLING if key in value]
        value = telling or list(value.values())
    if depth < DEPTH and isinstance(value, list):
        return next((text for item in value if (text := _first_text(item, depth + 1))), "")
    return "" if value is None or isinstance(value, dict | list) else str(value)
