"""The verdict on the evidence, on every case at hand and on what the cases leave out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.files.lines import split
from sessions_tui.storage.folds.integrity import Chain, chain_for
from sessions_tui.storage.model.agent import Agent
from sessions_tui.storage.model.event import Place
from sessions_tui.storage.model.integrity import Integrity
from sessions_tui.storage.records.parsing import is_blank, parse, read_line, tail_of

CASES = Path(__file__).parents[2] / "cases"
ENVELOPE = sorted(CASES.glob("envelope/*.jsonl"))
MYCODEAGENT = sorted(CASES.glob("mycodeagent*/**/*.jsonl"))


def judge(data: bytes, agent: Agent, session: str, resume: bool = False) -> Integrity:
    """The verdict on a whole file; with `resume` the chain is put away after every line."""
    *lines, tail = split_tail(data, agent.reader.strict)
    inner = first_session(data, agent)
    chain = chain_for(agent, session)
    state = tail_of(tail, agent.reader.strict)
    if state == "whole":
        lines.append(tail)
    for number, line in enumerate(lines, 1):
        if resume:
            chain = chain_for(agent, session, json.loads(json.dumps(chain.as_json())))
        feed(chain, line, number, agent, Place(session, number, 0, len(line), inner))
    return chain.verdict(state)


def split_tail(data: bytes, lone_cr: bool) -> list[bytes]:
    """The lines with the unterminated rest as the last, empty where there is none."""
    lines = [line.data for line in split(data, 0, lone_cr)]
    return lines if data and data[-1:] not in (b"\n", b"\r") else [*lines, b""]


def first_session(data: bytes, agent: Agent) -> str | None:
    for line in split(data, 0, lone_cr=True):
        parsed = parse(line.data, strict=False)
        if isinstance(parsed, dict) and (session := agent.reader.session_in(parsed)):
            return session
    return None


def feed(chain: Chain, line: bytes, number: int, agent: Agent, place: Place) -> None:
    if is_blank(line):
        chain.blank(number)
    else:
        chain.add(read_line(line, place, agent), number)


def expected_of(path: Path) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    return expected


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("path", ENVELOPE, ids=lambda path: path.stem)
def test_envelope_cases(path: Path, resume: bool) -> None:
    expected = expected_of(path)
    verdict = judge(path.read_bytes(), AGENTS["envelope"], path.stem, resume)
    assert verdict.state == expected["verdict"].replace("_", "-")
    if verdict.state == "corrupt":
        assert verdict.kind == expected["kind"]
        assert verdict.line == expected.get("line", verdict.line)


@pytest.mark.parametrize("path", MYCODEAGENT, ids=lambda path: path.stem)
def test_mycodeagent_cases(path: Path) -> None:
    error = expected_of(path).get("error")
    verdict = judge(path.read_bytes(), AGENTS["mycodeagent"], path.stem)
    if error is None or "has no events" in error["message"]:
        assert verdict.state in ("ok", "partial-tail")
        return
    assert "MyCodeAgent will refuse this file" in verdict.detail
    # A character cut at the very end is mended by the next append, so it is not called corrupt.
    cut = "unexpected end of data" in error["message"]
    assert verdict.state == ("partial-tail" if cut else "corrupt")


@pytest.mark.parametrize(
    ("name", "state", "kind", "line"),
    [
        ("01-ordinary-edits", "ok", None, None),
        ("03c-torn-last-line", "partial-tail", None, 13),
        ("10a-third-party-rewrite", "damaged", "bad_json", 8),
        ("10b-empty", "ok", None, None),
        ("10c-bad-utf8-lone-surrogate", "damaged", "encoding", 1),
    ],
)
def test_product_cases(name: str, state: str, kind: str | None, line: int | None) -> None:
    data = (CASES / "product" / f"{name}.jsonl").read_bytes()
    verdict = judge(data, AGENTS["product"], name)
    assert (verdict.state, verdict.kind, verdict.line) == (state, kind, line)


def test_product_counts_its_damaged_lines() -> None:
    verdict = judge(b'{"a":1}\nx\n\n{"a":1}\n[]\n{"a"', AGENTS["product"], "s", resume=True)
    assert (verdict.state, verdict.kind, verdict.line) == ("damaged", "bad_json", 2)
    assert verdict.detail.startswith("2 lines are damaged; line 2: ")


def own(**changes: object) -> bytes:
    """A record that MyCodeAgent's loader takes, with changes; None takes a field out."""
    record: dict[str, object] = {
        "event_id": "evt-1",
        "timestamp": "2026-06-09T10:00:01Z",
        "session_id": "s-1",
        "run_id": "run-1",
        "step": 0,
        "event_type": "message",
        "payload": {"role": "user", "content": "x", "metadata": {}},
        **changes,
    }
    kept = {key: value for key, value in record.items() if value is not None}
    return json.dumps(kept).encode() + b"\n"


CALLS = {"role": "assistant", "metadata": {"tool_calls": [None, {"id": "c"}]}}


@pytest.mark.parametrize(
    "line",
    [
        own(),
        own(step="3"),
        own(step=2.9),
        own(step=True),
        own(payload=None),
        own(payload=0),
        own(payload=[["role", "user"]]),
        own(payload=CALLS),
        own(schema_version=0),
        own(schema_version=7),
        own(session_id="other", event_type="nonsense"),
        own(session_id="other", run_id=None),
    ],
)
def test_what_mycodeagent_takes(line: bytes) -> None:
    assert judge(own() + line + own(), AGENTS["mycodeagent"], "s-1").state == "ok"


@pytest.mark.parametrize(
    "line",
    [
        own(run_id=None),
        own(step=[]),
        own(step=float("inf")),
        own(event_type=["message"]),
        own(payload=[1]),
        own(payload={"metadata": "x"}),
        own(payload={"role": "assistant", "metadata": {"tool_calls": "abc"}}),
        own(event_type="state_transition", payload={"details": 5}),
        own(schema_version=[1]),
        b"[]\n",
        b"not json\n",
        b"\xff\n",
    ],
)
@pytest.mark.parametrize("resume", [False, True])
def test_what_mycodeagent_refuses(line: bytes, resume: bool) -> None:
    verdict = judge(own() + line + own(), AGENTS["mycodeagent"], "s-1", resume)
    assert (verdict.state, verdict.line) == ("corrupt", 2)
    assert verdict.detail.startswith("MyCodeAgent will refuse this file: line 2: ")


@pytest.mark.parametrize(
    ("end", "state"),
    [
        (b'{"event', "partial-tail"),
        (b'{"event\n', "partial-tail"),
        (b'{"event\n\n', "corrupt"),
        (b'{"event\n{"even', "corrupt"),
        (b'{"event\r', "partial-tail"),
        (own().rstrip(), "ok"),
        (own(step="x").rstrip(), "corrupt"),
        (b"12", "corrupt"),
        (b"12\n", "corrupt"),
        (b'"\xe4\xbf', "partial-tail"),
        (b'"\xe4\xbf\n', "corrupt"),
    ],
)
def test_the_end_of_a_mycodeagent_file(end: bytes, state: str) -> None:
    assert judge(own() + end, AGENTS["mycodeagent"], "s-1").state == state


def test_mycodeagent_goes_by_the_first_session_named() -> None:
    early = own(session_id=None, event_type="nonsense")
    assert judge(early + own(), AGENTS["mycodeagent"], "s-1").state == "ok"
