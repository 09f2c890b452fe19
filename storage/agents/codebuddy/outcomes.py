"""How CodeBuddy's results and answers ended: errors may hide behind the status `completed`."""

from __future__ import annotations

from typing import Any

from ...folds.titles import one_line
from ...model.event import Event, Outcome, Record
from ...records.fields import lapse, mapping, string

INTERRUPTED = "Interrupted by user"
"""The text of the answer that marks an interruption by the user."""

CUT_OFF = "cut off"
"""What went wrong with a text that was stopped before its end."""

_TOOL_ERROR = "<tool_use_error>"
_ERRORS = ("Error:", "An error occurred")
_REFUSED = "An error occurred while parsing tool arguments"
_DENIED = "No (tell "
"""Prefix of the answer with which the user denies a call."""

_SPAWNED = "team-member-spawned"
_RENDERED = frozenset({"Skill", "SendMessage", "TaskStop", "KillShell", "TeamCreate", "TeamDelete"})
"""Tools that say how to display a success, but of a failure record only its text."""

_SHOWN = ("renderer", "title", "rawResponse", "subAgent")
_OWN = ("conversationRequestId", "traceId", "requestModelId")
"""Fields that CodeBuddy itself adds to every result; other writers of the format do not."""

_WORDS = 60
"""Maximum length of an error's own label, in characters: what fits on a row."""


def has_failed(record: Record) -> bool:
    """Return whether a result reports a failure.

    Judged by its status, its label or response, its first words, or by what is missing: for a tool
    that never ran, CodeBuddy records only what it told the model, yet with status `completed`.
    """
    if record.get("status", "completed") != "completed":
        return True
    extra = mapping(record.get("providerData"))
    result = extra.get("toolResult")
    if type(result) is not dict:
        return bool(extra.get("error")) or _never_ran(record, extra)
    if result.get("error"):
        return True
    raw = result.get("rawResponse")
    if type(raw) is dict and _response_failed(raw):
        return True
    return _lacks_success(record, result) or output_text(record).startswith(_TOOL_ERROR)


def _never_ran(record: Record, extra: Record) -> bool:
    """Return whether a call without a result of its tool was rejected before the tool ran."""
    if any(key in extra for key in _OWN):
        return True
    return output_text(record).startswith((_TOOL_ERROR, *_ERRORS))


def _lacks_success(record: Record, result: Record) -> bool:
    """Return whether the fields that a tool records only for a success are missing."""
    tool = string(record.get("name"))
    if tool == "Agent":
        spawned = mapping(result.get("renderer")).get("type") == _SPAWNED
        return not spawned and not result.get("subAgent")
    if any(result.get(key) for key in _SHOWN):
        return False
    return tool in _RENDERED or output_text(record).startswith(_ERRORS)


def _response_failed(raw: Record) -> bool:
    return bool(
        _exit_code(raw)
        or raw.get("tool_error_code") not in (None, 0, "0", "")
        or raw.get("is_error")
        or raw.get("signal")
        or raw.get("interrupted")
        or raw.get("sandboxDenied")
    )


def _exit_code(raw: Record) -> Any:
    code = raw.get("exitCode")
    return None if code in (0, "0") else code


def output_text(record: Record) -> str:
    """Return the text of a result's output, or of its first block, as written; "" if none."""
    output = record.get("output")
    block = output[0] if type(output) is list and output else output
    text = block.get("text") if type(block) is dict else block
    return text if type(text) is str else ""


def answer_outcome(record: Record) -> Outcome:
    """Return whether an `incomplete` answer was interrupted by the user or failed."""
    if is_cut_off(record) or first_text(record).strip() == INTERRUPTED:
        return "interrupted"
    return "failed" if mapping(record.get("providerData")).get("error") else "interrupted"


def is_cut_off(record: Record) -> bool:
    """Return whether a text is partial because the user stopped the agent."""
    return mapping(record.get("providerData")).get("isPartialAborted") is True


def first_text(record: Record) -> str:
    """Return the text of a message's first block, without joining all blocks, which may be long."""
    content = record.get("content")
    block = content[0] if type(content) is list and content else content
    text = block.get("text") if type(block) is dict else block
    return text if type(text) is str else ""


def duration(call: Event, result: Event) -> int | None:
    """Return how long a call took, in ms; None if its records share one time, or it was denied.

    CodeBuddy often gives a result the time of its call, which is that of the whole response,
    however long the tool ran. The result of a denied call has the time of the user's answer.
    """
    if result.record.get("status", "completed") != "completed":
        return None
    return lapse(call.at, result.at) or None


def failure(event: Event) -> str:
    """Return in one or two words why a result or an answer failed; "" if it did not."""
    if not event.outcome:
        return ""
    if event.outcome == "interrupted":
        return CUT_OFF if is_cut_off(event.record) else "interrupted"
    extra = mapping(event.record.get("providerData"))
    if event.kind != "result":
        return _provider_error(mapping(extra.get("error")))
    denial = extra.get("error")
    if type(denial) is str and "toolResult" not in extra:
        return "denied by you" if denial.startswith(_DENIED) else one_line(denial, _WORDS)
    return _tool_error(event.record, mapping(extra.get("toolResult")))


def _provider_error(error: Record) -> str:
    status = error.get("status") or error.get("code")
    return f"error {status}" if type(status) in (int, str) else "error"


def _tool_error(record: Record, result: Record) -> str:
    raw = mapping(result.get("rawResponse"))
    code = _exit_code(raw)
    if type(code) in (int, str):
        return one_line(f"exit {code}", _WORDS)
    for flag, words in (("interrupted", "interrupted"), ("sandboxDenied", "sandbox denied")):
        if raw.get(flag):
            return words
    if type(signal := raw.get("signal")) is str and signal:
        return one_line(f"signal {signal}", _WORDS)
    text = output_text(record)
    if text.startswith(_REFUSED):
        return "arguments refused"
    shown = result.get("error") or text.removeprefix(_TOOL_ERROR)
    words = one_line(shown, _WORDS) if type(shown) is str else ""
    return words.partition("</")[0] or "failed"
