"""Carries out the user's decisions and posts the outcome of each.

A confirmation is posted only after the decision was stored durably.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Literal

from ...storage.candidates.eligibility import refusal_of
from ...storage.candidates.export import Form, checked, write
from ...storage.candidates.proposals import Refused, proposal, shown_text
from ...storage.decisions.decisions import DecisionsError, RecordKey
from ...storage.library.locate import events_with
from ...storage.model.candidate import Candidate, Sourced
from ...storage.model.case import Case
from ...storage.model.event import Event
from ...storage.model.session import Session
from ...storage.model.timeline import Verdict
from ...storage.records.digest import digest
from ...storage.review.cases import Review, cases_of, key_of_case
from ...storage.text.folding import well_formed
from ...storage.transcript.continuations import place
from ...storage.transcript.parts import Parts
from ...storage.transcript.transcript import Transcript
from ...widgets.words.agent_note import agent_note
from ...widgets.words.amounts import count
from ...widgets.words.cases import DECIDED
from ..output.candidate_shapes import told
from .context import Context
from .messages import DecisionOutcome, EligibleEvent, EligibleEvents, ExportText
from .requests import Subject
from .tasks import (
    CheckEligibility,
    Edit,
    ExportApproved,
    Hide,
    Judge,
    PauseReading,
    Pin,
    Propose,
    SetTitle,
    Settle,
    TakeBack,
    Task,
    Undo,
    WriteNote,
)


class DecisionWorker:
    """Carry out tasks; used by the feed's thread only."""

    def __init__(self, context: Context) -> None:
        self._library = context.library
        self._decisions = context.decisions
        self._post = context.post
        self._now = context.now

    def carry_out(self, task: Task) -> None:
        """Carry out a task; post the reason if it cannot be done."""
        try:
            self._do(task)
        except (DecisionsError, Refused) as error:
            self._say(str(error), serious=True)
        except OSError as error:
            name = error.filename or "The transcript"
            self._say(f"{name} cannot be used: {error.strerror or error}", serious=True)

    def _do(self, task: Task) -> None:
        match task:
            case Judge(cases, verdict, note):
                self._judge(cases, verdict, note)
            case TakeBack(cases):
                self._take_back(cases)
            case CheckEligibility(path, addresses):
                self._check_eligibility(path, addresses)
            case Propose(event, summary, reason):
                self._propose(event, summary, reason)
            case Settle(items, status):
                self._settle(items, status)
            case Edit(candidate, summary, reason):
                self._edit(candidate, summary, reason)
            case Undo(items):
                self._undo(items)
            case ExportApproved(subject, form, path):
                self._export(subject, form, path)
            case SetTitle(path, title):
                self._set_title(path, title)
            case Pin(path, pinned):
                self._pin(path, pinned)
            case Hide(path, hidden):
                self._hide(path, hidden)
            case WriteNote(session, note):
                self._write_note(session, note)
            case PauseReading(until):
                until.wait()

    # The note for the agent that resumes a session.

    def _write_note(self, session: Session, answer: Future[str]) -> None:
        note = ""
        try:
            parts = Parts([self._library.transcript(path) for path in session.paths])
            cases = [
                case
                for part in reversed(range(len(parts.transcripts)))
                for case in self._cases(parts, part, session)
            ]
            note = agent_note(cases, self._now())
        finally:
            if answer.set_running_or_notify_cancel():  # False if the dialog stopped waiting
                answer.set_result(note)

    def _cases(self, parts: Parts, part: int, session: Session) -> Iterator[Case]:
        others = self._library.namesakes(parts.paths[part])
        review = Review(self._decisions, self._now(), review_days=0, others=others)
        return cases_of(parts.transcripts[part], session, review, parts.ties(part))

    # Verdicts.

    def _judge(self, cases: Sequence[Case], verdict: Verdict, note: str) -> None:
        self._decisions.refresh()
        for case in cases:
            self._check(case)
        for case in cases:
            evidence, others = case.action.evidence, self._library.namesakes(case.path)
            key, now = _key(case), self._now()
            self._decisions.judge(key, case.path, verdict, note, evidence, now, others=others)
        self._say(f"Marked {_named(cases)} as {DECIDED[verdict].text}. backspace: undo")

    def _check(self, case: Case) -> None:
        """Raise `Refused` if the case has changed since it was shown."""
        action, transcript = case.action, self._library.transcript(case.path)
        others = self._library.namesakes(case.path)
        judgement = self._decisions.judgement(_key(case), path=case.path, others=others)
        if (now := judgement.verdict if judgement else None) != action.verdict:
            told = DECIDED[now].text if now else "undone"
            raise Refused(f"{_named([case])} was already decided in another window: {told}.")
        if action.found:
            if transcript.facts.responses.cut is None:
                raise Refused(f"{_named([case])}: its session went on; nothing was kept.")
            return
        open_calls = (call for calls in transcript.folds.pairing.open.values() for call in calls)
        is_open = any(call.event_id == action.action for call in open_calls)
        if not is_open and action.offset < transcript.fingerprint.offset:
            raise Refused(f"{_named([case])} has a result by now; nothing was kept.")

    def _take_back(self, cases: Sequence[Case]) -> None:
        decided = [case for case in cases if case.action.verdict]
        for case in decided:
            others = self._library.namesakes(case.path)
            self._decisions.take_back(_key(case), case.path, self._now(), others=others)
        self._say(f"Undone: {_named(decided)}" if decided else "Nothing to undo")

    # Candidates.

    def _check_eligibility(self, path: Path, addresses: Sequence[int]) -> None:
        parts, refused = self._library.parts(path), list[str]()
        eligible: list[EligibleEvent] = []
        for part, offset in map(place, addresses):
            path = parts[min(part, len(parts) - 1)]
            transcript = self._library.transcript(path)
            event = _event_at(transcript, offset)
            if event is None:
                refused.append("its session is still being read; try again in a moment")
            elif why := refusal_of(event, transcript.integrity()):
                refused.append(why)
            elif one := _eligible(path, event):
                eligible.append(one)
        self._post(
            EligibleEvents(eligible, f"Can't be remembered: {refused[0]}" if refused else "")
        )

    def _propose(self, event: EligibleEvent, summary: str, reason: str) -> None:
        transcript = self._library.transcript(event.path)
        found = next(iter(events_with(transcript, event.event_id)), None)
        if found is None or _digest(event.path, found) != event.sha256:
            raise Refused(f"{event.event_id} has changed since it was shown; nothing was kept.")
        candidate = proposal(transcript, found, summary, reason, self._now())
        kept = self._decisions.propose(candidate)
        self._say(f"{kept.status.capitalize()}: {kept.summary}. F3 shows all candidates")

    def _settle(self, items: Sequence[Sourced], status: Literal["approved", "rejected"]) -> None:
        for item in items:
            self._decisions.settle(item.candidate.candidate, status, self._now())
        self._say(f"{count(len(items), 'candidate')} {status}. backspace: undo")

    def _edit(self, candidate: Candidate, summary: str, reason: str) -> None:
        self._decisions.edit(candidate.candidate, summary, reason, self._now())
        self._say("Saved")

    def _undo(self, items: Sequence[Sourced]) -> None:
        done = [self._decisions.undo(item.candidate.candidate, self._now()) for item in items]
        undone = [candidate for candidate in done if candidate]
        self._say(
            f"Undone: {count(len(undone), 'candidate')}" if undone else "Nothing to undo. x: reject"
        )

    def _export(self, subject: Subject, form: Form, path: Path | None) -> None:
        candidates = self._decisions.candidates()
        if isinstance(subject, Path):
            ids = {self._session(part) for part in self._library.parts(subject)}
            candidates = [one for one in candidates if one.session_id in ids]
        approved, refusals = checked(self._library, candidates)
        text, number = told(approved, form), count(len(approved), "approved candidate")
        left = f"; {refusals[0]}" if refusals else ""
        if path is None:
            self._post(ExportText(text, number, left))
        else:
            write(path.resolve(), text)
            self._say(f"{number} in {path}{left}", serious=bool(refusals))

    # Sessions.

    def _set_title(self, path: Path, title: str | None) -> None:
        for part in self._parts(path, bool(title)):
            self._decisions.set_title(self._session(part), part, title, self._now())
        self._say("Title saved" if title else "Restored the agent's title")

    def _pin(self, path: Path, pinned: bool) -> None:
        for part in self._parts(path, pinned):
            self._decisions.set_pinned(self._session(part), part, pinned, self._now())
        self._say("Pinned to the top" if pinned else "Unpinned")

    def _hide(self, path: Path, hidden: bool) -> None:
        for part in self._parts(path, hidden):
            self._decisions.set_hidden(self._session(part), part, hidden, self._now())
        self._say("Hidden; the filter status:hidden shows it" if hidden else "Shown again")

    # Inside.

    def _parts(self, path: Path, is_made: bool) -> list[Path]:
        """Return the parts to store a decision for: the newest, or all when it is taken back."""
        parts = self._library.parts(path)
        return parts[-1:] if is_made else parts

    def _session(self, path: Path) -> str:
        file = self._library.file(path)
        if file is None:
            raise Refused(f"{path} is gone.")
        return well_formed(file.session)

    def _say(self, sentence: str, serious: bool = False) -> None:
        self._post(DecisionOutcome(sentence, serious))


def _key(case: Case) -> RecordKey:
    """Return the key of the record that a verdict applies to; raise `Refused` if it has none."""
    if (key := key_of_case(case)) is None:
        raise Refused(f"{case.action.tool} has no event id, so nothing can be kept of it.")
    return key


def _named(cases: Sequence[Case]) -> str:
    if len(cases) != 1:
        return count(len(cases), "action")
    action = cases[0].action
    name = Path(action.path).name if action.path else ""
    return f"{action.tool} {name}".strip()


def _event_at(transcript: Transcript, offset: int) -> Event | None:
    """Return the event of the record at an offset; None if it has not been read yet."""
    index = transcript.positions.index_of(offset)
    return None if index is None else transcript.event(index)


def _eligible(path: Path, event: Event) -> EligibleEvent | None:
    if event.event_id is None or event.at is None:
        return None
    sha256 = _digest(path, event)
    return EligibleEvent(path, event.event_id, sha256, event.at, event.kind, shown_text(event))


def _digest(path: Path, event: Event) -> str:
    return digest(path, event.place.offset, event.place.size)
