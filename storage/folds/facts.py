"""What is known of a session from its records: a fold that costs the same for every event."""

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
"""Kinds that tell what the agent does; snapshots, titles, notices and metrics do not."""

MOVES_ON: frozenset[Kind] = frozenset({"prompt", "answer", "reasoning", "terminal"})
"""Kinds that come only when no call of before is waited for."""

LOOKED_AT = 16 * 1024
"""Characters of a prompt among which it begins: to strip a giant would copy it."""

PROMPT_CUT = 500
"""Characters kept of a prompt: enough for a title and a line of the list."""


class OpenCall(NamedTuple):
    """A call whose result has not come."""

    number: int
    """1-based among the records read; the event's number where reading began at the start."""
    event_id: str | None
    call_id: str | None
    run: str | None
    tool: str
    at: int | None
    stage: Stage
    label: str
    """One line that tells the call from others: a path, a command."""
    step: int | None = None
    batch: int = 0
    """Counts unbroken runs of calls: those of one response share it."""
    offset: int = 0
    """Where the record that `event_id` names begins in its file."""
    size: int = 0
    """Its bytes, without line end."""


class LastEvent(NamedTuple):
    """The last meaningful event."""

    kind: Kind
    outcome: Outcome
    tool: str | None
    at: int | None


@dataclass(slots=True)
class Facts:
    """Everything the list shows of a session, without its bodies."""

    records: int = 0
    """Readable records of any kind."""
    further: int = 0
    """Events beyond the first of their record."""
    repeated: int = 0
    """How many of those were there before: they count nothing else."""
    damaged: int = 0
    too_long: int = 0
    """How many of those are longer than what is held in memory."""
    started_at: int | None = None
    updated_at: int | None = None
    newest_at: int | None = None
    """The latest time of all: a clock may have been set back since."""
    cwd: str | None = None
    """The first working directory named."""
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
    """How the first summary of a compaction begins."""
    tokens: Usage | None = None
    usage_key: str = ""
    """State of the agent's meter."""
    tools: dict[str, int] = field(default_factory=dict)
    """How many calls of each tool."""
    last: LastEvent | None = None
    inner_session: str | None = None
    """The first session id inside the records: a sub-agent's is not its file's name."""
    moved_on: int = 0
    """Number of the last prompt, thought, answer or end: calls open before it get no result."""
    notices: int = 0
    """Resent prompts and rollbacks: where there is one, the records form a tree."""
    forks: int = 0
    """Records that do not go on from the one before, as where two processes write one session."""
    tip: tuple[str | int, str | int | None] | None = None
    """Id and parent of the last record of the chain."""
    delegations: list[Delegation] = field(default_factory=list)
    """The calls that give work to sub-agents."""
    spawned: list[str] = field(default_factory=list)
    """Sub-agents that the trace beside it names."""
    ancestry: Ancestry = field(default_factory=Ancestry)
    responses: Responses = field(default_factory=Responses)
    """Whether the last response is whole on record."""
    open_calls: Mapping[str, list[OpenCall]] = field(default_factory=dict)
    """By run and call id, oldest first; kept by the pairing."""

    def add(self, event: Event, text: str | None = None) -> Usage | None:
        """Take in the next event; the tokens that it adds.

        `text` is what a prompt says, where that was asked already.
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
        """Take in an event of a record that does not count."""
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
        """Take in an event of a record whose first event was taken in."""
        self.further += 1
        self._add_event(event, text)
        if event.kind in MOVES_ON:
            self.moved_on = self.records + self.damaged + self.further
        if event.kind in MEANINGFUL:
            self.last = LastEvent(event.kind, event.outcome, event.tool, event.at)

    def use(self, used: Usage) -> None:
        """Take in the tokens of a response."""
        self.tokens = used if self.tokens is None else self.tokens + used

    @property
    def naming_prompt(self) -> str:
        """The prompt to name the session after: one that says little only if there is no other."""
        says_little = self.first_prompt.startswith("/") or is_continuation(self.first_prompt)
        return self.title_prompt or (self.first_prompt if says_little else "")

    @property
    def naming_titles(self) -> dict[str, str]:
        """The titles to choose from: where no prompt says what is wanted, a summary does."""
        if self.title_prompt or not self.summary:
            return self.titles
        return {"summary": self.summary} | self.titles

    @property
    def branchings(self) -> int:
        """Grows where a branch may have been left; 0 as long as the records form one chain."""
        return self.notices + self.forks

    def calls_from(self, offset: int) -> list[OpenCall]:
        """The open calls whose records begin at an offset or later: others are a source's."""
        calls = [*self.open_calls.values()]  # the thread that reads may add to them
        return [call for one in calls for call in one if call.offset >= offset]

    def current_calls(self) -> list[OpenCall]:
        """The open calls that a result may still come for, oldest first."""
        return current_calls(self.open_calls, self.moved_on)

    def is_current(self, number: int) -> bool:
        """Whether a call is one of `current_calls`, or has its result."""
        if number <= self.moved_on:
            return False
        newest = own = 0
        for calls in [*self.open_calls.values()]:  # the thread that reads may add to them
            for call in [*calls]:
                newest = max(newest, call.batch)
                own = call.batch if call.number == number else own
        return own in (0, newest)

    def copy(self) -> Facts:
        """The facts as they are now: adding to one leaves the other as it is."""
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
        """Take from the head of the file what these facts, of its tail, cannot know."""
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
        """Plain data for the index, without the open calls."""
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
        """What `as_json` gave."""
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
    """The open calls that a result may still come for, oldest first: the newest response's.

    `moved_on` is the number of the last record that comes only when no call is waited for.
    """
    calls = [call for one in [*opened.values()] for call in one if call.number > moved_on]
    newest = max((call.batch for call in calls), default=0)
    return sorted(call for call in calls if call.batch == newest)


STORED = tuple(field.name for field in fields(Facts) if field.name != "open_calls")
"""What the index keeps of the facts; the open calls it keeps apart."""
