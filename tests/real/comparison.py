"""Holds what the program says to what is true. Pure: answers and truth in, checks out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .script import marker
from .truth import Fact, Transcript, Truth

Verdict = Literal["agreed", "unsure", "wrong"]
Json = Mapping[str, Any]

UNCERTAIN = "uncertain"
SEARCHED = "No recorded call accounts for it"
"""How an item says that its file was found in the session's directory."""

ENDED = ("completed", "failed")
ALIVE = ("working", "waiting")
"""What is never said of a dead session."""


@dataclass(frozen=True, slots=True)
class Check:
    """One statement of the program, held to the truth."""

    kind: str
    verdict: Verdict
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the screen showed of the open session."""

    status: str
    in_list: int
    """Uncertain actions, by the mark in the list."""
    in_tab: int
    """Uncertain actions, by the review tab."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What the program said of one session."""

    listed: Sequence[Json]
    """`list --why --children`, one second after the kill."""
    later: Sequence[Json] = ()
    """The same, asked after all the others."""
    actions: Sequence[Json] = ()
    show: Sequence[Json] = ()
    recover: Json = field(default_factory=dict)
    memory: Json = field(default_factory=dict)
    check: Sequence[Json] = ()
    shown: Shown | None = None
    resume: Json | None = None
    resumed: str | None = None
    """What the agent said to being resumed; "" where it worked, None where it was not tried."""

    def row(self, session: str) -> Json:
        """What the list said of a session one second after the kill."""
        return _row(self.listed, session)

    def last_row(self, session: str) -> Json:
        """What the list says of a session after that."""
        return _row(self.later or self.listed, session)

    def of(self, session: str) -> list[Json]:
        """The actions of a session."""
        return [one for one in self.actions if one["session"] == session]


def _row(listed: Sequence[Json], session: str) -> Json:
    return next((one for one in listed if one["session"] == session), {})


def compare(truth: Truth, answers: Answers) -> Iterator[Check]:
    """All checks of one session, one second after the kill."""
    for one in truth.transcripts:
        yield _status(one, answers, truth.was_killed)
        yield _counted(one, answers)
    if not truth.was_killed:
        return
    if answers.row(truth.main.session).get("status") != "unknown":
        yield from _open_and_ended(truth, answers)
    yield from _announced(truth, answers)
    yield from _invented(truth, answers)
    yield _memory(truth, answers)
    yield _integrity(truth, answers)
    yield _screen(truth, answers.last_row(truth.main.session), answers.shown)
    if answers.resume is not None:
        yield _resumption(answers)


def compare_later(truth: Truth, answers: Answers) -> Iterator[Check]:
    """The checks of a session that was `unknown` at first, once its agent has been silent."""
    check = _status(truth.main, answers, truth.was_killed)
    yield replace(check, kind="status after a minute")
    yield from _open_and_ended(truth, answers)


def _open_and_ended(truth: Truth, answers: Answers) -> Iterator[Check]:
    for fact in truth.facts:
        yield from _recorded(fact, answers)
        yield from _suggested(fact, answers)
    yield _recovery(truth, answers)
    yield _timeline(truth, answers)


def _status(one: Transcript, answers: Answers, was_killed: bool) -> Check:
    row = answers.row(one.session)
    status, name = row.get("status", "not listed"), one.session
    detail = f"{name} is {status}: {row.get('why', '')}"
    kind = "sub-agents" if one.parent else "status"
    if not was_killed or one.is_finished:
        is_right = status in ("done", "crashed") if was_killed else status == "done"
        return Check(kind, "agreed" if is_right else "wrong", detail)
    right = {"crashed": "agreed", "unknown": "unsure", "empty": "unsure"}
    return Check(kind, right.get(status, "wrong"), detail)  # type: ignore[arg-type]


