"""Counts the tokens that a simulated model would report, growing with the conversation."""

from __future__ import annotations

from typing import Any

CHARACTERS = 3
"""Characters per token of mixed English, Chinese and code."""
SYSTEM_PROMPT = 6_200


class Window:
    """What the model reads at each response: everything so far, most of it cached."""

    def __init__(self) -> None:
        self._cached = SYSTEM_PROMPT
        self._fresh = 0

    def add(self, text: str) -> None:
        """Add text that the next response reads for the first time."""
        self._fresh += len(text) // CHARACTERS

    def compact(self, summary: str) -> None:
        """Replace the conversation by a summary."""
        self._cached, self._fresh = SYSTEM_PROMPT, len(summary) // CHARACTERS

    def usage(self, thought: str, written: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the token counts of one response: for its provider data, and for its top level."""
        cached = self._cached
        prompt = self._cached = cached + self._fresh
        self._fresh = 0
        reasoning = len(thought) // CHARACTERS
        output = reasoning + len(written) // CHARACTERS + 24
        total = prompt + output
        raw = {
            "prompt_tokens": prompt,
            "completion_tokens": output,
            "total_tokens": total,
            "completion_tokens_details": {"reasoning_tokens": reasoning},
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        counted = {
            "requests": 1,
            "inputTokens": prompt,
            "outputTokens": output,
            "totalTokens": total,
            "inputTokensDetails": [{"cached_tokens": cached}],
            "outputTokensDetails": [{"reasoning_tokens": reasoning}],
        }
        message = {
            "input_tokens": prompt,
            "output_tokens": output,
            "total_tokens": total,
            "cache_read_input_tokens": cached,
        }
        return {"rawUsage": raw, "usage": counted}, {"message": {"usage": message}}
