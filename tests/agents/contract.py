"""What every agent must hold: ours, those of tests, and those that others write.

`check` takes an agent and some of its transcripts, which lie where the agent keeps them.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from sessions_tui.storage.agents import AGENTS, detect
from sessions_tui.storage.files.lines import split
from sessions_tui.storage.insight.recover import recover_of
from sessions_tui.storage.memory.fold import MemoryFold
from sessions_tui.storage.model.agent import Agent
from sessions_tui.storage.model.event import KINDS, Event
from sessions_tui.storage.records.parsing import parse
from sessions_tui.storage.timeline.annotated import Annotator
from sessions_tui.storage.transcript.transcript import Transcript
from tests.storage.test_mutated_cases import MUTATIONS

Said = tuple[object, ...]


def check(agent: Agent, transcripts: Sequence[Path], others: Sequence[Path]) -> None:
    """Check an agent; `others` are transcripts of other agents."""
    for path in transcripts:
        recognised(agent, path)
        read_alike(path)
        resumes_anywhere(path)
    for path in others:
        assert not any(map(agent.reader.recognises, records(path))), path
    survives(agent, transcripts)


def records(path: Path) -> list[dict[str, object]]:
    """The readable records of a file."""
    parsed = (parse(line.data, strict=False) for line in split(path.read_bytes(), 0, True))
    return [record for record in parsed if isinstance(record, dict)]


def recognised(agent: Agent, path: Path) -> None:
    """A transcript is the agent's by its records, whichever agents are asked before."""
    found = records(path)
    if any(map(agent.reader.recognises, found)):
        assert detect(found) is agent
        assert transcript_of(path).agent is agent


def transcript_of(path: Path) -> Transcript:
    """A transcript, read to its end."""
    transcript = Transcript(path, path.stem)
    transcript.read()
    return transcript


def said(event: Event) -> Said:
    """Everything that an event says, as far as it can be compared."""
    assert event.kind in KINDS
    assert isinstance(event.text, str)
    return (
        *event[:2],
        *event[4:],
        event.text,
        json.dumps(event.args, default=repr),
        event.type,
        event.cwd,
        event.model,
        event.file,
        event.agent.reader.title(event),
        event.agent.reader.failure(event),
        event.agent.refuses_memory(event),
    )


def read_alike(path: Path) -> None:
    """Events are the same read forward, one by one, and from the file at rest."""
    transcript = Transcript(path, path.stem)
    forward = [said(event) for events in transcript.advance() for event in events]
    assert [said(event) for event in transcript.events()] == forward
    with transcript.reading() as read:
        alone = [said(read(index)) for index in reversed(range(len(transcript.positions)))]
    assert alone[::-1] == forward


def state(transcript: Transcript) -> str:
    """All that is folded from a transcript, but for how it was read."""
    data = transcript.as_json()
    kept = (transcript.positions.offsets, transcript.positions.kinds, transcript.positions.links)
    return json.dumps([data["facts"], data["pairing"], data["chain"]]) + repr(kept)


def resumes_anywhere(path: Path) -> None:
    """Reading in pieces, and saving and restoring between them, gives the same as at once."""
    data, whole = path.read_bytes(), transcript_of(path)
    copy = path.with_name("copy-" + path.name)
    dice = random.Random(path.name)
    cuts = sorted(dice.randrange(len(data) + 1) for _ in range(4)) if data else []
    try:
        copy.write_bytes(data[: cuts[0]] if cuts else data)
        pieces, kept = Transcript(copy, path.stem), Kept()
        pieces.read()
        for end in [*cuts[1:], len(data)]:
            copy.write_bytes(data[:end])
            pieces = kept.again(pieces)
            pieces.read()
        assert state(pieces) == state(whole)
        assert pieces.integrity() == whole.integrity()
    finally:
        copy.unlink()


class Kept:
    """What is stored of a transcript in pieces, as the index does."""

    def __init__(self) -> None:
        self._digests: dict[int, bytes] = {}
        self._positions: dict[int, tuple[bytes, ...]] = {}

    def again(self, transcript: Transcript) -> Transcript:
        """Store what is new of a transcript, and restore it from all that is stored."""
        self._digests.update(transcript.folds.sieve.changed_chunks())
        for number, *chunk in transcript.positions.changed_chunks():
            self._positions[number] = tuple(chunk)
        data = json.loads(json.dumps(transcript.as_json()))
        digests = [self._digests[number] for number in sorted(self._digests)]
        restored = Transcript.from_json(transcript.path, transcript.session, data, digests)
        for number in sorted(self._positions):
            restored.positions.load(*self._positions[number])
        restored.positions.cut(len(transcript.positions))
        return restored


def survives(agent: Agent, transcripts: Sequence[Path]) -> None:
    """No damage to a transcript makes anything raise."""
    for seed in range(60):
        dice = random.Random(seed)
        path = dice.choice(transcripts)
        data = path.read_bytes()
        for _ in range(dice.randint(1, 4)):
            data = dice.choice(MUTATIONS)(dice, data) if data else data
        copy = path.with_name("damaged-" + path.name)
        try:
            copy.write_bytes(data)
            transcript = transcript_of(copy)
            memory = MemoryFold(transcript.session, transcript.agent)
            for event in transcript.events():
                said(event)
                memory.add(event)
            memory.memory()
            recover_of(transcript)
            assert list(Annotator(transcript, alive=False).events()) is not None
        finally:
            copy.unlink()


def imports_nothing_heavy(module: str) -> None:
    """Importing an agent loads neither Textual nor its own reader."""
    code = f"import sys, {module}; print(*sorted(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert not {"textual", "rich", "sqlite3", "orjson", f"{module}.reader"} & {*loaded}


def with_agent(agent: Agent) -> dict[str, Agent]:
    """The table of agents with one more."""
    return {**AGENTS, agent.name: agent}