def _counted(one: Transcript, answers: Answers) -> Check:
    """The list counts what `actions` lists, but for files that only a search can find."""
    row = answers.last_row(one.session)
    items = [a for a in answers.of(one.session) if a["state"] == UNCERTAIN and not a["verdict"]]
    searched = [a for a in items if SEARCHED in ((a["evidence"] or {}).get("reason") or "")]
    listed, detail = row.get("uncertain"), f"{one.session}: {row.get('uncertain')}, {len(items)}"
    if listed == len(items) - len(searched) or row.get("status") == "unknown":
        return Check("counts", "unsure" if searched else "agreed", detail)
    return Check("counts", "agreed" if listed == len(items) else "wrong", detail)


def _action(fact: Fact, answers: Answers) -> Json | None:
    call = fact.operation.call
    return next((a for a in answers.of(fact.session) if a["call_id"] == call), None)


def _recorded(fact: Fact, answers: Answers) -> Iterator[Check]:
    """A call with a result is at its end, one without is open."""
    if fact.record == "none":
        return
    action = _action(fact, answers)
    state = action["state"] if action else "missing"
    detail = f"{fact.operation.call} is {state}, {fact.record} on record"
    if fact.record == "done":
        yield Check("completed calls", "agreed" if state in ENDED else "wrong", detail)
    else:
        right = {UNCERTAIN: "agreed", "running": "unsure"}
        yield Check("open calls", right.get(state, "wrong"), detail)  # type: ignore[arg-type]


def _suggested(fact: Fact, answers: Answers) -> Iterator[Check]:
    """The suggestion for an open change agrees with the file, or is honest about not knowing."""
    if fact.record != "open" or not fact.is_settled:
        return
    if fact.operation.kind not in ("edit", "write"):
        return
    action = _action(fact, answers) or {}
    evidence = action.get("evidence") or {}
    says = evidence.get("suggests", "nothing")
    yield Check("suggestions", _judged(fact, says), f"{_words(fact)}: {says}, {evidence}")


def _judged(fact: Fact, says: str) -> Verdict:
    if says == "applied" and fact.effect in ("not-applied", "neither"):
        return "wrong"
    if says == "not-applied" and fact.effect == "applied":
        return "wrong"
    if fact.effect in ("applied", "not-applied"):
        return "agreed" if says == fact.effect else "unsure"
    return "unsure" if says in ("applied", "not-applied", "nothing") else "agreed"


def _words(fact: Fact) -> str:
    one = fact.operation
    return f"{one.kind} {one.call} of {one.path} (on disk: {fact.effect})"


def _announced(truth: Truth, answers: Answers) -> Iterator[Check]:
    """An effect without a record has an item with its file, where the transcript was cut."""
    sessions = {one.session: one for one in truth.transcripts}
    items = {a["path"] for a in answers.actions if _is_effect(a) and a["session"] in sessions}
    for fact in truth.unrecorded:
        is_knowable = any(one.is_cut for one in truth.transcripts) or any(
            str(fact.operation.path) in one.named for one in truth.transcripts
        )
        why = [answers.row(session).get("why", "") for session in sessions]
        detail = f"{_words(fact)}: items {sorted(items)}, why {why}"
        if str(fact.operation.path) in items:
            yield Check("unrecorded effects", "agreed")
        elif any("cut" in text for text in why):
            yield Check("unrecorded effects", "unsure", detail)
        elif is_knowable:
            yield Check("unrecorded effects", "wrong", detail)
        else:
            yield Check("unrecorded, unknowable", "unsure", detail)


def _is_effect(action: Json) -> bool:
    return str(action["action"]).startswith("effect:")


def _invented(truth: Truth, answers: Answers) -> Iterator[Check]:
    """An item names no file that only recorded calls, or nobody, changed."""
    sessions = {one.session for one in truth.transcripts}
    possible = {
        str(fact.operation.path): fact
        for fact in truth.facts
        if fact.record == "none" and fact.could_run and fact.operation.changes
    }
    for action in answers.actions:
        if not _is_effect(action) or action["session"] not in sessions:
            continue
        fact = possible.get(action["path"])
        if fact is None:
            yield Check("named effects", "wrong", f"no unrecorded call changed {action['path']}")
        else:
            says = (action["evidence"] or {}).get("suggests")
            is_false = says == "applied" and fact.effect != "applied"
            yield Check("named effects", "wrong" if is_false else "agreed", f"{action}")


