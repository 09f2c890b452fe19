"""While nobody can tell whether an agent is alive, every screen says so under one name."""

from __future__ import annotations

import json
import time

import pytest

from sessions_tui.app.demo.steps import Answer, Call, Prompt
from sessions_tui.widgets.words.cases import MAYBE_CRASHED

from .sitting import Home, Sit

pytestmark = pytest.mark.anyio

EDIT = Call("Edit", {"file_path": "db.py", "old_string": "a", "new_string": "b"}, "db.py", None)


async def test_list_header_tabs_and_review_agree(home: Home, sit: Sit) -> None:
    now = int(time.time() * 1000)
    home.agent("s", 5, now=now).does(Prompt("Fix the db"), EDIT)
    home.agent("other", 50, now=now).does(Prompt("Fix the docs"), Answer("Fixed."))
    (home.root / "sessions").mkdir()
    entry = {"pid": 4711, "sessionId": "s", "lastHeartbeat": now + 600_000, "kind": "interactive"}
    entry["hostname"] = "another-machine"
    (home.root / "sessions" / "4711.json").write_text(json.dumps(entry))
    async with sit(now=time.time) as mei:
        await mei.until(lambda: mei.entries()[:2] == [MAYBE_CRASHED, "  s"])
        session = mei.session("s")
        assert session is not None
        assert (session.status, session.uncertain, session.unknown) == ("unknown", 0, 1)
        assert not session.needs_you
        await mei.until_sees("1 maybe crashed")
        await mei.press("slash")
        await mei.types("status:unknown")
        await mei.until(lambda: mei.entries() == [MAYBE_CRASHED, "  s"])
        await mei.press("escape")
        await mei.until(lambda: len(mei.entries()) > 2)
        await mei.opens("s")
        await mei.until_sees("Review ~1", "unknown")
        await mei.press("f2")
        await mei.until_sees(MAYBE_CRASHED, "db.py", "1 maybe crashed")
