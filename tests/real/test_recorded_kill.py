"""A session of CodeBuddy as a real kill left it, held to the disk as the rig does it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.real.codebuddy import transcripts_of
from tests.real.comparison import Check, compare
from tests.real.program import Program
from tests.real.questions import ask
from tests.real.script import Operation
from tests.real.truth import Truth, contents, facts
from tests.storage.laid import laid_out

NAME = "parallel-6-001"
KILLED_AT = 1796076584.9


def operations(project: Path) -> list[Operation]:
    """What the model asked for in its last response."""
    edits = [
        Operation("edit", call, project / f"part{n}.py", f"part{n}_0 = 'before'", f"'after {call}'")
        for n in range(4)
        for call in [f"call-{NAME}-0{n + 1}"]
    ]
    call = f"call-{NAME}-06"
    made = Operation("write", f"call-{NAME}-05", project / "new.py", new="row 0\n")
    return [*edits, made, Operation("bash", call, project / "log-06.txt", new=f"ran {call}")]


def checks(directory: Path, change: dict[str, str]) -> list[Check]:
    home, project = laid_out("kill-in-parallel-edits", directory), directory / "project"
    for name, text in change.items():
        (project / name).write_text(text, encoding="utf-8")
    for path in project.iterdir():
        os.utime(path, (KILLED_AT, KILLED_AT))
    found = transcripts_of(home, NAME)
    now = contents(operations(project))
    truth = facts(operations(project), found, now, now, lambda one: True)
    answers = ask(Program([home], directory / "program", {}), NAME, found[0].session)
    return list(compare(Truth(NAME, found[0], found[1:], truth, was_killed=True), answers))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no pseudo-terminal")
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"part0.py": "part0_0 = 'before'\nlast = 1\n"},
        {"new.py": ""},
    ],
)
def test_nothing_is_said_that_the_disk_denies(tmp_path: Path, change: dict[str, str]) -> None:
    found = checks(tmp_path, change)
    assert [check for check in found if check.verdict == "wrong"] == []
    kinds = [check.kind for check in found]
    assert kinds.count("suggestions") == 2
    assert kinds.count("unrecorded effects") == 3
    assert {"status", "open calls", "named effects", "screen"} <= set(kinds)
