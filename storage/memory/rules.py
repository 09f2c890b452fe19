"""Memory rules: those for messages and calls, which agents share, and what others must provide.

They mirror MyCodeAgent's rules: the last answer of a turn and the changes made by tools are work,
compactions and the user's answers are decisions, checks and interruptions are verification status.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from ..folds.facts import MEANINGFUL, MOVES_ON, current_calls
from ..folds.pairing import Pairing
from ..folds.titles import is_continuation
from ..model.event import Event, Kind
from ..model.memory import MAYBE_RUNNING, ListName, MemoryItem, Source, item_of
from ..model.timeline import Alive, open_state
from ..model.tools import TOOLS, Tools
from ..records.typed import summary_words
from .checks import Check, check_of, tells_of_failure
from .notes import Notes, packed, unpacked
from .todos import Todos

LENGTH = 300
"""Maximum length of an item, in characters; the goal is kept in full."""

_SUMMARY = 1_000
"""Maximum length of a summary, in characters; longer because it replaces everything before it."""

_NAME = 60
"""Maximum length of a tool's name, in characters."""

_QUIET = frozenset({"TaskStop", "EnterPlanMode", "Skill", "SendMessage"})
"""Further tools whose success is not worth an item."""


class PendingCall(NamedTuple):
    """A call without a result."""

    number: int
    tool: str
    label: str
    event_id: str | None
    step: int | None
    at: int | None
    offset: int
    check: Check | None = None
    args: dict[str, Any] | None = None
    """Only for calls whose arguments are needed when the result arrives."""

    @property
    def words(self) -> str:
        """Tool and label on one line."""
        return f"{self.tool or 'unknown'} {self.label}".rstrip()


