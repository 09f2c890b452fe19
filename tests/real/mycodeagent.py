"""MyCodeAgent, from a checkout that `MYCODEAGENT` names, with an interpreter of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .agent import Unavailable, begin
from .model import Call
from .scenarios import SCENARIOS, Scenario
from .script import Operation, Script, marker
from .truth import Transcript

PLAYED = ("sequential", "parallel", "same-file", "write", "bash", "slow")
PAUSES = {
    "after_requested": 0.1,
    "after_started": 0.15,
    "before_write": 0.2,
    "after_write": 0.2,
    "before_result": 0.2,
}
START = Path(__file__).with_name("mycodeagent_start.py")
Record = dict[str, Any]


def install(folder: Path) -> MyCodeAgent:
    """The agent of the checkout; what it needs is installed below a folder, once."""
    named = os.environ.get("MYCODEAGENT", "")
    checkout = Path(named).expanduser().resolve()
    if not named or not (checkout / "app" / "cli.py").is_file():
        raise Unavailable(
            "MyCodeAgent is skipped: set MYCODEAGENT to the path of a checkout of it."
        )
    place = folder / "mycodeagent"
    python = place / "venv" / "bin" / "python"
    if not (place / "ready").exists():
        _make(place / "venv", python, checkout)
        (place / "ready").touch()
    return MyCodeAgent(checkout, python, place)


def _make(venv: Path, python: Path, checkout: Path) -> None:
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    quiet = ["--quiet", "--disable-pip-version-check"]
    try:
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        pip = [python, "-m", "pip", "install", *quiet, *project["dependencies"]]
        subprocess.run(pip, check=True)
    except subprocess.CalledProcessError as error:
        raise Unavailable(f"MyCodeAgent is skipped: {error}") from error


class MyCodeAgent:
    """The agent of one checkout."""

    name = "mycodeagent"
    resumes = True
    scenarios: Mapping[str, Scenario] = {name: SCENARIOS[name] for name in PLAYED}

    def __init__(self, checkout: Path, python: Path, place: Path) -> None:
        self._checkout, self._python = checkout, python
        self.version = _commit(checkout)
        self._commands = place / "bin"
        self._commands.mkdir(exist_ok=True)
        command = self._commands / "mycodeagent"
        command.write_text(
            f"#!{python}\nimport sys\nsys.path.insert(0, {str(checkout)!r})\n"
            "from app.cli import main\nmain()\n"
        )
        command.chmod(0o755)

    def home(self, folder: Path, url: str, scenario: Scenario | None) -> MyCodeAgentHome:
        """A folder of projects."""
        model = {"LLM_PROVIDER": "auto", "LLM_MODEL_ID": "scripted", "LLM_BASE_URL": url}
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        environment = kept | model | {"LLM_API_KEY": "scripted", "HOME": str(folder)}
        environment["MYCODEAGENT"] = str(self._checkout)
        environment["PATH"] = f"{self._commands}{os.pathsep}{environment['PATH']}"
        return MyCodeAgentHome(self._python, folder, environment)


def _commit(checkout: Path) -> str:
    words = ["git", "-C", str(checkout), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(words, capture_output=True, text=True)
    return f"MyCodeAgent {done.stdout.strip() or 'of unknown version'}"


class MyCodeAgentHome:
    """Projects, each with its own transcripts."""

    def __init__(self, python: Path, folder: Path, environment: Mapping[str, str]) -> None:
        self._python, self._output = python, folder / "output.txt"
        self.environment = environment
        self.projects = folder / "projects"
        self.projects.mkdir(parents=True)
        self.roots: Sequence[Path] = (self.projects,)

    def start(self, script: Script) -> subprocess.Popen[bytes]:
        """One prompt."""
        words = ["--cwd", str(script.project), "-p", script.prompt, "--json"]
        environment = {**self.environment, "REAL_PAUSES": json.dumps(PAUSES)}
        command = [str(self._python), str(START), *words]
        return begin(command, script.project, environment, self._output)

    def translate(self, operation: Operation, project: Path) -> Call:
        """Read, Edit and Bash; it has no tool that replaces a whole file."""
        path = {"path": str(operation.path.relative_to(project)) if operation.path else ""}
        match operation.kind:
            case "read":
                return "Read", path
            case "edit":
                change = {"old_string": operation.old, "new_string": operation.new}
                return "Edit", {**path, "edits": [change]}
            case "write" if operation.old:
                change = {"old_string": operation.old, "new_string": operation.new}
                return "Edit", {**path, "edits": [change]}
            case "write":
                return "Edit", {**path, "create_content": operation.new}
            case "bash":
                return "Bash", {"command": operation.command, "timeout_ms": 600_000}
        given = {"description": "Part of it", "prompt": f"{marker(operation.agent)} Do it."}
        return "Task", given | {"subagent_type": "explore"}

    def transcripts(self, script: Script) -> tuple[Transcript, ...]:
        """The only transcript of the script's project."""
        found = sorted((script.project / "memory/transcripts").glob("transcript-s-*.jsonl"))
        return (transcript(found[0]),) if found else ()

    def resume(self, script: Script, offer: Mapping[str, Any]) -> str:
        """Run the command with a prompt, so that it needs no terminal."""
        command = [*offer["command"], "-p", f"Go on with {marker(script.name)}", "--json"]
        environment = dict(self.environment)
        for name, value in offer["environment"].items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value
        done = subprocess.run(
            command,
            cwd=offer["cwd"],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return _refusal(done.stdout, done.stderr) if done.returncode == 2 else ""


def _refusal(output: str, errors: str) -> str:
    try:
        return str(json.loads(output.strip().splitlines()[-1])["error"])
    except (ValueError, LookupError):
        return (errors.strip().splitlines() or ["it ended with 2"])[-1]


def _records(path: Path) -> Iterator[Record]:
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and "event_type" in record:
            yield record


def transcript(path: Path) -> Transcript:
    """What a transcript's records say, read plainly."""
    calls: dict[str, str] = {}
    is_finished = False
    for record in _records(path):
        payload = record["payload"]
        if record["event_type"] == "terminal":
            is_finished = True
        elif record["event_type"] == "tool_lifecycle":
            is_result = payload["status"] in ("completed", "failed")
            calls[payload["tool_call_id"]] = (
                "done" if is_result else "open" if payload["status"] == "started" else "asked"
            )
    data = path.read_bytes()
    return Transcript(
        path.stem.removeprefix("transcript-"),
        path,
        calls,
        is_finished,
        is_cut=False,
        is_torn=bool(data) and not data.endswith(b"\n"),
    )


__all__ = ["MyCodeAgent", "install", "transcript"]
