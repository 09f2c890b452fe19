"""Timestamps that are ahead of the clock: the file's time stands for them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.folds.tally import QUARTER
from sessions_tui.storage.folds.timestamps import AHEAD, TOLERANCE, corrected, is_ahead
from sessions_tui.storage.index.index import Used
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.usage.report import reports_of
from tests.storage.kin import AT, by_id, library
from tests.storage.kin import record as lifecycle

DAY = 86_400_000


@pytest.mark.parametrize(
    ("at", "modified", "counted"),
    [
        (AT - DAY, AT - 5, AT - DAY),
        (AT + TOLERANCE, AT - 5, AT + TOLERANCE),
        (AT + 2 * TOLERANCE, AT - 5, AT - 5),
        (AT + 9 * DAY, None, AT + 9 * DAY),
        # The clock itself was set back: the file tells nothing either.
        (AT + 9 * DAY, AT + 9 * DAY, AT + 9 * DAY),
        (None, AT - 5, None),
    ],
)
def test_the_time_that_counts(at: int | None, modified: int | None, counted: int | None) -> None:
    assert corrected(at, AT, modified) == counted
    assert is_ahead(at, AT) == (at is not None and at > AT + TOLERANCE)


def crashed(root: Path, name: str, at: int, modified: int) -> Path:
    """A session whose only call has no result, with the times of its records and of its file."""
    payload = {"tool_name": "Edit", "tool_call_id": "c1", "status": "started", "args": {}}
    path = root / "memory" / "transcripts" / f"transcript-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lifecycle(name, "tool_lifecycle", payload, at))
    os.utime(path, ns=(modified * 1_000_000,) * 2)
    return path


def test_a_session_that_is_stamped_ahead_stands_at_its_files_time(tmp_path: Path) -> None:
    crashed(tmp_path, "old", AT + 900 * DAY, AT - 30 * DAY)
    crashed(tmp_path, "new", AT - DAY, AT - DAY)
    with library(tmp_path) as found:
        found.read_all()
        sessions = by_id(found, AT)
    old, new = sessions["old"], sessions["new"]
    assert (old.updated_at, old.started_at) == (AT - 30 * DAY, AT - 30 * DAY)
    assert AHEAD in old.why
    assert AHEAD not in new.why
    assert (old.needs_you, new.needs_you) == (False, True)


def test_what_is_stamped_ahead_is_counted_at_the_files_time() -> None:
    session = Session(
        session="a",
        path=Path("/a.jsonl"),
        agent=AGENTS["product"],
        workspace="/src",
        title="a",
        title_from="prompt",
        status="done",
        why="",
        started_at=AT - 40 * DAY,
        updated_at=AT - 40 * DAY,
    )
    ahead = (AT + 900 * DAY) // QUARTER
    rows = [Used(session.path, ahead, "hy3", "", Usage(7), 1)]
    calls = [(session.path, ahead, "Edit", "", 2)]
    found = reports_of(rows, calls, [(session.path, "/a.py", 1, AT + 900 * DAY)], [session], AT)
    assert found[30].totals.tokens.input == found[30].totals.calls == found[30].files == 0
    assert found[90].totals.tokens.input == 7
    assert (found[90].totals.calls, found[90].files) == (2, 1)
