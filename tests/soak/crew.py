"""The agents of a soak, as processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.bench.bench import ROOT

from .ground import Ground
from .parts import Part
from .plan import Plan


class Crew:
    """The agents, as processes of their own."""

    def __init__(self, plan: Plan, ground: Ground) -> None:
        self.parts = ground.parts
        self._store = store = ground.store
        self._logs = [ground.folder / f"log-{part.number:02d}" for part in self.parts]
        rate = plan.rate / plan.writers
        self._processes = [
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "tests.soak.writing", str(store), str(part.number)),
                    *(str(plan.writers), str(plan.seed), str(rate), str(log)),
                ],
                stdin=subprocess.PIPE,
                cwd=ROOT,
            )
            for part, log in zip(self.parts, self._logs, strict=True)
        ]

    def end(self, part: Part) -> None:
        """Tell an agent to come to its end."""
        stdin = self._processes[part.number].stdin
        assert stdin is not None
        stdin.write(b"end")
        stdin.flush()

    def kill(self, part: Part) -> None:
        """Have an agent die on the spot."""
        self._processes[part.number].kill()
        self._processes[part.number].wait()

    def close(self) -> None:
        """Have all of them leave."""
        for process in self._processes:
            with suppress(OSError):
                process.communicate(timeout=10)
            process.kill()

    def has_rested(self, part: Part) -> bool:
        """Whether an agent has come to its end."""
        try:
            return b'"rested"' in self._logs[part.number].read_bytes()[-60:]
        except FileNotFoundError:
            return False

    def log(self, part: Part) -> list[dict[str, Any]]:
        """What an agent says it wrote."""
        try:
            text = self._logs[part.number].read_bytes()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in text.split(b"\n")[:-1]]

    def process_of(self, path: Path) -> str:
        """`alive` or `dead` where the registry tells of the transcript's agent, else ""."""
        for part in self.parts:
            folder = part.transcript(self._store, 1).parent
            if part.is_registered and path.is_relative_to(folder):
                return "dead" if part.ending == "killed" else "alive"
        return ""
