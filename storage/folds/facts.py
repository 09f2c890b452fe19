"""What is known about a session from its records: a fold with constant cost per event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, NamedTuple

from ..files.lines import LONGEST
from ..model.event import Event, Kind, Outcome, Stage, Usage
from ..records.typed import summary_words, typed_text
from .ancestry import Ancestry
from .branches import Joint
from .delegations import Delegation, delegate
from .responses import Responses
from .titles import is_continuation, naming_words

MEANINGFUL: frozenset[Kind] = frozenset(
    {"prompt", "injected", "answer", "reasoning", "call", "result", "terminal"}
)
"""Kinds that show what the agent is doing, unlike snapshots, titles, notices and metrics."""

MOVES_ON: frozenset[Kind] = frozenset({"prompt", "answer", "reasoning", "terminal"})
"""Kinds that only occur when the agent is not waiting for earlier calls."""

LOOKED_AT = 16 * 1024
"""Characters of a prompt that are examined: stripping a huge one would copy it."""

PROMPT_CUT = 500
"""Characters kept of a prompt: enough for a title and a row of the list."""


class OpenCall(NamedTuple):
    """A call without a result."""

    number: int
    """1-based index among the events read."""
    event_id: str | None
    call_id: str | None
    run: str | None
    tool: str
    at: int | None
    stage: Stage
    label: str
    """One line that identifies the call: a path, a command."""
    step: int | None = None
    batch: int = 0
    """Number of the uninterrupted series of calls; the calls of one response share it."""
    offset: int = 0
    """Address of the event with that id in its file."""
    size: int = 0
    """Length of its record in bytes, without line end."""


class LastEvent(NamedTuple):
    """The last meaningful event."""

    kind: Kind
    outcome: Outcome
    tool: str | None
    at: int | None


@dataclass(slots=True)
class Facts:
    """Everything that the list shows about a session, without any texts in full."""

    records: int = 0
    """Number of readable records."""
    further: int = 0
    """Number of events beyond the first of their record."""
    repeated: int = 0
    """Number of events that do not count, such as repeated records."""
    damaged: int = 0
    too_long: int = 0
    """Number of damaged lines that are too long to be held in memory."""
    started_at: int | None = None
    updated_at: int | None = None
    newest_at: int | None = None
    """The latest time; a clock may have been set back since."""
    cwd: str | None = None
    """The first working directory named in a record."""
    last_cwd: str | None = None
    model: str | None = None
    titles: dict[str, str] = field(default_factory=dict)
    """The last title of each source: custom-title, ai-title, topic, summary."""
    first_prompt: str = ""
    last_prompt: str = ""
    prompted_at: int | None = None
    """When the last prompt came."""
    title_prompt: str = ""
    """The first prompt that can name the session: no slash command, no wrapper."""
    summary: str = ""
    """Beginning of the first summary of a compaction."""
    tokens: Usage | None = None
    usage_key: str = ""
    """State of the agent's meter."""
    tools: dict[str, int] = field(default_factory=dict)
    """Number of calls by tool."""
    last: LastEvent | None = None
    inner_session: str | None = None
    """The first session id in a record; a sub-agent's differs from its file name."""
    moved_on: int = 0
    """Index of the last prompt, thought, answer or end: calls open before it get no result."""
    notices: int = 0
    """Number of resent prompts and rollbacks, which turn the records into a tree."""
    forks: int = 0
    """Number of records that do not continue the one before, as when two processes write."""
    tip: tuple[str | int, str | int | None] | None = None
    """Id and parent of the last record in the tree."""
    delegations: list[Delegation] = field(default_factory=list)
    """The calls that delegate work to sub-agents."""
    spawned: list[str] = field(default_factory=list)
    """Sub-agents named in the file that reports tokens."""
    ancestry: Ancestry = field(default_factory=Ancestry)
    responses: Responses = field(default_factory=Responses)
    """Whether the last response was recorded completely."""
    open_calls: Mapping[str, list[OpenCall]] = field(default_factory=dict)
    """By run and call id, oldest first; maintained by the pairing."""

    def add(self, event: Event, text: str | None = None) -> Usage | None:
        """Process the next event; return the tokens that it adds.

        `text`: the text of the event, if it was computed already.
        """
        kind, at = event.kind, event.at
        if kind == "damaged":
            self.damaged += 1
            self.too_long += event.place.size > LONGEST
            return None
        if event.place.block:
            self._add_further(event, text)
            return None
        self.records += 1
        if at is not None:
            if self.started_at is None:
                self.started_at = at
            self.updated_at = at
            if self.newest_at is None or at > self.newest_at:
                self.newest_at = at
        used = self._add_record(event, text)
        if kind in MOVES_ON:
            self.moved_on = self.records + self.damaged + self.further
        if kind in MEANINGFUL:
            self.last = LastEvent(kind, event.outcome, event.tool, at)
        return used

    def repeat(self, event: Event) -> None:
        """Process an event of a record that does not count."""
        if event.place.block:
            self.further += 1
        else:
            self.records += 1
        self.repeated += 1

    @property
    def events(self) -> int:
        """Number of events that count, of readable records."""
        return self.records + self.further - self.repeated

    def _add_further(self, event: Event, text: str | None) -> None:
        """Process a further event of a record."""
        self.further += 1
        self._add_event(event, text)
        if event.kind in MOVES_ON:
            self.moved_on = self.records + self.damaged + self.further
        if event.kind in MEANINGFUL:
            self.last = LastEvent(event.kind, event.outcome, event.tool, event.at)

    def use(self, used: Usage) -> None:
        """Add the tokens of a response."""
        self.tokens = used if self.tokens is None else self.tokens + used

    @property
    def naming_prompt(self) -> str:
        """The prompt to name the session after; a meaningless one only if there is no other."""
        says_little = self.first_prompt.startswith("/") or is_continuation(self.first_prompt)
        return self.title_prompt or (self.first_prompt if says_little else "")

    @property
    def naming_titles(self) -> dict[str, str]:
        """The titles to choose from; a summary if no prompt is meaningful."""
        if self.title_prompt or not self.summary:
            return self.titles
        return {"summary": self.summary} | self.titles

    @property
    def branchings(self) -> int:
        """Increases when a branch may have been abandoned; 0 while the records form one chain."""
        return self.notices + self.forks

    def calls_from(self, offset: int) -> list[OpenCall]:
        """Return the open calls from an offset on; earlier ones belong to a fork's source."""
        calls = [*self.open_calls.values()]  # the reading thread may add to them
        return [call for one in calls for call in one if call.offset >= offset]

    def current_calls(self) -> list[OpenCall]:
        """Return the open calls that may still get a result, oldest first."""
        return current_calls(self.open_calls, self.moved_on)

    def is_current(self, number: int) -> bool:
        """Return whether a call is one of `current_calls`, or has its result."""
        if number <= self.moved_on:
            return False
        newest = own = 0
        for calls in [*self.open_calls.values()]:  # the reading thread may add to them
            for call in [*calls]:
                newest = max(newest, call.batch)
                own = call.batch if call.number == number else own
        return own in (0, newest)

    def copy(self) -> Facts:
        """Return an independent copy."""
        open_calls = {key: list(calls) for key, calls in self.open_calls.items()}
        return replace(
            self,
            titles=dict(self.titles),
            tools=dict(self.tools),
            delegations=list(self.delegations),
            ancestry=self.ancestry.copy(),
            responses=self.responses.copy(),
            open_calls=open_calls,
        )

    def precede(self, head: Facts) -> None:
        """Adopt what only the head of the file shows, into facts from its tail."""
        self.started_at = head.started_at
        self.first_prompt = head.first_prompt
        self.title_prompt = head.title_prompt or self.title_prompt
        self.summary = head.summary or self.summary
        self.cwd = head.cwd or self.cwd
        self.inner_session = head.inner_session or self.inner_session
        self.model = self.model or head.model
        self.titles = {**head.titles, **self.titles}
        self.ancestry.precede(head.ancestry)

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the index, without the open calls."""
        data = {name: getattr(self, name) for name in STORED}
        if not self.further:
            del data["further"]  # as it was stored before records could hold several
        return data | {
            "tokens": asdict(self.tokens) if self.tokens else None,
            "last": list(self.last) if self.last else None,
            "tip": list(self.tip) if self.tip else None,
            "delegations": [list(one) for one in self.delegations],
            "ancestry": self.ancestry.as_json(),
            "responses": self.responses.as_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Facts:
        """Restore from the result of `as_json`."""
        facts = cls(**data)
        if data["tokens"]:
            facts.tokens = Usage(**data["tokens"])
        if data["last"]:
            facts.last = LastEvent(*data["last"])
        if data["tip"]:
            facts.tip = data["tip"][0], data["tip"][1]
        facts.delegations = [Delegation(*one) for one in data["delegations"]]
        facts.ancestry = Ancestry.from_json(data["ancestry"])
        facts.responses = Responses.from_json(data["responses"])
        return facts

    def _add_record(self, event: Event, text: str | None) -> Usage | None:
        if self.records == 1:
            self.ancestry.begin(event)
        if self.inner_session is None:
            self.inner_session = event.session_in
        cwd, model = event.cwd_and_model
        if cwd:
            self.cwd = self.cwd or cwd
            self.last_cwd = cwd
        if model:
            self.model = model
        used = None
        if counted := event.agent.meter(event, self.usage_key):
            self.usage_key, used = counted
            self.use(used)
        kind = event.kind
        if self.ancestry.own_from is None and (kind in MEANINGFUL or used is not None):
            self._add_source(event, used)
        if (rule := event.agent.branches) and (joint := rule.joint(event)):
            if self.tip and rule.branches_off(joint, Joint(*self.tip)):
                self.forks += 1
            self.tip = joint[:2]
        self._add_event(event, text)
        return used

    def _add_event(self, event: Event, text: str | None) -> None:
        kind, reader = event.kind, event.agent.reader
        if event.run is not None and event.run != self.ancestry.run:
            self.ancestry.enter(event.run, event.at)
        if (kind == "call" or kind == "result") and event.tool in event.agent.tools.delegates:
            delegate(self.delegations, event)
        self.responses.add(event, self.last_cwd)
        if kind == "call":
            if event.tool:
                self.tools[event.tool] = self.tools.get(event.tool, 0) + 1
        elif kind == "prompt":
            self._add_prompt(event.text if text is None else text)
            self.prompted_at = event.at or self.prompted_at
            if title := reader.title(event):
                self.titles.setdefault(title.source, title.text[:PROMPT_CUT])
        elif kind == "title" or kind == "summary":
            if title := reader.title(event):
                self.titles[title.source] = title.text[:PROMPT_CUT]
            if kind == "summary" and not self.summary:
                words = summary_words(event.text if text is None else text)
                self.summary = words[:PROMPT_CUT]
        elif kind == "notice":
            self.notices += 1

    def _add_source(self, event: Event, used: Usage | None) -> None:
        inner = event.session_in
        if inner is None or inner == event.place.session:
            self.ancestry.own_from = event.place.offset
        elif event.kind == "prompt" or used is not None:
            self.ancestry.copy_from(inner, used)

    def _add_prompt(self, text: str) -> None:
        if not self.title_prompt:
            words = naming_words(typed_text(text) if "<" in text else text)
            self.title_prompt = words[:PROMPT_CUT]
        text = text[:LOOKED_AT].strip()[:PROMPT_CUT]
        if text:
            self.first_prompt = self.first_prompt or text
            self.last_prompt = text


def current_calls(opened: Mapping[str, list[OpenCall]], moved_on: int) -> list[OpenCall]:
    """Return the open calls that may still get a result, oldest first: the newest response's.

    `moved_on`: index of the last event that only occurs when no call is waited for.
    """
    calls = [call for one in [*opened.values()] for call in one if call.number > moved_on]
    newest = max((call.batch for call in calls), default=0)
    return sorted(call for call in calls if call.batch == newest)


STORED = tuple(field.name for field in fields(Facts) if field.name != "open_calls")
"""The fields that the index stores; open calls are stored separately."""
