"""One agent as a process: `python -m tests.soak.writing STORE NUMBER OF SEED RATE LOG`.

It writes its sessions until it is told `end` on its standard input, ends in the way of its part,
and then stays, silent but alive, until its input ends. What it wrote, and when, it logs: the soak
holds only the times to it, never the truth.
"""

from __future__ import annotations

import copy
import json
import os
import random
import select
import socket
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

from tests.agents.steps import Prose, Step, steps
from tests.agents.writers import WRITERS, Writer

from .parts import Part, cast

BEAT_EVERY = 15.0
"""Seconds between two heartbeats in the registry."""

NOW_AND_THEN = 25
"""Steps between two of its ways, about."""

SESSIONS, SUB_AGENTS = 4, 5
"""What one agent begins of each, at most: the list shows all of them at once."""

LARGE = 250_000
"""Bytes of a large output."""


class Registered:
    """The process in the registry of its home, with a heartbeat; nothing where it has none."""

    def __init__(self, home: Path | None) -> None:
        self._path = home / "sessions" / f"{os.getpid()}.json" if home else None
        self._started = _now()
        self._session = ""
        self._next = 0.0

    def beat(self, session: str = "") -> None:
        """Say that it is alive, where that is due, or with another session."""
        if self._path and (session or time.monotonic() >= self._next):
            self._session = session or self._session
            self._next = time.monotonic() + BEAT_EVERY
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(self._entry(), indent=2))

    def leave(self) -> None:
        """Take it out, as agents do that are left."""
        if self._path:
            self._path.unlink(missing_ok=True)

    def _entry(self) -> dict[str, Any]:
        who = {"pid": os.getpid(), "sessionId": self._session, "kind": "interactive"}
        where = {"hostname": socket.gethostname(), "cwd": "/home/dev/code"}
        return who | where | {"startedAt": self._started, "lastHeartbeat": _now()}


class File:
    """A transcript that is written to, well or badly."""

    def __init__(self, path: Path, writer: Writer, agent: Agent) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.writer = writer
        self._agent = agent
        self._file = path.open("ab", buffering=0)
        writer.pause = 2

    def write(self, step: Step, title: str = "") -> None:
        """Write a step with a token of its own."""
        token = self._agent.token()
        data = self._lines(_marked(step, token, title))
        lines = data.count(b"\n")
        way = self._agent.way("torn", "late") if data else ""
        if way == "torn":
            cut = self._agent.rng.randrange(1, len(data))
            self._file.write(data[:cut])
            time.sleep(self._agent.rng.uniform(0.01, 0.08))
            data = data[cut:]
        elif way == "late":
            self._file.write(data[:-1])
            time.sleep(0.01)
            data = b"\n"
        self._file.write(data)
        self._agent.wrote(self.path, token, step, lines)

    def fail(self) -> None:
        """Write a batch of records, the last of them not whole, and cut them off again."""
        before, size = copy.deepcopy(self.writer), self.path.stat().st_size
        batch = b"".join(self._lines(_marked(NOISE, self._agent.token(), "")) for _ in range(3))
        self._file.write(batch[: -self._agent.rng.randrange(2, 90)])
        time.sleep(self._agent.rng.choice((0.0, 0.02, 0.15)))
        os.truncate(self.path, size)
        self.writer = before

    def tear(self) -> None:
        """Leave a line without its end."""
        self._file.write(self._lines(NOISE)[:-30])

    def replace(self) -> None:
        """Write the file anew under its name, as tools do that clean up."""
        self._file.close()
        anew = self.path.with_suffix(".rewritten")
        anew.write_bytes(self.path.read_bytes())
        anew.replace(self.path)
        self._file = self.path.open("ab", buffering=0)

    def _lines(self, step: Step) -> bytes:
        self.writer.now = max(self.writer.now, _now() - 1)
        return self.writer.lines(step)


