"""A program that does nothing but decide, and says what it was told is kept.

`python decider.py DIRECTORY NAME FIRST LAST` makes the decisions of NAME from number FIRST on,
and is killed when LAST is kept and not yet confirmed. Then it is started again with the first one
that it did not confirm. As that may have been kept all the same, it looks, as a person would,
before it undoes anything.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sessions_tui.storage.decisions.decisions import Decisions, RecordKey
from sessions_tui.storage.model.candidate import Candidate
from sessions_tui.storage.model.evidence import Evidence

ROUNDS = 50

SHARED = "shared"
"""The session with candidates that every program proposes; each is to be there once."""

EVIDENCE = Evidence("unknown", "Bash cannot be looked at.", None, False, None, None, None, 1)


class Step(NamedTuple):
    """One decision, no other has its time; and whether what it undoes is undone already."""

    at: int
    decide: Callable[[Decisions], object]
    is_so: Callable[[Decisions], bool] = lambda decisions: False


def steps(name: str) -> list[Step]:
    """All decisions of a program, of every kind."""
    first = 1_000_000 * (ord(name[0]) - ord("a") + 1)
    return [step for number in range(ROUNDS) for step in _round(name, number, first + number * 100)]


def _round(name: str, number: int, at: int) -> list[Step]:
    key = RecordKey(name, f"transcript:{name}:{number}", f"{number:064}")
    path = Path(f"/store/{name}.jsonl")
    own = candidate(name, number, at + 3)
    id, words = own.candidate, f"better than {number}"

    def judgement(decisions: Decisions) -> str | None:
        found = decisions.judgement(key)
        return found.verdict if found else None

    def summary(decisions: Decisions) -> str:
        found = decisions.candidate(id)
        return found.summary if found else ""

    last = (
        Step(at + 9, lambda d: d.set_hidden(f"{name}{number}", path, True, at + 9))
        if number % 2
        else Step(1 + number, lambda d: d.propose(candidate(SHARED, number, 1 + number)))
    )
    return [
        Step(at, lambda d: d.judge(key, path, "verified", "seen", None, at)),
        Step(at + 1, lambda d: d.judge(key, path, "partial", "half\0", EVIDENCE, at + 1)),
        Step(
            at + 2,
            lambda d: d.take_back(key, path, at + 2),
            lambda d: judgement(d) == "verified",
        ),
        Step(at + 3, lambda d: d.propose(own)),
        Step(at + 4, lambda d: d.settle(id, "approved", at + 4)),
        Step(at + 5, lambda d: d.edit(id, words, "it counts", at + 5)),
        Step(at + 6, lambda d: d.undo(id, at + 6), lambda d: summary(d) != words),
        Step(at + 7, lambda d: d.set_title(name, path, f"title {number}", at + 7)),
        Step(at + 8, lambda d: d.set_pinned(name, path, number % 2 == 0, at + 8)),
        last,
    ]


def candidate(session: str, number: int, at: int) -> Candidate:
    """What is proposed in a round."""
    return Candidate(
        candidate=f"c-{session}-{number}",
        source_id=f"transcript:{session}:{number}",
        session_id=session,
        sequence=number,
        event_type="message",
        captured_at=1,
        summary=f"remember {number}",
        selection_reason="it counts",
        status="proposed",
        created_at=at,
        decided_at=None,
        path=Path(f"/store/{session}.jsonl"),
        source_sha256="0" * 64,
    )


def main(directory: str, name: str, first: int, last: int) -> None:
    """Decide, one after another."""
    with closing(Decisions(Path(directory))) as decisions:
        for number, step in enumerate(steps(name)[first:], first):
            if number > first or not step.is_so(decisions):
                step.decide(decisions)
            if number == last:
                os.kill(os.getpid(), signal.SIGKILL)
            print(f"kept {number}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
