"""The stores that are measured: made once from a plan, and reused while the plan is the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.agents.writers import WRITERS
from tests.bench.corpus import Plan, store


@pytest.mark.parametrize("dialect", WRITERS)
def test_a_store_is_made_once(tmp_path: Path, dialect: str) -> None:
    plan = Plan("tiny", dialect, 2, records=20)
    made = store(plan, tmp_path)
    times = [one.path.stat().st_mtime_ns for one in made.sessions]
    assert all(one.records >= 20 for one in made.sessions)
    again = store(plan, tmp_path)
    assert again == made
    assert [one.path.stat().st_mtime_ns for one in again.sessions] == times
    assert store(replace(plan, records=30), tmp_path).home != made.home
