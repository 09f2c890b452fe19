"""Small stores in which something is said, for searches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.event import Kind
from sessions_tui.storage.search.query import SAID, parse_query
from sessions_tui.storage.search.search import Search
from sessions_tui.storage.stores.roots import find_roots

AT = 1_795_320_000_000
Said = tuple[str, str, int]
"""Kind, text, seconds after AT."""


def record(kind: str, text: str, at: int, session: str) -> dict[str, Any]:
    """A record as the product agents write it."""
    base: dict[str, Any] = {"timestamp": AT + 1000 * at, "sessionId": session, "cwd": "/src/shop"}
    if kind == "reasoning":
        thought = [{"type": "reasoning_text", "text": text}]
        return {**base, "type": "reasoning", "content": [], "rawContent": thought}
    if kind == "result":
        output = {"type": "text", "text": text}
        return {
            **base,
            "type": "function_call_result",
            "name": "Bash",
            "callId": f"c{at}",
            "output": output,
        }
    if kind == "edit":
        args = json.dumps({"file_path": text, "old_string": "a", "new_string": "b"})
        call = {"name": "Edit", "callId": f"c{at}", "arguments": args}
        return {**base, "type": "function_call", **call}
    role, block = ("user", "input_text") if kind == "prompt" else ("assistant", "output_text")
    return {**base, "type": "message", "role": role, "content": [{"type": block, "text": text}]}


def lines(said: Iterable[Said], session: str, ascii: bool = False) -> str:
    """Records as lines."""
    return "".join(json.dumps(record(*one, session), ensure_ascii=ascii) + "\n" for one in said)


def talk(home: Path, session: str, said: Iterable[Said], before: str = "") -> Path:
    """A session of a store, behind lines that were copied from another one."""
    path = home / "projects" / "shop" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(before + lines(said, session), encoding="utf-8")
    return path


@contextmanager
def library(home: Path, cache: Path | None = None) -> Iterator[Library]:
    """A library that has read everything."""
    roots = find_roots([home], {}, Path.cwd(), Path.home()).found
    with closing(Library(roots, cache)) as found:
        found.rescan()
        found.read_all()
        yield found


def search(
    found: Library,
    text: str,
    limit: int = 50,
    kinds: Iterable[Kind] = (),
    wanted: Iterable[Path] | None = None,
) -> list[tuple[str, int]]:
    """The sessions and record indexes of the hits."""
    also = SAID.union(kinds)
    paths = found.newest_first() if wanted is None else wanted
    running = Search(found, parse_query(text), paths, also).run(limit)
    return [(hit.hit.path.stem, hit.hit.record) for slice in running for hit in slice]
