"""CodeBuddy, from npm: headless, with a session directory and a model of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .agent import Unavailable, begin
from .model import Call
from .scenarios import SCENARIOS, Scenario
from .script import Operation, Script, marker
from .truth import Transcript

PACKAGE, VERSION = "@tencent-ai/agent-sdk", "0.3.201"
QUIET = {
    "CODEBUDDY_API_KEY": "scripted",
    "CODEBUDDY_REMOTE_CONFIG_DISABLED": "1",
    "CODEBUDDY_SKIP_BUILTIN_MARKETPLACE": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
}
MODEL = {
    "id": "scripted",
    "name": "Scripted",
    "vendor": "OpenAI",
    "apiKey": "none",
    "maxInputTokens": 100_000,
    "maxOutputTokens": 8_000,
    "supportsToolCall": True,
}
Record = dict[str, Any]


def install(folder: Path) -> CodeBuddy:
    """The agent, installed below a folder unless that version is there already."""
    place = folder / "codebuddy"
    package = place / "node_modules" / PACKAGE
    if _version(package) != VERSION:
        if not (shutil.which("npm") and shutil.which("node")):
            raise Unavailable("CodeBuddy is skipped: it needs node and npm.")
        place.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--no-audit", "--no-fund", f"--prefix={place}"]
        done = subprocess.run([*words, f"{PACKAGE}@{VERSION}"], capture_output=True, text=True)
        if done.returncode:
            said = (done.stderr.strip().splitlines() or ["npm said nothing"])[-1]
            raise Unavailable(f"CodeBuddy is skipped: npm could not install it ({said}).")
    return CodeBuddy(package)


def _version(package: Path) -> str:
    try:
        return str(json.loads((package / "package.json").read_bytes())["version"])
    except (OSError, ValueError, KeyError):
        return ""


class CodeBuddy:
    """The installed agent."""

    name = "codebuddy"
    version = f"{PACKAGE} {VERSION}"
    scenarios = SCENARIOS
    resumes = False

    def __init__(self, package: Path) -> None:
        self._package = package

    def home(self, folder: Path, url: str, scenario: Scenario | None) -> CodeBuddyHome:
        """A home with a `.codebuddy` that knows the model and the scenario's hooks."""
        return CodeBuddyHome(self._package, folder, url, scenario)


class CodeBuddyHome:
    """One `.codebuddy`. Every third session is started with an id of its own."""

    def __init__(self, package: Path, folder: Path, url: str, scenario: Scenario | None) -> None:
        self._program = ["node", str(package / "cli/bin/codebuddy"), "--model", "scripted"]
        self._home, self._output = folder / "home", folder / "output.txt"
        self._store = self._home / ".codebuddy"
        self._store.mkdir(parents=True)
        models = {"models": [MODEL | {"url": f"{url}/chat/completions"}]}
        (self._store / "models.json").write_text(
            json.dumps(models | {"availableModels": ["scripted"]}), encoding="utf-8"
        )
        if scenario:
            (self._store / "settings.json").write_text(json.dumps(_settings(scenario)))
        self.roots: Sequence[Path] = (self._store,)
        self.projects = folder / "projects"
        self.environment: Mapping[str, str] = {}
        self._begun = 0

    def start(self, script: Script) -> subprocess.Popen[bytes]:
        """One prompt, with all permissions."""
        self._begun += 1
        own = ["--session-id", script.name] if self._begun % 3 == 0 else []
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        environment = kept | QUIET | {"HOME": str(self._home)}
        command = [*self._program, "-p", "-y", *own, script.prompt]
        return begin(command, script.project, environment, self._output)

    def translate(self, operation: Operation, project: Path) -> Call:
        """Read, Edit, Write, Bash and Agent."""
        path = {"file_path": str(operation.path)}
        match operation.kind:
            case "read":
                return "Read", path
            case "edit":
                return "Edit", {**path, "old_string": operation.old, "new_string": operation.new}
            case "write":
                return "Write", {**path, "content": operation.new}
            case "bash":
                given = {"command": operation.command, "description": "Run it"}
                return "Bash", given | {"timeout": 600_000}
        given = {"description": "Part of it", "prompt": f"{marker(operation.agent)} Do it."}
        return "Agent", given | {"subagent_type": "general-purpose"}

    def transcripts(self, script: Script) -> tuple[Transcript, ...]:
        """The transcript that begins with the script's prompt, and its sub-agents'."""
        return transcripts_of(self._store, script.name)

    def resume(self, script: Script, offer: Mapping[str, Any]) -> str:
        """Not tried: the package has no terminal of its own."""
        raise NotImplementedError


def transcripts_of(home: Path, name: str) -> tuple[Transcript, ...]:
    """The transcript that begins with the prompt of a script of that name, and those below it."""
    for path in sorted((home / "projects").glob("*/*.jsonl")):
        records = list(_records(path))
        if marker(name) in json.dumps(_first_prompt(records)):
            children = sorted((path.with_suffix("") / "subagents").glob("*.jsonl"))
            below = (transcript(one, list(_records(one)), path.stem) for one in children)
            return (transcript(path, records), *below)
    return ()


def _settings(scenario: Scenario) -> dict[str, Any]:
    def hook(seconds: float) -> list[dict[str, Any]]:
        return [
            {
                "matcher": "Edit|Write",
                "hooks": [{"type": "command", "command": f"sleep {seconds}"}],
            }
        ]

    held = {"PreToolUse": scenario.hook_before, "PostToolUse": scenario.hook_after}
    hooks = {name: hook(seconds) for name, seconds in held.items() if seconds}
    return {"hooks": hooks} if hooks else {}


def _records(path: Path) -> Iterator[Record]:
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def _first_prompt(records: Sequence[Record]) -> Any:
    users = (r for r in records if r.get("type") == "message" and r.get("role") == "user")
    return next((record.get("content") for record in users), None)


def transcript(path: Path, records: Sequence[Record], parent: str = "") -> Transcript:
    """What a transcript's records say, read plainly."""
    calls: dict[str, str] = {}
    for record in records:
        if record.get("type") == "function_call":
            calls.setdefault(record["callId"], "open")
        elif record.get("type") == "function_call_result":
            calls[record["callId"]] = "done"
    spoken = [r for r in records if r.get("type") in ("message", "reasoning", "function_call")]
    last = spoken[-1] if spoken else {}
    is_whole = _has_usage(last)
    is_model = last.get("type") != "message" or last.get("role") == "assistant"
    return Transcript(
        path.stem,
        path,
        calls,
        is_finished=is_whole and last.get("type") == "message",
        is_cut=bool(last) and is_model and not is_whole,
        is_torn=not path.read_bytes().endswith(b"\n") and path.stat().st_size > 0,
        named=frozenset(_named(records)),
        parent=parent,
    )


def _has_usage(record: Record) -> bool:
    data = record.get("providerData") or {}
    return bool(data.get("usage") or data.get("rawUsage"))


def _named(records: Sequence[Record]) -> Iterator[str]:
    for record in records:
        if record.get("type") == "file-history-snapshot":
            for name in record["snapshot"].get("trackedFileBackups", {}):
                yield str(Path(record.get("cwd", "/"), name))
