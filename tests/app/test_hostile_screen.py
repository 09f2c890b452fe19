"""Nothing that a transcript holds reaches the terminal as more than text, nor breaks the screen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from .sitting import NOW, Home, Person, Sit

pytestmark = pytest.mark.anyio

EVIL = (
    "\x1b]0;owned\x07\x1b[2J\x1b]52;c;aGk=\x1b\\\x1bP1$q\x1b\\\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"
    "\x9b31m\x9d0;t\x9c\x85\x90x\u202eright\u2066to\u2069left\u200b\u200d\ufeff\U000e0041\ud800"
    "[b]bold[/x] [@click=app.quit]quit[/] [$x] \\ \x00\x07\x08\x7f"
    "e\u0301\u0302\u0303\u0304\u0305 👨‍👩‍👧 👍🏽 中文\r\n\ttab\x0bend"
)
FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
LONG = 30_000_000

Record = dict[str, Any]


def product(huge: str) -> Iterator[Record]:
    """A session as the products write it, every string of it hostile."""

    def record(number: int, type: str, **more: Any) -> Record:
        return {
            "type": type,
            "id": f"{EVIL}{number}",
            "timestamp": NOW - 60_000 + number,
            "cwd": EVIL,
            "sessionId": EVIL,
            "providerData": {"model": EVIL, "skipRun": False},
            **more,
        }

    def said(number: int, role: str, text: str) -> Record:
        kind = "input_text" if role == "user" else "output_text"
        return record(number, "message", role=role, content=[{"type": kind, "text": text}])

    edit = {"file_path": EVIL, "old_string": EVIL, "new_string": EVIL * 2}
    yield said(1, "user", EVIL * 3)
    yield record(2, "reasoning", rawContent=[{"type": "reasoning_text", "text": EVIL}])
    yield record(3, "function_call", name=EVIL, callId=EVIL, arguments=json.dumps({EVIL: EVIL}))
    yield record(
        4, "function_call_result", name=EVIL, callId=EVIL, status="completed", output={"text": EVIL}
    )
    yield record(5, "function_call", name="Edit", callId="e", arguments=json.dumps(edit))
    yield record(6, EVIL, content=EVIL)
    yield record(7, "ai-title", aiTitle=EVIL * 60)
    yield said(8, "assistant", huge)
    yield said(9, "assistant", EVIL)


def envelope(huge: str) -> Iterator[Record]:
    """The evidence envelope with hostile text."""
    body: list[tuple[str, Record]] = [
        ("message", {"role": "user", "content": EVIL * 60}),
        ("tool", {"name": EVIL, "call_id": EVIL, "arguments": {EVIL: EVIL}}),
        (EVIL, {"content": EVIL}),
        ("message", {"role": "assistant", "content": huge}),
        ("message", {"role": "assistant", "content": EVIL}),
    ]
    for number, (type, more) in enumerate(body, 1):
        yield {
            "schema_version": 1,
            "event_id": f"transcript:s:{number}",
            "session_id": "s",
            "sequence": number,
            "timestamp": "2026-05-11T14:00:00Z",
            "type": type,
            **more,
        }


def mycodeagent(huge: str) -> Iterator[Record]:
    """MyCodeAgent's events with hostile text."""
    call = {"tool_name": EVIL, "tool_call_id": EVIL, "args": {EVIL: EVIL}}
    body: list[tuple[str, Record]] = [
        ("message", {"role": "user", "content": EVIL * 60}),
        ("tool_call_requested", call),
        ("tool_call_started", call),
        ("tool_call_failed", {**call, "error": EVIL, "result": EVIL}),
        (EVIL, {EVIL: EVIL}),
        ("message", {"role": "assistant", "content": huge}),
        ("message", {"role": "assistant", "content": EVIL}),
    ]
    for number, (type, payload) in enumerate(body, 1):
        yield {
            "event_id": f"evt-{number}",
            "event_type": type,
            "session_id": EVIL,
            "run_id": EVIL,
            "step": number,
            "timestamp": "2026-05-11T14:00:00+00:00",
            "payload": payload,
        }