class Rules(Protocol):
    """What the events of a format add to a memory."""

    def add(self, event: Event) -> None:
        """Process the next event, damaged ones included."""
        ...

    def typed(self, goal: str) -> str:
        """Return the part of a goal that the user typed."""
        ...

    def interrupt(self) -> None:
        """Mark the open calls as interrupted: their results will never arrive."""
        ...

    def standing(self, alive: Alive, since: int) -> dict[ListName, list[MemoryItem]]:
        """Return the items that hold only until more events arrive.

        `alive`: whether an agent may still deliver results. Calls before the offset `since` belong
        to another session.
        """
        ...

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `restore`."""
        ...

    def restore(self, data: dict[str, Any]) -> None:
        """Continue from the result of `as_json`."""
        ...


class ActionRules:
    """Adds to the notes what events state; constant time per event.

    `compaction` returns what an event of kind `summary` says about how it was made.
    """

    def __init__(
        self,
        notes: Notes,
        tools: Tools = TOOLS,
        compaction: Callable[[Event], str] = lambda event: "",
    ) -> None:
        self._notes = notes
        self._tools = tools
        self._compaction = compaction
        self._todos = Todos()
        self._pairing = Pairing()
        self._open: dict[int, PendingCall] = {}
        self._answer: MemoryItem | None = None
        self._stopped = False
        """Whether the last record of the agent's activity was an interruption."""
        self._number = 0
        self._moved_on = 0
        self._readers: dict[Kind, Callable[[Event], None]] = {
            "prompt": self._read_prompt,
            "injected": self._read_injected,
            "summary": self._read_summary,
            "answer": self._read_answer,
            "call": self._read_call,
        }

    def add(self, event: Event) -> None:
        """Process the next event."""
        self._number += 1
        kind = event.kind
        call, _ = self._pairing.add(event, self._number)
        if kind in MOVES_ON:
            self._moved_on = self._number
        if kind in MEANINGFUL and (kind != "answer" or event.outcome != "interrupted"):
            self._stopped = False
        if reader := self._readers.get(kind):
            reader(event)
        elif kind == "result":
            self._read_result(event, self._open.pop(call, None))
        elif kind == "reasoning":
            self._answer = None

    def typed(self, goal: str) -> str:
        """Return the goal itself: the text of a prompt has no wrappers."""
        return goal

    def interrupt(self) -> None:
        """Mark the open calls as interrupted: their results will never arrive."""
        self._moved_on = self._number

    def standing(self, alive: Alive, since: int = 0) -> dict[ListName, list[MemoryItem]]:
        """Return what holds until more events arrive: the last answer, calls without a result."""
        current = {one.number for one in current_calls(self._pairing.open, self._moved_on)}
        states = [
            (call, open_state("started", self._asks(call), call.number in current, alive))
            for call in self._open.values()
            if call.offset >= since
        ]
        calls = [call for call, state in states if state == "uncertain" or self._asks(call)]
        doubts = [_doubt(call) for call in calls if not self._asks(call)]
        unknown = [_unknown(call) for call, state in states if state == "unknown"]
        return {
            "completed_work": [self._answer] if self._answer else [],
            "todo_items": [*map(self._todo, calls), *self._todos.items()],
            "verification_status": [*unknown, *doubts],
        }

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `restore`."""
        return {
            "todos": self._todos.as_json(),
            "pairing": self._pairing.as_json(),
            "open": [list(call) for call in self._open.values()],
            "answer": packed(self._answer) if self._answer else None,
            "stopped": self._stopped,
            "number": self._number,
            "moved_on": self._moved_on,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Continue from the result of `as_json`."""
        self._todos.restore(data["todos"])
        self._pairing = Pairing.from_json(data["pairing"])
        self._open = {call[0]: PendingCall(*call) for call in data["open"]}
        self._answer = unpacked(data["answer"]) if data["answer"] else None
        self._stopped = data["stopped"]
        self._number = data["number"]
        self._moved_on = data["moved_on"]

    def _end_turn(self) -> None:
        if self._answer:
            self._notes.put("completed_work", self._answer)
            self._answer = None

    def _read_prompt(self, event: Event) -> None:
        self._end_turn()
        goal = event.text
        if goal and not (self._notes.goal and is_continuation(goal)):
            self._notes.goal = item_of(goal, event)

    def _read_injected(self, event: Event) -> None:
        self._end_turn()

    def _read_summary(self, event: Event) -> None:
        self._end_turn()
        how = self._compaction(event)
        text = "Compacted the conversation" + (f" ({how})" if how else "")
        words = " ".join(summary_words(event.text[:_SUMMARY]).split())
        if words:
            text = f"{text}: {words}"
            if self._notes.goal is None:
                self._notes.goal = item_of(words, event)
        self._notes.write("key_decisions", _short(text, _SUMMARY), event)

    def _read_answer(self, event: Event) -> None:
        self._answer = None
        if event.outcome == "interrupted":
            if not self._stopped:  # a cut-off answer and the mark after it are one stop
                self._notes.write("verification_status", "Interrupted by the user.", event)
            self._stopped = True
        elif event.outcome == "failed":
            reason = f"Provider {event.agent.reader.failure(event)}: {_short(event.text)}"
            self._notes.write("failed_attempts", reason, event)
        elif words := _short(event.text):
            self._answer = item_of(f"Answered: {words}", event)

    def _read_call(self, event: Event) -> None:
        self._answer = None
        tool, place = event.tool or "", event.place
        tools = self._tools
        is_kept = tool in tools.todos or tool in tools.questions
        args = event.args if is_kept or tool in tools.shells else None
        known = args if type(args) is dict else {}
        command = known.get("command")
        check = check_of(command) if tool in tools.shells and type(command) is str else None
        self._open[self._number] = PendingCall(
            self._number,
            tool[:_NAME],
            _short(event.text),
            event.event_id,
            event.step,
            event.at,
            place.address,
            None if known.get("run_in_background") else check,
            known if is_kept else None,
        )

    def _read_result(self, event: Event, call: PendingCall | None) -> None:
        self._answer = None
        if call is None:
            return
        failed = event.outcome == "failed"
        if failed:
            reason = f"{call.words}: {event.agent.reader.failure(event)}"
            self._notes.put("failed_attempts", _ended(reason, call, event))
        else:
            self._succeed(event, call)
        if call.check:
            self._check(event, call, failed)

    def _succeed(self, event: Event, call: PendingCall) -> None:
        tool, args = call.tool, call.args or {}
        if tool in self._tools.todos:
            self._todos.apply(tool, args, event.text, _ended("", call, event))
        elif tool == "ExitPlanMode":
            plan = args.get("plan")
            text = f"Approved plan: {_short(plan)}" if type(plan) is str else "Approved plan"
            self._notes.put("key_decisions", _ended(text, call, event))
        elif tool == "AskUserQuestion":
            text = f"{call.label} → {_short(event.text)}"
            self._notes.put("key_decisions", _ended(text, call, event))
        elif tool not in self._tools.reads and tool not in _QUIET:
            self._notes.put("completed_work", _ended(call.words, call, event))

    def _check(self, event: Event, call: PendingCall, failed: bool) -> None:
        reason = f" ({event.agent.reader.failure(event)})" if failed else ""
        verdict = "failed" if failed or tells_of_failure(event.text) else "passed"
        text = f"{call.check} {verdict}: {call.label}{reason}"
        self._notes.put("verification_status", _ended(text, call, event))

    def _asks(self, call: PendingCall) -> bool:
        return call.tool in self._tools.questions

    def _todo(self, call: PendingCall) -> MemoryItem:
        if self._asks(call):
            return _open_item(f"Answer the open question: {call.label or call.tool}", call, False)
        text = f"Resolve uncertain action {call.words} before claiming completion."
        return _open_item(text, call, uncertain=True)


def _short(text: str, length: int = LENGTH) -> str:
    """Return a text on one line, truncated; it is made safe where it is displayed."""
    words = " ".join(text[: 2 * length].split())
    return words if len(words) <= length else words[: length - 1] + "…"


def _ended(text: str, call: PendingCall, result: Event) -> MemoryItem:
    """Return an item for a call and its result."""
    source = Source(call.event_id, result.event_id, call.step, result.step)
    return MemoryItem(text[: 2 * LENGTH], source, result.at or call.at, call.offset)


def _doubt(call: PendingCall) -> MemoryItem:
    return _open_item(f"Uncertain tool action detected: {call.words}", call, uncertain=True)


def _unknown(call: PendingCall) -> MemoryItem:
    return _open_item(f"{MAYBE_RUNNING}: {call.words}", call, uncertain=False)


def _open_item(text: str, call: PendingCall, uncertain: bool) -> MemoryItem:
    source = Source(call.event_id, call.event_id, call.step, call.step)
    return MemoryItem(text, source, call.at, call.offset, uncertain)
