"""The steps of a story, independent of the format they are recorded in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Prompt:
    """The user types a prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Title:
    """The agent names the session."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """The agent thinks."""

    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """The agent writes some text before a tool call."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The agent ends its turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The agent calls a tool; an `output` of None means that the result was never recorded.

    Paths are relative to the workspace. `child` holds the steps of a sub-agent.
    """

    tool: str
    args: dict[str, Any]
    label: str
    output: str | None
    seconds: float = 0.1
    exit_code: int | None = None
    error: str = ""
    child: tuple[Step, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The user stops the agent."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """The conversation outgrew the context window and continues from a summary."""

    summary: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing happens for a while."""

    seconds: float


Step = Prompt | Title | Thought | Remark | Answer | Call | Interrupted | Compaction | Pause
Story = Iterable[Step]


def read(path: str, text: str) -> Call:
    """Read a file."""
    numbered = [f"{number:>4}→{line}" for number, line in enumerate(text.split("\n"), 1)]
    return Call("Read", {"file_path": path}, path, "\n".join(numbered), 0.02)


def edit(path: str, old: str, new: str) -> Call:
    """Replace one passage of a file."""
    args = {"file_path": path, "old_string": old, "new_string": new}
    return Call("Edit", args, path, f"Successfully edited file: {path}", 0.04)


def write(path: str, content: str) -> Call:
    """Write a whole file."""
    args = {"file_path": path, "content": content}
    return Call("Write", args, path, f"Successfully created file: {path}", 0.05)


def run(command: str, output: str = "", exit_code: int = 0, seconds: float = 2.4) -> Call:
    """Run a shell command."""
    return Call("Bash", {"command": command}, command, output, seconds, exit_code)


def grep(pattern: str, path: str, output: str) -> Call:
    """Search the files below a path."""
    return Call("Grep", {"pattern": pattern, "path": path}, pattern, output, 0.06)


def ask(question: str, header: str, options: dict[str, str]) -> Call:
    """Ask the user to choose; the answer is still pending."""
    choices = [{"label": label, "description": text} for label, text in options.items()]
    asked = {"question": question, "header": header, "multiSelect": False, "options": choices}
    return Call("AskUserQuestion", {"questions": [asked]}, question, None)


def todo(*items: tuple[str, str]) -> Call:
    """Set the todo list: pairs of a text and its status."""
    todos = [{"content": text, "status": status} for text, status in items]
    done = sum(status == "completed" for _, status in items)
    output = f"Todos updated: {done} of {len(items)} completed"
    return Call("TodoWrite", {"todos": todos}, output, output, 0.01)


def delegate(description: str, prompt: str, child: Story, report: str) -> Call:
    """Have a sub-agent do something and wait for its report."""
    args = {"description": description, "prompt": prompt, "subagent_type": "general-purpose"}
    steps = (Prompt(prompt), *child, Answer(report))
    return Call("Agent", args, description, report, 0.2, child=steps)


def cut(call: Call) -> Call:
    """Return the call without its result: the agent dies before recording it."""
    return replace(call, output=None)