class Agent:
    """Writes sessions of one part until it is told to end."""

    def __init__(self, part: Part, store: Path, rng: random.Random, rate: float, log: Path) -> None:
        self.part, self.rng = part, rng
        self._store, self._rate = store, rate
        self._log = log.open("w", buffering=1)
        self._registered = Registered(store / part.home if part.is_registered else None)
        self._prose = Prose(rng)
        self._tokens = count(1)
        self._ends = False
        self._due = time.monotonic()
        self._children = iter(range(1, SUB_AGENTS + 1))

    def run(self) -> None:
        """Write; then stay until nobody listens any more."""
        for session in count(1):
            if self._session(session):
                break
        self._tell(rested=True)
        while True:
            self._listen(1.0)
            self._registered.beat()

    def token(self) -> str:
        """A word that stands in one record and nowhere else."""
        return f"tok{self.part.number:02d}-{next(self._tokens):06d}"

    def way(self, *ways: str) -> str:
        """One of some ways, where it is among the agent's and its time has come."""
        mine = [way for way in ways if way in self.part.ways]
        return mine[0] if mine and self.rng.random() < 6 / NOW_AND_THEN else ""

    def wrote(self, path: Path, token: str, step: Step, lines: int) -> None:
        """Log it, then wait as long as it takes to write no faster than told."""
        self._tell(path=str(path), token=token, kind=step.kind)
        self._due += sum(self.rng.expovariate(self._rate) for _ in range(lines))
        self._due = max(self._due, time.monotonic() - 1)
        while (left := self._due - time.monotonic()) > 0:
            self._listen(left)
            self._registered.beat()

    def _session(self, number: int) -> bool:
        """Write a session to its end; whether it was the last."""
        part, title = self.part, self.part.title(number)
        writer = self._writer(part.session(number))
        file = File(part.transcript(self._store, number), writer, self)
        self._registered.beat(part.session(number))
        last = "anew" not in part.ways or number == SESSIONS
        for at, step in enumerate(steps(self._prose, title)):
            file.write(self._grown(step), "" if at else title)
            if step.kind == "thought" and at > 3:
                self._behave(file, number)
            if self._ends and (step.final or part.ending == "killed"):
                self._end(file)
                return True
            if step.final and not last and self.rng.random() < 4 / NOW_AND_THEN:
                return False
        return True

    def _behave(self, file: File, session: int) -> None:
        """Do one of the things that agents do now and then."""
        ways = ("cut", "replaced", "broken", "agents")
        mine = [way for way in ways if way in self.part.ways]
        if not mine or self.rng.random() > 4 / NOW_AND_THEN:
            return
        match self.rng.choice(mine):
            case "cut":
                file.fail()
            case "replaced":
                file.replace()
            case "broken":
                file.tear()
                file.write(NOISE)
            case "agents":
                if child := next(self._children, 0):
                    self._delegate(file, session, child)

    def _delegate(self, file: File, session: int, number: int) -> None:
        """Have a sub-agent do something while its parent waits."""
        tool = "Task" if self.part.dialect == "mycodeagent" else "Agent"
        inner, path = self.part.sub_agent(self._store, session, number)
        file.write(Step("call", tool=tool, args={"description": "Look around"}))
        child, title = File(path, self._writer(inner), self), f"Agent of {self.part.title(session)}"
        for at, step in enumerate(steps(self._prose, title)):
            child.write(step, "" if at else title)
            if step.final and at > 5:
                break
        file.write(Step("result", "It looked around.", tool))

    def _end(self, file: File) -> None:
        """Leave the session as the part demands."""
        ending = self.part.ending
        if ending in ("call", "question", "killed"):
            file.write(Step("prompt", "And one more thing."))
            tool = {"question": "AskUserQuestion", "killed": "Edit"}.get(ending, "Bash")
            file.write(Step("call", tool=tool, args={"question": "Which?", "file_path": "a.py"}))
        elif ending == "torn":
            file.tear()

    def _writer(self, session: str) -> Writer:
        return WRITERS[self.part.dialect](self.rng, session, "/home/dev/code", _now())

    def _grown(self, step: Step) -> Step:
        if (
            step.kind != "result"
            or "large" not in self.part.ways
            or self.rng.random() > 1 / NOW_AND_THEN
        ):
            return step
        return step._replace(text=step.text * (1 + LARGE // len(step.text)))

    def _listen(self, seconds: float) -> None:
        """Wait for what one is told; leave where nobody will tell anything any more."""
        if not select.select([sys.stdin], [], [], seconds)[0]:
            return
        if not os.read(0, 100):
            self._registered.leave()
            sys.exit()
        self._ends = True

    def _tell(self, **said: Any) -> None:
        self._log.write(json.dumps({"at": time.monotonic(), **said}) + "\n")


NOISE = Step("answer", "So far so good, and there is more to be said about what comes next here.")


def _marked(step: Step, token: str, title: str) -> Step:
    """The step with a token where a row shows it."""
    if step.kind in ("title", "snapshot"):
        return step
    if step.kind in ("call", "result"):
        shown = {"file_path": f"src/{token}.py", "command": f"run {token}", "pattern": token}
        args = {name: shown.get(name, value) for name, value in step.args.items()}
        args = args if args.keys() & shown.keys() else args | {"description": token}
        return step._replace(args=args, text=f"{token} {step.text}")
    return step._replace(text=f"{title} {token} {step.text}".strip())


def _now() -> int:
    return int(time.time() * 1000)


def main(words: list[str]) -> None:
    """Be one agent of a cast."""
    store, number, of, seed, rate, log = words
    part = cast(int(of))[int(number)]
    rng = random.Random(f"{seed}-{number}")
    Agent(part, Path(store), rng, float(rate), Path(log)).run()


if __name__ == "__main__":
    main(sys.argv[1:])
