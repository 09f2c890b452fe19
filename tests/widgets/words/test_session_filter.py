"""The filter understands its words, and takes everything else as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.session import Session
from sessions_tui.widgets.words.session_filter import moment, parse

NOW = 1_795_953_731_000  # 2026-11-29 12:02:11 UTC
HOUR = 3_600_000


def session(**changes: Any) -> Session:
    known: dict[str, Any] = {
        "session": "abc-123",
        "path": Path("/store/abc-123.jsonl"),
        "agent": AGENTS["product"],
        "workspace": "/home/mei/src/Inventory-API",
        "title": "修复库存超卖 Rename Lexer",
        "title_from": "prompt",
        "status": "working",
        "why": "",
        "model": "hy3",
        "updated_at": NOW - 3 * HOUR,
        "uncertain": 1,
        "tools": frozenset({"Bash", "Read"}),
    }
    return Session(**{**known, **changes})


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("", True),
        ("   ", True),
        ("lexer", True),
        ("LEXER rename", True),
        ("库存", True),
        ("lexer nothing", False),
        ("abc-1", True),
        ("inventory", True),
        ('"rename lexer"', True),
        ('"lexer rename"', False),
        ('"unfinished', False),
        ("status:work", True),
        ("status:done", False),
        ("status:done,working", True),
        ("status:", True),
        ("status:,", True),
        ("workspace:inventory", True),
        ("workspace:other", False),
        ('workspace:"src/inventory"', True),
        ("model:HY", True),
        ("model:kimi", False),
        ("since:4h", True),
        ("since:2h", False),
        ("since:1w", True),
        ("since:90min", False),
        ("since:2026-11-29", True),
        ("since:2026-11-30", False),
        ("since:today", True),
        ("since:yesterday", True),
        ("since:", True),
        ("since:soon", False),
        ("has:uncertain", True),
        ("has:candidates", False),
        ("has:", True),
        ("has:luck", False),
        ("has:unc", True),
        ("has:s", False),
        ("has:n", False),
        ("status:bogus", False),
        ("status:done,bogus", False),
        ("tool:bash", True),
        ("tool:edit", False),
        ("status:working lexer", True),
        ("http://example", False),
        ("status:hidden", False),
        (":", False),
        ('"', True),
    ],
)
def test_filter(text: str, matches: bool) -> None:
    assert parse(text, NOW).matches(session()) is matches


def test_hidden_sessions_are_shown_only_by_name() -> None:
    hidden = session(hidden_by="user")
    assert not parse("", NOW).matches(hidden)
    assert not parse("lexer", NOW).matches(hidden)
    assert parse("status:hidden", NOW).matches(hidden)
    assert parse("lexer status:hidden", NOW).matches(hidden)


def test_nothing_known_is_no_match() -> None:
    bare = session(updated_at=None, model=None)
    assert not parse("since:1d", NOW).matches(bare)
    assert not parse("model:hy", NOW).matches(bare)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("since:zz", 'Invalid value "zz" for since:. Use 2h, 3d, today, yesterday or '),
        ("status:bogus", 'Invalid value "bogus" for status:. Use working, waiting, '),
        ("status:work,bo", 'Invalid value "work,bo" for status:. '),
        ("has:foo", 'Invalid value "foo" for has:. Use uncertain, candidates, sub-agents or '),
    ],
)
def test_a_value_that_means_nothing_is_told(text: str, says: str) -> None:
    (fault,) = parse(f"lexer {text} workspace:inv", NOW).faults
    assert fault.sentence.startswith(says)
    assert fault.sentence.endswith(".")


@pytest.mark.parametrize(
    "text", ["foo:bar", "http://x", "since:", "status:,", "status:h", "kind:x", "day:x", "tool:x"]
)
def test_nothing_else_is_a_fault(text: str) -> None:
    assert not parse(text, NOW).faults


@given(st.text())
def test_any_text_is_a_filter(text: str) -> None:
    parse(text, NOW).matches(session())


@given(st.text(st.sampled_from("since:has\"0123456789hdw-'stau \\")))
def test_anything_like_a_filter_is_one(text: str) -> None:
    parse(text, NOW).matches(session())


def test_moments() -> None:
    assert moment("2h", NOW) == NOW - 2 * HOUR
    assert moment("999999w", NOW) is not None
    assert moment("2026-11-20", NOW) == 1_795_132_800_000
    assert moment("0001-01-01", NOW) is None or isinstance(moment("0001-01-01", NOW), int)
    assert moment("then", NOW) is None
