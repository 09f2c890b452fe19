"""The user's decisions: verdicts, memory candidates, titles, pins and hidden sessions.

Every decision is appended to a history and durable before a method returns. The current state is
computed from that history and kept in memory, so that lookups are cheap and never disagree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from ..model.candidate import Candidate
from ..model.decision import Decision, DecisionKind, Judgement, Personal, RecordKey
from ..model.evidence import Evidence
from ..model.timeline import Verdict
from ..text.folding import well_formed
from .history import DecisionsError, History, News
from .standing import Decided

__all__ = ["Decision", "Decisions", "DecisionsError", "Judgement", "Personal", "RecordKey"]

_BESIDE = ("candidate", "session_id", "source_sha256", "path", "decided_at")
"""Fields of a candidate that are stored in the columns of a decision, not in its value."""


class Decisions:
    """The decisions stored in a directory; for use by one thread.

    Nothing is created before the first decision. Reading never raises: problems are reported by
    `notice`, and the decisions already known stay in effect. `version` increases with every
    decision learned of. Methods that decide raise DecisionsError; repeating a decision adds
    nothing.
    """

    def __init__(self, directory: Path) -> None:
        self.version = 0
        self._history = History(directory)
        self._decided = Decided()
        self._senseless = ""
        self.refresh()

    @property
    def notice(self) -> str:
        """What is wrong, in a sentence; "" if nothing is."""
        return self._history.notice or self._senseless

    @property
    def is_whole(self) -> bool:
        """Whether every existing decision could be read; if not, `notice` says why."""
        return self._history.is_whole

    def refresh(self) -> bool:
        """Load decisions made by other programs; return whether there were any. Cheap if not."""
        return self._take(self._history.look())

    def close(self) -> None:
        """Close the file."""
        self._history.close()

    def judgement(
        self, key: RecordKey, *, path: Path | None = None, others: Collection[Path] = ()
    ) -> Judgement | None:
        """Return the verdict on a record of the transcript at `path`, or anywhere if None.

        As with `personal`, a verdict given at this path takes precedence; otherwise the last one at
        a path not in `others` counts. A copy's files may differ, so it does not inherit verdicts.
        """
        return self._decided.verdict(_plain_key(key), path, others).now

    def outdated(
        self, key: RecordKey, *, path: Path | None = None, others: Collection[Path] = ()
    ) -> Judgement | None:
        """Return the verdict on an earlier version of the record, if this version has none."""
        return self._decided.outdated(_plain_key(key), path, others)

    def judged(self, session: str) -> Mapping[str, frozenset[str]]:
        """Map event ids to the hashes of the records that have a verdict, at any path."""
        return self._decided.judged(well_formed(session))

    def candidates(self) -> list[Candidate]:
        """Return all candidates, oldest first."""
        return self._decided.candidates()

    def candidate(self, id: str) -> Candidate | None:
        """Return the candidate with this exact id, or None."""
        return self._decided.candidate(id).now

    def personal(self, session: str, path: Path, others: Collection[Path] = ()) -> Personal:
        """Return the decisions about a session whose transcript is at `path`.

        Decisions made at this path take precedence. Otherwise the last one at a path not in
        `others` counts, where `others` are the other existing transcripts with the same id: a
        renamed or moved transcript keeps its title, but a copy does not inherit it.
        """
        kinds: tuple[DecisionKind, ...] = ("title", "pin", "hide")
        session = well_formed(session)
        title, pin, hide = (self._decided.personal(kind, session, path, others) for kind in kinds)
        return Personal(title, bool(pin), bool(hide))

    def judge(
        self,
        key: RecordKey,
        path: Path,
        verdict: Verdict,
        note: str | None,
        evidence: Evidence | None,
        now: int,
        *,
        others: Collection[Path] = (),
    ) -> Judgement:
        """Set a verdict. A `note` of None keeps that of an equal verdict; a blank one clears it.

        The same verdict at another path is a separate decision.
        """
        key = _plain_key(key)

        def draft() -> Decision | None:
            before = self._decided.verdict(key, path, others).now
            same = before if before and before.verdict == verdict else None
            said = same.note if same and note is None else _words(note)
            if self._decided.is_judged(key, path, verdict, said):
                return None
            value = {
                "verdict": verdict,
                "note": said,
                "evidence": _plain(asdict(evidence)) if evidence else None,
            }
            return _verdict(key, path, now, value)

        self._decide(draft)
        judgement = self._decided.verdict(key, path, others).now
        assert judgement
        return judgement

    def take_back(
        self, key: RecordKey, path: Path, now: int, *, others: Collection[Path] = ()
    ) -> Judgement | None:
        """Undo the verdict in effect on a record; return the one that now is, or None."""
        key = _plain_key(key)

        def draft() -> Decision | None:
            last = self._decided.verdict(key, path, others).last
            return _verdict(key, path, now, None, undoes=last) if last else None

        self._decide(draft)
        return self._decided.verdict(key, path, others).now

    def propose(self, candidate: Candidate) -> Candidate:
        """Add a candidate. A known one is returned unchanged; a rejected one is proposed again."""
        id = well_formed(candidate.candidate)

        def draft() -> Decision | None:
            before = self._decided.candidate(id).now
            if before and before.status != "rejected":
                return None
            wanted = replace(candidate, candidate=id, status="proposed")
            value = _plain(asdict(wanted))
            for field in _BESIDE:
                del value[field]
            if before:
                value["created_at"] = before.created_at
            return _choice(wanted, candidate.created_at, value)

        return self._choose(id, draft)

    def settle(self, id: str, status: Literal["approved", "rejected"], now: int) -> Candidate:
        """Approve or reject a candidate. Raises KeyError if the id is unknown."""

        def draft() -> Decision | None:
            before = self._known(id)
            return None if before.status == status else _choice(before, now, {"status": status})

        return self._choose(id, draft)

    def edit(self, id: str, summary: str, reason: str, now: int) -> Candidate:
        """Change a candidate's summary and reason. Raises KeyError if the id is unknown."""
        value = _plain({"summary": summary, "selection_reason": reason})

        def draft() -> Decision | None:
            before = self._known(id)
            same = before == replace(before, **value)
            return None if same else _choice(before, now, value)

        return self._choose(id, draft)

    def undo(self, id: str, now: int) -> Candidate | None:
        """Undo the last decision on a candidate; None if it is still as proposed.

        Raises KeyError if the id is unknown.
        """
        undone = False

        def draft() -> Decision | None:
            nonlocal undone
            before, made = self._known(id), self._decided.candidate(id)
            undone = len(made) > 1
            return _choice(before, now, None, undoes=made.last) if undone else None

        candidate = self._choose(id, draft)
        return candidate if undone else None

    def set_title(self, session: str, path: Path, title: str | None, now: int) -> None:
        """Set the user's title of a session; None or blank restores the agent's title."""
        self._set("title", session, path, _words(title), now)

    def set_pinned(self, session: str, path: Path, pinned: bool, now: int) -> None:
        """Pin a session to the top, or unpin it."""
        self._set("pin", session, path, pinned, now)

    def set_hidden(self, session: str, path: Path, hidden: bool, now: int) -> None:
        """Hide a session, or show it again."""
        self._set("hide", session, path, hidden, now)

    def history(self) -> list[Decision]:
        """Return every decision ever made, oldest first, including those undone."""
        return self._history.all()

    def _set(self, kind: DecisionKind, session: str, path: Path, value: Any, now: int) -> None:
        session = well_formed(session)

        def draft() -> Decision | None:
            if self._decided.stands(kind, session, path, value):
                return None
            return Decision(0, now, "", kind, session, "", path, "", None, value)

        self._decide(draft)

    def _choose(self, id: str, draft: Callable[[], Decision | None]) -> Candidate:
        self._decide(draft)
        return self._known(id)

    def _known(self, id: str) -> Candidate:
        candidate = self.candidate(id)
        if candidate is None:
            raise KeyError(id)
        return candidate

    def _decide(self, draft: Callable[[], Decision | None]) -> None:
        """Load other programs' decisions, then store what `draft` returns, unless None."""
        if not self._history.is_begun and draft() is None:
            return

        def ask(news: News) -> Decision | None:
            self._take(news)
            return draft()

        made = self._history.decide(ask)
        if made:
            self._take(News(False, [made]))

    def _take(self, news: News) -> bool:
        if news.is_anew:
            self._decided = Decided()
        for decision in news.decisions:
            try:
                self._decided.take(decision)
            except (KeyError, TypeError, ValueError):
                self._senseless = f"Decision {decision.id} makes no sense and does not count."
        is_other = bool(news.decisions) or (news.is_anew and self.version > 0)
        self.version += len(news.decisions) or is_other
        return is_other


def _verdict(
    key: RecordKey, path: Path, now: int, value: Any, undoes: int | None = None
) -> Decision:
    return Decision(
        0, now, "", "verdict", key.session, key.event_id, path, key.sha256, undoes, value
    )


def _choice(candidate: Candidate, now: int, value: Any, undoes: int | None = None) -> Decision:
    return Decision(
        id=0,
        at=now,
        by="",
        kind="candidate",
        session=well_formed(candidate.session_id),
        subject=candidate.candidate,
        path=candidate.path,
        sha256=well_formed(candidate.source_sha256),
        undoes=undoes,
        value=value,
    )


def _plain_key(key: RecordKey) -> RecordKey:
    return RecordKey(*map(well_formed, (key.session, key.event_id, key.sha256)))


def _words(text: str | None) -> str | None:
    """Return the text in a form that can be stored; None if it is missing or blank."""
    return well_formed(text) if text and text.strip() else None


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: well_formed(value) if isinstance(value, str) else value
        for name, value in fields.items()
    }
