"""The sessions that are killed: one function per configuration, varied by a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from .script import Instant, Moment, Operation, Script, Turn, marker

Build = Callable[["Maker"], Script]
LAST = Turn("All of it is done, and there is nothing left to do. " * 2, pause=0.3)
"""Slow, so that most kills come before the end."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One configuration of the agent, and how its sessions are made."""

    name: str
    build: Build
    hook_before: float = 0.0
    """Seconds that a hook holds each changing tool before it runs."""
    hook_after: float = 0.0


@dataclass(slots=True)
class Maker:
    """Makes the operations of one session, with an id and texts of their own for each."""

    name: str
    project: Path
    rng: random.Random
    files: dict[Path, str] = field(default_factory=dict)
    _calls: int = 0

    def file(self, name: str, lines: int = 1) -> Path:
        """A file with so many lines that can be edited one by one."""
        path = self.project / name
        rows = (f"{_line(path, n)} = 'before'\n" for n in range(lines))
        self.files[path] = "".join(rows) + "last = 1\n"
        return path

    def read(self, path: Path) -> Operation:
        """Read a file."""
        return Operation("read", self._call(), path)

    def edit(self, path: Path, line: int = 0) -> Operation:
        """Replace one line of a file made by `file`."""
        call, row = self._call(), _line(path, line)
        return Operation("edit", call, path, f"{row} = 'before'", f"{row} = 'after {call}'")

    def again(self, edit: Operation) -> Operation:
        """Replace the text that another edit wrote."""
        call = self._call()
        new = edit.new.split(" = ")[0] + f" = 'later {call}'"
        return replace(edit, call=call, old=edit.new, new=new)

    def write(self, name: str, lines: int = 3) -> Operation:
        """Write a file that is new, or that `file` made."""
        path, call = self.project / name, self._call()
        content = "".join(f"row {n} of {call}\n" for n in range(lines))
        return Operation("write", call, path, self.files.get(path, ""), content)

    def bash(self, seconds: float = 0.0, after: float = 0.0) -> Operation:
        """Append a line to a file of its own, after some seconds and before some others."""
        call = self._call()
        path = self.project / f"log-{call.rpartition('-')[2]}.txt"
        command = f"sleep {seconds:.2f}; echo 'ran {call}' >> {path.name}; sleep {after:.2f}"
        return Operation("bash", call, path, new=f"ran {call}", command=command)

    def delegate(self, agent: str) -> Operation:
        """Start a sub-agent."""
        return Operation("delegate", self._call(), agent=f"{self.name}/{agent}")

    def script(
        self, *turns: Turn, moment: Moment, agents: Mapping[str, tuple[Turn, ...]] | None = None
    ) -> Script:
        """The session with these responses and an answer at the end."""
        conversations = {self.name: (*turns, LAST)}
        conversations |= {f"{self.name}/{agent}": own for agent, own in (agents or {}).items()}
        whole = self.rng.random() < 0.25
        return Script(self.name, self.project, conversations, self.files, moment, whole)

    def after(
        self, turn: int, longest: float, instant: Instant = "sent", agent: str = ""
    ) -> Moment:
        """A random moment, up to some seconds after a response."""
        conversation = f"{self.name}/{agent}" if agent else self.name
        return Moment(conversation, turn, instant, self.rng.uniform(0, longest))

    def _call(self) -> str:
        self._calls += 1
        return f"call-{self.name}-{self._calls:02}"


def _line(path: Path, number: int) -> str:
    return f"{path.stem}_{number}"


def sequential(make: Maker) -> Script:
    """One edit per response."""
    paths = [make.file(f"part{n}.py") for n in range(3)]
    turns = [Turn("I read first.", tuple(map(make.read, paths)))]
    turns += [Turn(f"Step {n}.", (make.edit(path),)) for n, path in enumerate(paths)]
    return make.script(*turns, moment=make.after(make.rng.randint(1, 3), 1.0))


def parallel(make: Maker) -> Script:
    """Four edits, a new file and a command in one response."""
    paths = [make.file(f"part{n}.py") for n in range(4)]
    many = (*map(make.edit, paths), make.write("new.py"), make.bash(0.3))
    text = make.rng.choice(["All at once.", ""])
    turns = (Turn("I read first.", tuple(map(make.read, paths))), Turn(text, many))
    return make.script(*turns, moment=make.after(1, 1.0))


