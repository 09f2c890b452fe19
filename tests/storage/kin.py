"""Small stores and projects with families in them, and libraries that look at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.stores.roots import find_roots

CASES = Path(__file__).parents[1] / "cases"
RUNS = CASES / "mycodeagent-runs"
STORE = CASES / "product-store"
AT = 1_795_983_556_000  # 2026-11-29 20:19:16 UTC
LATER = AT + 30 * 24 * 3_600_000


@contextmanager
def library(root: Path, cache: Path | None = None) -> Iterator[Library]:
    roots = find_roots([root], {}, Path.cwd(), Path.home()).found
    with closing(Library(roots, cache)) as found:
        found.rescan()
        yield found


def by_id(found: Library, now: int = LATER) -> dict[str, Session]:
    return {session.session: session for session in found.sessions(now)}


def read(root: Path, now: int = LATER) -> dict[str, Session]:
    with library(root) as found:
        found.read_all()
        return by_id(found, now)


def transcripts(root: Path) -> list[Path]:
    return sorted((root / "memory" / "transcripts").glob("*.jsonl"))


# MyCodeAgent's sub-agents.


def padding(session: str, bytes: int) -> str:
    """Records that say nothing, so many bytes of them."""
    text = "x" * 1000
    line = message(session, "assistant", text, at=AT + 500)
    return line * (bytes // len(line) + 1)


def message(session: str, role: str, text: str, at: int = AT, run: int = 1) -> str:
    payload = {"role": role, "content": text, "metadata": {"action_type": "tool_call"}}
    return record(session, "message", payload, at, run)


def terminal(session: str, at: int, run: int = 1, reason: str = "completed") -> str:
    return record(session, "terminal", {"reason": reason, "details": {}}, at, run)


def task(session: str, status: str, at: int, call: str = "c1", **more: Any) -> str:
    args = {"description": "Look", "prompt": "Find it.", "subagent_type": "explore"}
    payload = {"tool_name": "Task", "tool_call_id": call, "status": status, "args": args, **more}
    return record(session, "tool_lifecycle", payload, at)


def record(session: str, kind: str, payload: dict[str, Any], at: int, run: int = 1) -> str:
    moment = datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
    return (
        json.dumps(
            {
                "event_id": f"evt-{session}-{at}-{kind}-{payload.get('status')}",
                "timestamp": moment,
                "session_id": session,
                "run_id": f"run-{run}",
                "step": 1,
                "event_type": kind,
                "payload": payload,
                "schema_version": 1,
            }
        )
        + "\n"
    )


def project(tmp_path: Path) -> Path:
    """A project without any session."""
    folder = tmp_path / "shop" / "memory" / "transcripts"
    folder.mkdir(parents=True)
    return tmp_path / "shop"


def write(root: Path, session: str, *lines: str) -> Path:
    path = root / "memory" / "transcripts" / f"transcript-{session}.jsonl"
    with path.open("a") as file:
        file.write("".join(lines))
    return path


def child(root: Path, name: str, at: int, words: str = "Look\n\nFind it.") -> Path:
    session = f"subagent-{name}"
    text = words + "\n\nStructured context:\n{}"
    return write(root, session, message(session, "user", text, at))


def trace(root: Path, session: str, *named: tuple[str, str]) -> None:
    folder = root / "memory" / "traces"
    folder.mkdir(exist_ok=True)
    with (folder / f"trace-{session}.jsonl").open("a") as file:
        for event, name in named:
            payload = {"parent_session_id": "***", "child_session_id": name, "profile": "explore"}
            line = {"ts": "2026-11-29T20:19:17Z", "session_id": session, "step": 1}
            file.write(json.dumps({**line, "event": event, "payload": payload}) + "\n")


def product(kind: str, session: str, at: int, **fields: Any) -> str:
    base = {"id": f"{session}-{at}", "timestamp": at, "type": kind, "sessionId": session}
    return json.dumps({**base, "cwd": "/src/shop", **fields}) + "\n"


def typed(session: str, text: str, at: int = AT, **fields: Any) -> str:
    content = [{"type": "input_text", "text": text}]
    return product("message", session, at, role="user", content=content, **fields)


def answer(session: str, text: str, at: int, tokens: int = 0) -> str:
    raw = {"prompt_tokens": tokens, "completion_tokens": 1}
    provider = {"messageId": f"m{at}", "rawUsage": raw} if tokens else {}
    content = [{"type": "output_text", "text": text}]
    more = {"content": content, "providerData": provider, "status": "completed"}
    return product("message", session, at, role="assistant", **more)


def called(session: str, tool: str, at: int, **args: Any) -> str:
    arguments = json.dumps(args)
    return product("function_call", session, at, callId=f"c{at}", name=tool, arguments=arguments)


def store(tmp_path: Path) -> Path:
    """A store without any session."""
    (tmp_path / "home" / "projects" / "shop").mkdir(parents=True)
    return tmp_path / "home"


def put(home: Path, name: str, *lines: str) -> Path:
    path = home / "projects" / "shop" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write("".join(lines))
    return path
