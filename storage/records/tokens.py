"""Tokens as CodeBuddy counts them: the same numbers in three spellings, of which one is used."""

from __future__ import annotations

from typing import Any

from ..model.event import Record, Usage
from .fields import mapping, string

MOST = 10**15
"""Largest plausible number of tokens per response; larger counts are ignored."""


def usage_of(record: Record) -> tuple[str, Usage] | None:
    """Return the tokens of a model response and the key under which they count once."""
    extra = record.get("providerData")
    if type(extra) is not dict:
        extra = mapping(None)
    # Called for every record, and most have no tokens.
    if not ("rawUsage" in extra or "usage" in extra or "message" in record):
        return None
    found = (
        _raw(extra.get("rawUsage"))
        or _camel(extra.get("usage"))
        or _snake(mapping(record.get("message")).get("usage"))
    )
    if found is None:
        return None
    return string(extra.get("messageId")) or string(record.get("id")) or "", found


def _raw(usage: Any) -> Usage | None:
    if type(usage) is not dict or not usage:
        return None
    details = mapping(usage.get("prompt_tokens_details"))
    cached = (
        _count(details.get("cached_tokens"))
        or _count(usage.get("prompt_cache_hit_tokens"))
        or _count(usage.get("cache_read_input_tokens"))
    )
    return _split(usage.get("prompt_tokens"), cached, usage.get("completion_tokens"))


def _camel(usage: Any) -> Usage | None:
    if type(usage) is not dict or not usage:
        return None
    details = usage.get("inputTokensDetails")
    first = details[0] if type(details) is list and details else details
    cached = _count(mapping(first).get("cached_tokens"))
    return _split(usage.get("inputTokens"), cached, usage.get("outputTokens"))


def _snake(usage: Any) -> Usage | None:
    if type(usage) is not dict or not usage:
        return None
    cached = _count(usage.get("cache_read_input_tokens"))
    return _split(usage.get("input_tokens"), cached, usage.get("output_tokens"))


def _split(prompt: Any, cached: int, output: Any) -> Usage:
    """Return the usage; the count of the prompt includes cached tokens."""
    return Usage(max(0, _count(prompt) - cached), cached, _count(output))


def _count(value: Any) -> int:
    return value if type(value) is int and 0 < value <= MOST else 0
