"""Any bytes from a terminal, and keys that come faster than screens open."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message
from textual.widgets import Input

from sessions_tui.app.demo.steps import Answer, Prompt

from .seat import Seat
from .sitting import Home, Person, Sit

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)

from sessions_tui.app.terminal.driver import Keys

QUIT = b"\x11"

ODD = {
    "latin-1": b"\xe9t\xe9",
    "gbk": "库存".encode("gbk"),
    "half a character": b"\xe5\xba",
    "no character at all": b"\xff\xfe\xc0\xaf\xed\xa0\x80\xf5\x80",
    "in a sequence": b"\x1b[\xe9A",
    "after an escape": b"\x1b\xe9",
    "in a mouse event": b"\x1b[<\xe9;1;1M",
    "in a paste": b"\x1b[200~caf\xe9 \xb2\xe2\x1b[201~",
    "a number that is none": b"\x1b[97:65;1:3u",
    "beyond all characters": b"\x1b[1114112u\x1b[99999999999999999999u",
    "a terminal without a size": b"\x1b[48;0;0;0;0t",
}


def told(keys: Keys, data: bytes) -> Iterator[str]:
    """Characters, pastes in brackets."""
    for message in keys.read(data):
        yield _text(message)


def _text(message: Message) -> str:
    if isinstance(message, events.Paste):
        return f"[{message.text}]"
    return (message.character or message.key) if isinstance(message, events.Key) else ""


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_bytes_in_any_packets_are_the_same_text(size: int) -> None:
    data = "é库👍".encode() + b"\xe9t" + b"\x1b[200~caf\xe9!\x1b[201~" + b"z"
    keys = Keys(XTermParser())
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    text = "".join(piece for data in pieces for piece in told(keys, data))
    assert text == "é库👍\ufffdt[caf\ufffd!]z"


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_what_follows_odd_bytes_is_understood(data: bytes) -> None:
    keys = Keys(XTermParser())
    list(told(keys, data))
    list(keys.tick())
    list(told(keys, b" " * 40))  # ends whatever sequence was begun
    assert "".join(told(keys, b"abc\x1bOS")).startswith("abc")


@pytest.fixture
def seat(tmp_path: Path, program: str) -> Iterator[Seat]:
    """The program on a terminal of its own, with one session."""
    folder = tmp_path / "root" / "projects" / "p"
    folder.mkdir(parents=True)
    line = '{"type":"message","role":"user","content":"hello there"}\n'
    (folder / "s.jsonl").write_text(line)
    places = ["--cache-dir", str(tmp_path / "c"), "--data-dir", str(tmp_path / "d")]
    environ = {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "130", "HOME": str(tmp_path)}
    seat = Seat([program, "--root", str(tmp_path / "root"), *places], environ, tmp_path)
    yield seat
    seat.leave()


def test_no_bytes_end_the_program(seat: Seat) -> None:
    seat.sees(b"hello there")
    for data in ODD.values():
        seat.types(data)
    seat.sees(b"caf")  # in the form that the t in the middle opened
    seat.types(QUIT)
    assert seat.ends() == 0
    assert b"Traceback" not in seat.printed
    assert b"Error" not in seat.printed


def test_keys_in_one_packet_with_f4_are_searched_for(seat: Seat) -> None:
    seat.sees(b"hello there")
    seat.types(b"\x1bOSlexer")
    seat.sees(b"lexer")
    seat.types(QUIT)
    assert seat.ends() == 0


pytest_anyio = pytest.mark.anyio


@pytest.fixture
def filled(home: Home) -> Home:
    """One session."""
    home.agent("s", 30).does(Prompt("Fix the docs"), Answer("Fixed."))
    return home


def at_once(mei: Person, *keys: str) -> None:
    """Press keys so fast that none has had its effect when the last one comes."""
    for key in keys:
        character = key if len(key) == 1 else None
        mei.desk.post_message(events.Key(key, character))


def typed(mei: Person) -> str:
    """What stands in the box that has the focus."""
    return mei.desk.focused.value if isinstance(mei.desk.focused, Input) else ""


@pytest_anyio
@pytest.mark.parametrize("opening", ["f4", "slash", "t"])
async def test_text_reaches_the_box_that_opens(filled: Home, sit: Sit, opening: str) -> None:
    async with sit() as mei:
        await mei.opens("s")
        at_once(mei, opening, *"queue")
        await mei.until(lambda: typed(mei).endswith("queue"))
        if opening == "t":
            at_once(mei, "enter")
            await mei.until(lambda: mei["s"].title.endswith("queue"))


@pytest_anyio
async def test_a_form_that_the_feed_opens_gets_its_text(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.opens("s")
        at_once(mei, "m", *"worth it")
        await mei.until(lambda: "worth it" in typed(mei))


@pytest_anyio
async def test_places_one_after_another(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.opens("s")
        at_once(mei, "f2", "f5", "f4", *"words", "f1", "f3")
        await mei.until(lambda: mei.desk.place == "candidates")
        assert mei.desk.get_screen("search").query_one(Input).value == "words"


@pytest_anyio
async def test_a_paste_waits_for_its_box(filled: Home, sit: Sit) -> None:
    async with sit() as mei:
        await mei.opens("s")
        at_once(mei, "f4")
        mei.desk.post_message(events.Paste("pasted words"))
        await mei.until(lambda: typed(mei) == "pasted words")
