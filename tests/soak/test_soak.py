"""A soak of some seconds: what screen and command tell is what the files say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.soak.plan import Plan
from tests.soak.soak import Soak

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")


def test_the_screen_tells_what_the_files_say(tmp_path: Path) -> None:
    outcome = Soak(Plan(seconds=8, writers=4, rate=40, idle=0.5), tmp_path).run()
    assert outcome.faults == []
    assert outcome.sessions >= 4
    assert outcome.waits  # else nothing of the followed session was looked at