Dialect = Callable[[str], Iterator[Record]]
DIALECTS: dict[str, Dialect] = {
    "product": product,
    "envelope": envelope,
    "mycodeagent": mycodeagent,
}


def write(path: Path, dialect: Dialect, huge: str = "huge") -> None:
    """A transcript with broken bytes in its midst: the hostile text escaped, and as it is."""
    lines = [json.dumps(record) for record in dialect(huge)]
    bare = [json.dumps(record, ensure_ascii=False) for record in dialect("again")]
    if dialect is product:
        lines += bare[:3]
    path.parent.mkdir(exist_ok=True)
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    path.write_bytes(data + b"\n" + (b"\x1b[2J\xff\xfe\n" if dialect is product else b""))


def check(mei: Person) -> None:
    """Every line is as wide as the screen and holds nothing but visible characters."""
    for line in mei.lines():
        assert not FORBIDDEN.search(line), ascii(line)
        assert cell_len(line) == mei.desk.size.width, ascii(line)
    assert mei.desk.is_running
    assert mei.desk.title == "sessions"


def shows_whole(mei: Person) -> bool:
    """Whether the panel shows the event under the cursor."""
    row, event = mei.timeline.current, mei.panel.event
    return row is not None and event is not None and row.offset == event.offset


async def look_at_all(mei: Person, sections: str) -> None:
    """Every row at every depth, each with these sections of its panel."""
    for key in ("plus", "minus", "minus", "minus"):
        await mei.press(key)
        check(mei)
    await mei.press("plus", "plus", "plus", "g")
    for _ in range(len(mei.timeline.source)):
        await mei.until(lambda: shows_whole(mei))
        await mei.press("enter")
        for section in sections:
            await mei.press(section)
            check(mei)
        await mei.press("escape", "down")


@pytest.mark.parametrize(("size", "sections"), [((140, 40), "1234"), ((41, 12), "1")])
@pytest.mark.parametrize("name", DIALECTS)
async def test_hostile_text_is_only_shown(
    home: Home, sit: Sit, name: str, size: tuple[int, int], sections: str
) -> None:
    write(home.path("s"), DIALECTS[name])
    async with sit(size) as mei:
        await mei.opens("s")
        assert mei.session("s").dialect == name  # type: ignore[union-attr]
        await look_at_all(mei, sections)
        await mei.press("slash", *"quit", "enter")
        await mei.until_sees(" · quit")
        check(mei)
        await mei.press("enter", "y", "Y", "pagedown", "escape", "N", "question_mark")
        check(mei)
        await mei.press("question_mark", "ctrl+p")
        check(mei)


@pytest.mark.parametrize("name", DIALECTS)
async def test_a_line_of_thirty_megabytes_is_shown_by_its_beginning(
    home: Home, sit: Sit, name: str
) -> None:
    write(home.path("s"), DIALECTS[name], huge=(EVIL * (LONG // len(EVIL)))[:LONG])
    async with sit() as mei:
        await mei.opens("s")
        await mei.until(lambda: not mei.sees("indexing"))
        for _ in range(4):
            await mei.press("k")
            check(mei)


async def test_hostile_names_of_files_and_folders(home: Home, sit: Sit) -> None:
    name = "[@click=app.quit]x[x]\x1b]0;t\x07\u202e[$x] 👨‍👩‍👧"
    path = home.path(name, f"{name}-folder")
    write(path, envelope)
    async with sit() as mei:
        await mei.opens(name)
        check(mei)
        await mei.press("w")
        await mei.pilot.pause()
        check(mei)
        path.unlink()
        await mei.until_sees("cannot be read")
        check(mei)


async def test_clicks_do_what_they_do_elsewhere(home: Home, sit: Sit) -> None:
    write(home.path("s"), product)
    async with sit() as mei:
        await mei.opens("s")
        for line, text in enumerate(mei.lines()):
            if "quit" in text:
                await mei.pilot.click(offset=(cell_len(text[: text.index("quit")]) + 1, line))
                check(mei)