def _recovery(truth: Truth, answers: Answers) -> Check:
    """Recovery has the open and the ended calls."""
    recover, calls = answers.recover, truth.main.calls
    states = {state: {c for c, s in calls.items() if s == state} for state in calls.values()}
    unfinished = [*(recover.get(UNCERTAIN) or []), *(recover.get("running") or [])]
    opened = {action["call_id"] for action in unfinished if action["call_id"]}
    ended = {*(recover.get("completed") or []), *(recover.get("failed") or [])}
    differing = (opened ^ states.get("open", set())) | (ended ^ states.get("done", set()))
    return Check("recover", "wrong" if differing else "agreed", f"{sorted(differing)} differ")


def _timeline(truth: Truth, answers: Answers) -> Check:
    """The timeline has each call once, in the state that `actions` gives it."""
    session = truth.main.session
    shown = {e["call_id"]: e["state"] for e in answers.show if e["kind"] == "call"}
    listed = {a["call_id"]: a["state"] for a in answers.of(session) if a["call_id"]}
    differing = sorted(c for c in {*shown, *listed} if shown.get(c) != listed.get(c))
    missing = sorted(set(truth.main.calls) - set(shown))
    detail = f"differ from actions: {differing}, missing: {missing}"
    return Check("show", "wrong" if differing or missing else "agreed", detail)


def _memory(truth: Truth, answers: Answers) -> Check:
    """The goal is the prompt, every source is an event, and no open call is completed work."""
    memory = answers.memory
    goal = (memory.get("current_goal") or {}).get("text", "")
    events = {event["event_id"] for event in answers.show}
    opened = {a["action"] for a in answers.of(truth.main.session) if a["state"] == UNCERTAIN}
    names = ("completed_work", "key_decisions", "failed_attempts", "todo_items")
    items = [item for name in names for item in memory.get(name) or []]
    strange = [i for i in items if i["source"]["start_event_id"] not in events]
    done = [i for i in memory.get("completed_work") or [] if i["source"]["end_event_id"] in opened]
    is_right = marker(truth.name) in goal and not strange and not done
    detail = f"goal {goal!r}, unknown sources {strange}, open calls as done {done}"
    return Check("memory", "agreed" if is_right else "wrong", detail)


def _integrity(truth: Truth, answers: Answers) -> Check:
    """A kill tears a line at most."""
    torn = {one.session for one in truth.transcripts if one.is_torn}
    bad = [
        one["integrity"]
        for one in answers.check
        if one["integrity"]["state"] != ("partial-tail" if one["session"] in torn else "ok")
    ]
    is_right = not bad and bool(answers.check)
    return Check("check", "agreed" if is_right else "wrong", f"{bad}")


def shown_for(row: Json) -> Shown:
    """What the screen has to show of a session, by its row of `list`."""
    own = row.get("uncertain", 0)
    return Shown(row.get("status", ""), own + row.get("children_uncertain", 0), own)


def _screen(truth: Truth, row: Json, shown: Shown | None) -> Check:
    """Header, list and tab say what the commands say; the list adds the sub-agents' actions."""
    wanted = shown_for(row)
    is_right = shown == wanted
    detail = f"{truth.main.session}: {shown}, by the commands {wanted}"
    return Check("screen", "agreed" if is_right else "wrong", detail)


def _resumption(answers: Answers) -> Check:
    """The agent takes the command, or the user was told beforehand why not."""
    offer = answers.resume or {}
    warned = bool(offer.get("refusal") or offer.get("warnings"))
    detail = f"the agent said {answers.resumed!r}, warned beforehand: {warned}"
    if answers.resumed is None:
        return Check("resume", "agreed" if warned else "wrong", f"no command: {offer}")
    if answers.resumed == "":
        return Check("resume", "agreed", detail)
    return Check("resume", "agreed" if warned else "wrong", detail)
