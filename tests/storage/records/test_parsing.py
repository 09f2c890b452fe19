"""A line becomes a record, or says why it cannot."""

from __future__ import annotations

import math

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.event import Place
from sessions_tui.storage.records.parsing import (
    Damage,
    Mended,
    damage_of,
    is_blank,
    parse,
    read_line,
    tail_of,
)

PLACE = Place("s", 1, 0, 0)


@pytest.mark.parametrize(
    ("line", "record"),
    [
        (b'{"a":1}', {"a": 1}),
        (b' \t{"a": [1, {"b": null}]} ', {"a": [1, {"b": None}]}),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'{"a":"\\ud83d"}', {"a": "\ud83d"}),
        (b'{"a":1e400}', {"a": math.inf}),
        (b'{"a":-Infinity}', {"a": -math.inf}),
        (b'{"a":' + b"7" * 400 + b"}", {"a": int("7" * 400)}),
        ('{"a":"\u2028\u0085\u000b"}'.replace("\u000b", "").encode(), {"a": "\u2028\u0085"}),
    ],
)
def test_tolerated(line: bytes, record: object) -> None:
    assert parse(line, strict=True) == record
    assert parse(line, strict=False) == record


def test_not_a_number_is_tolerated() -> None:
    parsed = parse(b'{"a":NaN}', strict=True)
    assert isinstance(parsed, dict)
    assert math.isnan(parsed["a"])


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"", "bad_json"),
        (b"{", "bad_json"),
        (b'{"a":1}{"a":1}', "bad_json"),
        (b'{"a":"\x01"}', "bad_json"),
        (b"{'a':1}", "bad_json"),
        (b'\xc2\xa0{"a":1}', "bad_json"),
        (b"\x00" * 20, "bad_json"),
        (b"12", "not_object"),
        (b"null", "not_object"),
        (b'["a"]', "not_object"),
        (b"NaN", "not_object"),
        (b"[" * 500, "bad_json"),
        (b'{"a":' * 100_000, "too_deep"),
        (b"[" * 3_000 + b"]" * 3_000, "too_deep"),
        (b'{"a":' + b"7" * 5_000 + b"}", "too_long"),
    ],
)
@pytest.mark.parametrize("strict", [True, False])
def test_damage(line: bytes, kind: str, strict: bool) -> None:
    parsed = parse(line, strict)
    assert isinstance(parsed, Damage)
    assert parsed.kind == kind
    assert parsed.detail


def test_a_byte_order_mark_is_dropped_unless_strict() -> None:
    line = b'\xef\xbb\xbf{"a":1}'
    assert parse(line, strict=False) == {"a": 1}
    strict = parse(line, strict=True)
    assert isinstance(strict, Damage)
    assert strict.kind == "bad_json"


def test_invalid_utf8_is_replaced_unless_strict() -> None:
    line = b'{"a":"x\xffy"}'
    mended = parse(line, strict=False)
    assert isinstance(mended, Mended)
    assert mended.record == {"a": "x\ufffdy"}
    assert mended.damage.kind == "encoding"
    assert parse(line, strict=True) == mended.damage


@pytest.mark.parametrize("line", [b"", b" \t\r", b"\x1c\x1e", "\u3000\u2028\xa0\x85".encode()])
def test_blank(line: bytes) -> None:
    assert is_blank(line)


@pytest.mark.parametrize("line", [b"{}", b"0", b" x", b"\x00", b"\xc2", b"\xef\xbb\xbf", b"\xff "])
def test_not_blank(line: bytes) -> None:
    assert not is_blank(line)


@pytest.mark.parametrize(
    ("tail", "strict", "state"),
    [
        (b"", True, "none"),
        ("\xa0".encode(), True, "none"),
        (b'{"a":1}', True, "whole"),
        (b'{"a":1', True, "torn"),
        (b'{"a":"\xe4\xbf', True, "torn-character"),
        (b'{"a":"\xe4\xbf', False, "torn"),
        (b'{"a":"\xe4\xbf"}', False, "whole"),
        (b"12", True, "refused"),
        (b"[" * 100_000, True, "refused"),
    ],
)
def test_tail(tail: bytes, strict: bool, state: str) -> None:
    assert tail_of(tail, strict) == state


def test_a_damaged_line_is_an_event_that_says_why() -> None:
    event = read_line(b"not json", PLACE, AGENTS["envelope"])
    assert event.kind == "damaged"
    assert event.event_id is None
    assert event.text == event.problem == "bad_json: not JSON: Expecting value at character 1"
    assert damage_of(event) == Damage("bad_json", "not JSON: Expecting value at character 1")


def test_a_mended_line_keeps_its_kind_and_its_damage() -> None:
    line = b'{"type":"message","role":"user","content":"h\xffi"}'
    event = read_line(line, PLACE, AGENTS["product"])
    assert (event.kind, event.text) == ("prompt", "h\ufffdi")
    damage = damage_of(event)
    assert damage is not None
    assert damage.kind == "encoding"


def test_other_problems_are_no_damage() -> None:
    event = read_line(b'{"type":"message","content":"x"}', PLACE, AGENTS["envelope"])
    assert event.problem.startswith("malformed: ")
    assert damage_of(event) is None
