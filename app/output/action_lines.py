"""Formats actions and the recovery of a session as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...storage.model.action import Action
from ...storage.model.recovery import CUT_OFF, Recovery, Restored
from ...storage.records.fields import mapping
from ...storage.records.prose import label, prose
from ...storage.text.safe_text import exact_name
from ...widgets.words.ages import clock, day_short
from ...widgets.words.amounts import count
from ...widgets.words.cases import DECIDED, SIGNS, SUGGESTED
from ...widgets.words.safe import fit, one_line
from ...widgets.words.wrapping import wrap
from .lines import INDENT, PIPED, STATE_SIGNS

EVIDENCE_SIGNS = {"ok": "✓", "partial-tail": "…", "damaged": "⚠", "corrupt": "✗"}

CHANGE = "change"
"""Shown in place of the tool's name for an unrecorded effect."""

SHOWN = 10
"""Maximum number of actions, files and last messages in a summary."""


def action_line(action: Action, width: int) -> str:
    """Return an action's line: sign, state, time, tool, subject, event id; session if it fits."""
    when = f"{day_short(action.at)} {clock(action.at)}" if action.at is not None else "-"
    sign, state = STATE_SIGNS.get(action.state, " "), str(action.state)
    if action.verdict is not None:
        sign, state = SIGNS[action.verdict].text, DECIDED[action.verdict].text
    start = f"{sign} {state:<11}  {when:<16} "
    end = f"  {exact_name(action.action or '-')}"
    if width >= PIPED:
        end = f"  {fit(one_line(action.session), 24)}{end}"
    tool = CHANGE if action.found else one_line(action.tool or "-")
    about = f"{fit(tool, 12)} {one_line(_about(action))}"
    return start + fit(about, max(30, width - len(start) - len(end))) + end


def action_lines(action: Action, width: int) -> Iterator[str]:
    """Yield an action's line, then the verdict on it, or what the evidence suggests."""
    yield action_line(action, width)
    if action.verdict is not None:
        note = f": {one_line(action.note, 2_000)}" if action.note else ""
        told = f"your verdict: {DECIDED[action.verdict].text}{note}"
    elif action.evidence is not None:
        told = (
            f"{SUGGESTED[action.evidence.suggests].text}: {one_line(action.evidence.reason, 2_000)}"
        )
    else:
        return
    for part in wrap(told, max(20, width - len(INDENT))):
        yield INDENT + part


def _about(action: Action) -> str:
    if action.found and action.path:  # the printed event id contains the full path
        return exact_name(action.path.replace("\\", "/").rpartition("/")[2])
    return exact_name(action.path) if action.path else label(action.args)


def recovery_lines(recovery: Recovery, width: int) -> Iterator[str]:
    """Yield the page that `recover` prints: the integrity and what a restart would restore."""
    integrity = recovery.integrity
    sign = EVIDENCE_SIGNS.get(integrity.state, "✗")
    yield _fact("session", f"{one_line(recovery.session)} ({recovery.dialect})")
    yield _fact("transcript", f"{sign} {integrity.state}: {one_line(integrity.detail)}")
    if recovery.restored is None:
        yield _fact("restored", "not available: the transcript is corrupt")
        return
    if recovery.ignored_partial_tail:
        yield _fact("tail", "the last line is incomplete and ignored")
    yield from _restored_lines(recovery.restored, width)


def _restored_lines(restored: Restored, width: int) -> Iterator[str]:
    if restored.title:
        yield _fact("title", one_line(restored.title))
    following = restored.next_sequence
    ending = "" if following is None else f"; the next record is {following:,}"
    yield _fact("events", f"{restored.total_events:,}{ending}")
    if restored.run_id is not None:
        turns = count(restored.turn_count or 0, "turn")
        yield _fact("run", f"{one_line(restored.run_id)}, step {restored.step}, {turns}")
    thoughts = count(restored.reasoning_count, "thought")
    apart = f", {thoughts} left out" if restored.reasoning_count else ""
    yield _fact("messages", f"{len(restored.messages):,} restored{apart}")
    if restored.checkpoint is not None:
        yield _fact("checkpoint", one_line(_words(restored.checkpoint, "checkpoint_id", "summary")))
    if restored.terminal is not None:
        yield _fact("ended", one_line(_words(restored.terminal, "reason")))
    yield from _named(
        "files", [exact_name(prose(file["path"])) for file in restored.file_snapshots]
    )
    yield _fact("calls", _calls(restored))
    for action in (restored.uncertain + restored.running + restored.pending)[:SHOWN]:
        yield "  " + action_line(action, width - 2)
    if restored.response_cut:
        yield _fact("response", CUT_OFF)
        yield _fact("effects", f"{count(len(restored.effects), 'file')} changed without a record")
    for action in restored.effects[:SHOWN]:
        yield "  " + action_line(action, width - 2)
    if restored.messages:
        yield "last messages"
        for message in restored.messages[-SHOWN:]:
            yield "  " + _message_line(message, width - 2)


def _calls(restored: Restored) -> str:
    counts = [(len(restored.uncertain), "uncertain"), (len(restored.pending), "pending")]
    for state in ("running", "unknown"):
        if number := sum(action.state == state for action in restored.running):
            counts.append((number, state))
    counts += [(len(restored.completed), "completed"), (len(restored.failed), "failed")]
    return " · ".join(f"{number:,} {state}" for number, state in counts)


def _named(name: str, values: Sequence[str]) -> Iterator[str]:
    if values:
        rest = f" and {len(values) - SHOWN:,} more" if len(values) > SHOWN else ""
        yield _fact(name, ", ".join(map(one_line, values[:SHOWN])) + rest)


def _message_line(message: dict[str, Any], width: int) -> str:
    role, content = prose(message["role"]), message["content"]
    first = content[0] if type(content) is list and content else None
    block = mapping(first)
    if block.get("type") == "tool_use":
        role, text = "call", f"{prose(block.get('name'))} {label(block.get('input'))}"
    elif block.get("type") == "tool_result":
        role, text = "result", prose(block.get("content"))
    else:
        text = prose(content)
    return fit(f"{fit(one_line(role), 10)} {one_line(text)}", width).rstrip()


def _words(facts: dict[str, Any], *keys: str) -> str:
    return " ".join(words for key in keys if (words := prose(facts.get(key))))


def _fact(name: str, text: str) -> str:
    return f"{name:<11} {text}"
