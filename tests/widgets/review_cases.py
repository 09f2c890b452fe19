"""Cases as they look when a person comes to review them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.action import Action
from sessions_tui.storage.model.case import Case
from sessions_tui.storage.model.edits import edit_of
from sessions_tui.storage.model.evidence import Evidence, Excerpt, Suggestion

NOW = 1_795_953_731_000  # 2026-11-29 12:02:11 UTC
MINUTE = 60_000
DAY = 24 * 60 * MINUTE
HOME = "/srv/inventory-api"

OLD = "def reserve(db, sku, n):\n    stock = db.get(sku)\n    return True\n"
NEW = (
    "def reserve(db, sku, n):\n    done = db.execute(RESERVE, (n, sku, n))\n"
    "    return done.rowcount == 1  # 不会超卖\n"
)
FILE = (
    "import sqlite3",
    "",
    "",
    "def reserve(db, sku, n):",
    "    stock = db.get(sku)",
    "    return True",
    "",
    "",
    "def release(db, sku, n):",
)


def evidence(suggests: Suggestion, reason: str, **more: Any) -> Evidence:
    """What the disk says, of a file of 4.2 kB that was written three seconds after the call."""
    known: dict[str, Any] = {
        "path": f"{HOME}/app/stock.py",
        "exists": True,
        "size": 4_213,
        "sha256": "0" * 64,
        "modified_at": NOW - 10 * MINUTE + 3_000,
        "checked_at": NOW,
    }
    return Evidence(suggests, reason, **{**known, **more})


def case(number: int, tool: str, args: Any, minutes: int = 10, **more: Any) -> Case:
    """A case of the session `s`; what belongs to the action goes there."""
    of_action = {field.name for field in dataclasses.fields(Action)}
    path = args.get("file_path") if isinstance(args, dict) else None
    about: dict[str, Any] = {"path": path, "at": NOW - minutes * MINUTE, "size": 500}
    about |= {name: value for name, value in more.items() if name in of_action - {"path"}}
    action = Action(
        AGENTS["product"],
        f"transcript:s:{number}",
        "s",
        f"call-{number}",
        tool,
        "uncertain",
        False,
        "yes",
        args=args,
        number=number,
        offset=number * 1_000,
        **about,
    )
    of_case: dict[str, Any] = {
        "path": Path("/store/s.jsonl"),
        "title": "修复库存超卖并补测试",
        "workspace": HOME,
        "edit": edit_of(tool, args),
        "directory": HOME,
    }
    of_case |= {name: value for name, value in more.items() if name not in of_action - {"path"}}
    return Case(action, **of_case)


def edit(number: int, name: str = "app/stock.py", **more: Any) -> Case:
    """An Edit that is not on disk, unless told otherwise."""
    args = {"file_path": f"{HOME}/{name}", "old_string": OLD, "new_string": NEW}
    known: dict[str, Any] = {
        "evidence": evidence(
            "not-applied", "The text to be replaced is still there, the new one is not."
        ),
        "excerpts": (Excerpt(38, FILE, (41, 43), "old"),),
    }
    return case(number, "Edit", args, **{**known, **more})


def bash(number: int, command: str = "alembic upgrade head", **more: Any) -> Case:
    """A command, which leaves nothing to compare with."""
    unknown = evidence(
        "unknown",
        "What a command has done cannot be seen in a file.",
        path=None,
        exists=False,
        size=None,
        sha256=None,
        modified_at=None,
    )
    args = {"command": command, "description": "Bring the database up to date"}
    return case(number, "Bash", args, **{"evidence": unknown, **more})


def samples() -> list[Case]:
    """One of each kind, the newest first."""
    written = {"file_path": f"{HOME}/tests/test_stock.py", "content": NEW * 2}
    lexer = Path("/store/lexer.jsonl")
    return [
        edit(1),
        case(
            2,
            "Write",
            written,
            minutes=11,
            evidence=evidence("applied", "The file holds exactly what was to be written."),
            excerpts=(Excerpt(1, tuple(NEW.split("\n")[:3]), (1, 3), "new"),),
        ),
        bash(3, minutes=12),
        edit(
            4,
            "app/db.py",
            minutes=14,
            evidence=evidence("ambiguous", "Old and new text are both there."),
            excerpts=(
                Excerpt(38, FILE[:6], (41, 43), "old"),
                Excerpt(120, tuple(NEW.split("\n")[:3]), (120, 122), "new"),
            ),
        ),
        edit(
            5,
            "src/inventory/adapters/postgres/reservation_repository.py",
            minutes=15,
            path=lexer,
            title="Rename Lexer.next to advance everywhere in the parser",
            evidence=evidence("changed-since", "Neither the old nor the new text is there."),
            excerpts=(),
        ),
        edit(
            6,
            "app/gone.py",
            minutes=16,
            outdated="verified",
            evidence=evidence(
                "unknown", "There is no such file.", exists=False, size=None, modified_at=None
            ),
            excerpts=(),
        ),
        edit(7, minutes=26 * 60, verdict="verified", note="looked at it", decided_at=NOW - MINUTE),
        bash(8, "make migrate", minutes=27 * 60, verdict="not-applied", decided_at=NOW - MINUTE),
        edit(9, minutes=28 * 60, verdict="partial", decided_at=NOW - 2 * MINUTE),
        bash(10, "rm -rf build", minutes=29 * 60, verdict="dismissed", decided_at=NOW - MINUTE),
        edit(11, minutes=30 * 60, ended="completed"),
        case(12, "mcp__hub__create_issue", {"title": "Stock"}, minutes=20 * 1_440, is_older=True),
        case(13, "Read", {"file_path": "/etc/hosts"}, minutes=400 * 1_440, is_older=True),
    ]
