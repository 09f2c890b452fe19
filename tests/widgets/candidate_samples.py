"""Memory candidates made for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sessions_tui.storage.model.candidate import Candidate, Sourced

NOW = 1_795_953_731_000  # 2026-11-29 12:02:11 UTC
MINUTE = 60_000
DAY = 24 * 60 * MINUTE

TITLE = "修复库存超卖并补测试"
SAID = "修好了：reserve() 现在用一条带条件的 UPDATE，不会再超卖。"


def candidate(number: int, summary: str = "s", reason: str = "r", **more: Any) -> Candidate:
    """A candidate of record `number`, the newer the greater that is."""
    known: dict[str, Any] = {
        "candidate": f"c-{number}",
        "source_id": f"transcript:inventory-api:{number}",
        "session_id": "inventory-api",
        "sequence": number,
        "event_type": "message",
        "captured_at": NOW - (200 - number) * MINUTE,
        "summary": summary,
        "selection_reason": reason,
        "status": "proposed",
        "created_at": NOW - (100 - number) * MINUTE,
        "decided_at": None,
        "path": Path("/store/inventory-api.jsonl"),
        "source_sha256": "0" * 64,
    }
    return Candidate(**{**known, **more})


def beside(candidate: Candidate, **more: Any) -> Sourced:
    """A candidate beside a source that is as it was."""
    known: dict[str, Any] = {
        "source": "there",
        "title": TITLE,
        "text": SAID,
        "offset": 100 * candidate.sequence,
        "file": candidate.path,
    }
    return Sourced(candidate, **{**known, **more})


def samples() -> list[Sourced]:
    """Every status, every source, and times of this day, this year and before."""
    return [
        beside(
            candidate(
                12,
                "reserve() uses one conditional UPDATE, so that two orders cannot both take "
                "the last item",
                "Two workers oversold in production; nobody must bring back the read before "
                "the write.",
            )
        ),
        beside(candidate(31, "库存服务用乐观锁", "以后别改回去"), is_numbered=True),
        beside(
            candidate(44, "The lexer keeps trivia", "The formatter needs it"),
            source="changed",
            title="Rename Lexer.next to advance",
        ),
        beside(
            candidate(45, "Docs are built with Sphinx 7", "Asked three times", session_id="docs"),
            source="gone",
            title="",
            text="",
            offset=None,
            file=None,
        ),
        beside(
            candidate(
                50,
                "app/stock.py before the fix",
                "To compare with",
                status="approved",
                decided_at=NOW - 4 * MINUTE,
                event_type="file-history-snapshot",
                captured_at=NOW - 3 * DAY,
            ),
            text="app/stock.py",
        ),
        beside(
            candidate(
                52,
                "Tests run with pytest -q",
                "Saves looking it up",
                status="approved",
                decided_at=NOW - 90 * MINUTE,
                captured_at=NOW - 400 * DAY,
            ),
            source="corrupt",
        ),
        beside(
            candidate(60, "Try Redis", "An idea", status="rejected", decided_at=NOW - 2 * MINUTE)
        ),
    ]
