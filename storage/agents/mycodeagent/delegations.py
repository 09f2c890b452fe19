"""How MyCodeAgent starts sub-agents, and how its results name them."""

from __future__ import annotations

from ...model.event import Event
from ...records.fields import mapping, string
from ...records.typed import typed_text
from .reader import payload_of


class MyCodeAgentDelegations:
    """A sub-agent's opening prompt includes the description; its result holds its session id."""

    def opening(self, event: Event) -> str:
        """Return the prompt with the description before it, as the sub-agent receives it."""
        args = mapping(event.args)
        prompt = f"{args.get('description') or ''}\n\n{string(args.get('prompt')) or ''}"
        return typed_text(prompt) or prompt.strip()

    def child(self, event: Event) -> str:
        """Return the session id of the sub-agent; "" if the result has none."""
        data = mapping(mapping(payload_of(event.record).get("result")).get("data"))
        return string(data.get("child_session_id")) or ""

    def goes_on(self, event: Event) -> bool:
        """Return False: MyCodeAgent waits for its sub-agents."""
        return False