def same_file(make: Maker) -> Script:
    """Two or three edits of one file in one response, of other lines or of each other's text."""
    path = make.file("shared.py", 3)
    first = make.edit(path)
    edits = [first, make.edit(path, 1)]
    edits.append(make.again(first) if make.rng.random() < 0.4 else make.edit(path, 2))
    edits = edits[: make.rng.randint(2, 3)]
    turns = (Turn("", (make.read(path),)), Turn("Both at once.", tuple(edits)))
    return make.script(*turns, moment=make.after(1, 1.0))


def write(make: Maker) -> Script:
    """New files, and one that is replaced."""
    path = make.file("old.py")
    size = make.rng.choice([3, 3, 4000])
    writes = (make.write("old.py", size), make.write("new/one.py"), make.write("two.py", size))
    split = make.rng.random() < 0.5
    turns = [Turn("", (make.read(path),))]
    turns += [Turn("", (one,)) for one in writes] if split else [Turn("Written.", writes)]
    return make.script(*turns, moment=make.after(make.rng.randint(1, len(turns) - 1), 1.0))


def bash(make: Maker) -> Script:
    """Commands, one after another and side by side, that take effect at their beginning or end."""
    both = (make.bash(0.3), make.bash(0.0, 0.5))
    turns = (Turn("I run one.", (make.bash(0.2, 0.2),)), Turn("Two.", both))
    return make.script(*turns, moment=make.after(make.rng.randint(0, 1), 1.4))


def sub_agents(make: Maker) -> Script:
    """Two sub-agents that edit, and an edit of the parent beside them."""
    paths = [make.file(f"part{n}.py") for n in range(3)]
    agents = {}
    for name, path in zip(("one", "two"), paths, strict=False):
        turns = (Turn("", (make.read(path),)), Turn("Now.", (make.edit(path), make.bash(0.2))))
        agents[name] = (*turns, Turn(f"Edited by {name}."))
    many = (make.delegate("one"), make.delegate("two"))
    alone = (Turn("", (make.read(paths[2]),)), Turn("", (make.edit(paths[2]),)))
    moment = make.after(1, 1.2, agent=make.rng.choice(["one", "two"]))
    if make.rng.random() < 0.3:
        moment = make.after(2, 0.8)
    return make.script(Turn("I delegate.", many), *alone, moment=moment, agents=agents)


def slow(make: Maker) -> Script:
    """Responses that arrive slowly: killed in their text, in a call's arguments and just after."""
    paths = [make.file(f"part{n}.py") for n in range(2)]
    text = "This takes a while to say. " * 4
    edits = Turn(text, tuple(map(make.edit, paths)), pause=0.05)
    turns = (Turn("", tuple(map(make.read, paths))), edits, Turn(text, (make.bash(),), 0.05))
    moments = (make.after(1, 1.6, "began"), make.after(1, 0.7), make.after(2, 1.2, "began"))
    return make.script(*turns, moment=make.rng.choice(moments))


def held(make: Maker) -> Script:
    """Edits and a new file while a hook holds each tool before it runs, or after."""
    paths = [make.file(f"part{n}.py") for n in range(2)]
    many = (*map(make.edit, paths), make.write("new.py"))
    turns = [Turn("", tuple(map(make.read, paths)))]
    if make.rng.random() < 0.5:
        turns += [Turn("", (one,)) for one in many]
        return make.script(*turns, moment=make.after(make.rng.randint(1, 3), 1.6))
    return make.script(*turns, Turn("Held.", many), moment=make.after(1, 1.8))


SCENARIOS: Mapping[str, Scenario] = {
    one.name: one
    for one in (
        Scenario("sequential", sequential),
        Scenario("parallel", parallel),
        Scenario("same-file", same_file),
        Scenario("write", write),
        Scenario("bash", bash),
        Scenario("sub-agents", sub_agents),
        Scenario("slow", slow),
        Scenario("hook-before", held, hook_before=0.6),
        Scenario("hook-after", held, hook_after=0.6),
    )
}
"""By name. Which of them an agent can play, its driver says."""


def long_call(name: str, project: Path, seconds: float) -> Script:
    """A command that runs for long, to be watched and then killed."""
    make = Maker(name, project, random.Random(name))
    turn = Turn("This takes long.", (make.bash(seconds + 600),))
    return Script(name, project, {name: (turn, LAST)}, make.files)


def script_of(scenario: Scenario, seed: int, number: int, folder: Path) -> Script:
    """The session of a scenario with this number, always the same for a seed."""
    name = f"{scenario.name}-{seed}-{number:03}"
    return scenario.build(Maker(name, folder / name, random.Random(name)))


__all__ = ["SCENARIOS", "Scenario", "long_call", "marker", "script_of"]
