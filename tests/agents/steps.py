"""What an agent does in a session, step by step, in no dialect: endless, and the same for a seed.

The mix is that of real stores: calls and results near 28 % each, thoughts 18 %, messages 16 %,
snapshots 10 %; results have a median of 1 KB and a tail that passes 100 KB.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

Kind = Literal["prompt", "title", "thought", "answer", "call", "snapshot", "result"]

ENGLISH = """
index parser buffer cache lock queue worker retry timeout request response handler path module
import returns value error test the of and to a in is that with as must not when before after every
only reads writes keeps closes opens checks fails passes moves line record column row event session
token stream offset block frame screen layout cursor scroll paint merge branch
"""
CHINESE = "修复 登录 错误 会话 恢复 测试 通过 检查 文件 确认 记忆 候选 数据库 查询 调用 重试"
POOL = 400_000
"""Characters of prose from which all text is cut: making it anew would take most of the time."""


class Step(NamedTuple):
    """One step; `args` are those of a call, also on its result."""

    kind: Kind
    text: str = ""
    tool: str = ""
    args: dict[str, Any] = {}  # noqa: RUF012 (a tuple's default, never changed)
    failed: bool = False
    final: bool = False


class Prose:
    """Text of any length. `terse` cuts it short: for sessions of very many records."""

    def __init__(self, rng: random.Random, terse: bool = False) -> None:
        self.rng = rng
        self.terse = terse
        english, chinese = ENGLISH.split(), CHINESE.split()
        words: list[str] = []
        size = 0
        while size < POOL:
            words.append(rng.choice(chinese if rng.random() < 0.06 else english))
            size += len(words[-1]) + 1
        self._words = " ".join(words)
        self._names = english
        self._lines = "\n".join(self._words[at : at + 64] for at in range(0, POOL, 64))

    def says(self, low: int, high: int) -> str:
        """A sentence or more of between `low` and `high` characters."""
        return self._cut(self._words, self.rng.randrange(low, high))

    def output(self) -> str:
        """What a tool printed."""
        size = int(self.rng.lognormvariate(6.9, 1.35)) + 20
        return self._cut(self._lines, min(size, 300_000))

    def name(self) -> str:
        """One word."""
        return self.rng.choice(self._names)

    def file(self) -> str:
        """A source file, relative to its project."""
        return f"src/{self.name()}/{self.name()}.py"

    def _cut(self, pool: str, size: int) -> str:
        size = min(size, 40) if self.terse else size
        start = self.rng.randrange(len(pool) - size)
        return pool[start : start + size]


def steps(prose: Prose, title: str) -> Iterator[Step]:
    """A session without end; it may be left after any final answer."""
    rng = prose.rng
    yield Step("prompt", f"{title}: {prose.says(40, 400)}")
    yield Step("title", title)
    while True:
        for _ in range(rng.randrange(2, 9)):
            if rng.random() < 0.65:
                yield Step("thought", prose.says(60, 900))
            if rng.random() < 0.3:
                yield Step("answer", prose.says(20, 300))
            yield from _call(prose)
        yield Step("answer", prose.says(100, 900), final=True)
        yield Step("prompt", prose.says(30, 400))


def _call(prose: Prose) -> Iterator[Step]:
    tool, args = _tool(prose)
    yield Step("call", tool=tool, args=args)
    if tool in ("Edit", "Write"):
        yield Step("snapshot", args["file_path"])
    yield Step("result", prose.output(), tool, args, failed=prose.rng.random() < 0.04)


def _tool(prose: Prose) -> tuple[str, dict[str, Any]]:
    tool, path = prose.rng.choice(("Read", "Edit", "Bash", "Grep", "Write", "Read")), prose.file()
    if tool == "Edit":
        return tool, {
            "file_path": path,
            "old_string": prose.says(20, 400),
            "new_string": prose.says(20, 600),
        }
    if tool == "Bash":
        return tool, {"command": f"pytest -q {path}", "description": "Run the tests"}
    if tool == "Write":
        return tool, {"file_path": path, "content": prose.says(200, 4000)}
    if tool == "Grep":
        return tool, {"pattern": prose.name(), "path": "src"}
    return tool, {"file_path": path}
