"""Kills an agent at the moment that a script names, and asks the program what it knows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from .agent import Agent, Home
from .comparison import Answers, Check, compare, compare_later
from .model import Model
from .program import Program
from .questions import ask
from .scenarios import Scenario, script_of
from .script import Operation, Script
from .truth import Transcript, Truth, contents, facts

LATEST = 1.0
"""Seconds after the kill at which the list is asked."""

SILENCE = 62.0
"""Seconds after which an agent that nobody sees counts as dead, and two more."""

PATIENCE = 180.0
"""Seconds that a session may take to its moment."""


@dataclass(frozen=True, slots=True)
class Kill:
    """One session, and what came of it."""

    script: Script
    was_killed: bool
    checks: tuple[Check, ...]
    is_again: bool = False
    """Whether these are further checks of a kill that was counted."""


class Lane:
    """One scenario with one seed: a session directory in which session after session is killed."""

    def __init__(self, agent: Agent, scenario: Scenario, seed: int, folder: Path) -> None:
        self._scenario, self._seed = scenario, seed
        self._folder = folder / f"{agent.name}-{scenario.name}-{seed}"
        self._model, self._resumes = Model(), agent.resumes
        self._unknown: list[tuple[Script, Truth]] = []
        self._home: Home = agent.home(self._folder, self._model.url, scenario)
        self._program = Program(self._home.roots, self._folder / "program", self._home.environment)

    def run(self, count: int) -> Iterator[Kill]:
        """Kill until that many sessions were killed; some end by themselves before."""
        killed = 0
        try:
            for number in range(2 * count):
                if killed == count:
                    break
                kill = self._kill(number)
                if kill:
                    killed += kill.was_killed
                    yield kill
            yield from self._later()
        finally:
            self._model.close()

    def _kill(self, number: int) -> Kill | None:
        script = script_of(self._scenario, self._seed, number, self._home.projects)
        script.prepare()
        self._model.script(
            script.conversations, lambda one: self._home.translate(one, script.project)
        )
        process = self._home.start(script)
        try:
            was_killed = self._wait_and_kill(script, process)
        finally:
            end(process)
        died, operations = time.monotonic(), list(script.operations())
        before = contents(operations)
        transcripts = self._home.transcripts(script)
        if not transcripts:
            return None  # killed before anything was on disk
        time.sleep(max(0.0, died + LATEST - time.monotonic()))
        answers = ask(self._program, script.name, transcripts[0].session)
        after = contents(operations)
        if self._resumes and was_killed:
            answers = self._resume(script, transcripts[0], answers)
        found = facts(operations, transcripts, before, after, self._was_sent(script))
        truth = Truth(script.name, transcripts[0], transcripts[1:], found, was_killed)
        checks = tuple(compare(truth, answers))
        if was_killed and answers.row(truth.main.session).get("status") == "unknown":
            self._unknown.append((script, truth))
        self._keep(script.name, truth, answers, checks)
        return Kill(script, was_killed, checks)

    def _later(self) -> Iterator[Kill]:
        """Ask again about sessions of which nobody could say at once that they are dead."""
        if not self._unknown:
            return
        time.sleep(SILENCE)
        for script, truth in self._unknown:
            answers = ask(self._program, script.name, truth.main.session, on_screen=False)
            truth = _as_of_now(truth)
            checks = tuple(compare_later(truth, answers))
            self._keep(script.name + "-later", truth, answers, checks)
            yield Kill(script, True, checks, is_again=True)

    def _wait_and_kill(self, script: Script, process: subprocess.Popen[bytes]) -> bool:
        moment, latest = script.moment, time.monotonic() + PATIENCE
        at = None
        if moment:
            goes_on = lambda: process.poll() is None and time.monotonic() < latest  # noqa: E731
            at = self._model.wait(moment.conversation, moment.turn, moment.instant, goes_on)
        if moment and at is not None:
            try:
                process.wait(max(0.0, at + moment.delay - time.monotonic()))
            except subprocess.TimeoutExpired:
                kill(process, script.whole_group)
                return True
        process.wait(PATIENCE)
        return False

    def _was_sent(self, script: Script) -> _Sent:
        return _Sent(script, self._model)

    def _resume(self, script: Script, main: Transcript, answers: Answers) -> Answers:
        """Run what the program offers. The model has nothing more to say."""
        self._model.script({script.name: ()}, lambda one: self._home.translate(one, script.project))
        offer = self._program.ask("resume", main.session, "--dry-run", "--json").json() or {}
        said = self._home.resume(script, offer) if offer.get("command") else None
        return replace(answers, resume=offer, resumed=said)

    def _keep(self, name: str, truth: Truth, answers: Answers, checks: Sequence[Check]) -> None:
        wrong = [asdict(check) for check in checks if check.verdict != "agreed"]
        kept = {"truth": asdict(truth), "answers": asdict(answers), "not agreed": wrong}
        path = self._folder / f"{name}.json"
        path.write_text(json.dumps(kept, indent=1, default=str), encoding="utf-8")


def _as_of_now(truth: Truth) -> Truth:
    """The same with the files as they are now."""
    operations = [fact.operation for fact in truth.facts]
    sent = {fact.operation.call for fact in truth.facts if fact.could_run}
    now = contents(operations)
    found = facts(operations, truth.transcripts, now, now, lambda one: one.call in sent)
    return replace(truth, facts=found)


class _Sent:
    """Whether the model had sent an operation in full."""

    def __init__(self, script: Script, model: Model) -> None:
        self._calls = {
            operation.call
            for name, turns in script.conversations.items()
            for turn in turns[: model.sent(name)]
            for operation in turn.operations
        }

    def __call__(self, operation: Operation) -> bool:
        return operation.call in self._calls


def kill(process: subprocess.Popen[bytes], whole_group: bool) -> None:
    """SIGKILL to the process alone, or to its children too."""
    if whole_group:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def end(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of a process behind, whatever happened."""
    if process.poll() is None:
        kill(process, True)
