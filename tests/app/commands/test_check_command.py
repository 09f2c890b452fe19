"""`sessions check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import alone

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"
INTEGRITY = {"state": str, "kind": (str, type(None)), "line": (int, type(None)), "detail": str}
CHECKED = {
    "path": str,
    "session": str,
    "dialect": str,
    "integrity": dict,
    "events": int,
    "tail_bytes": int,
}


def has_shape(found: dict[str, Any], shape: dict[str, Any]) -> bool:
    return all(isinstance(found[name], kind) for name, kind in shape.items())


@pytest.mark.parametrize("path", sorted(CASES.glob("envelope/*.jsonl")), ids=lambda path: path.stem)
def test_check_judges_a_transcript(sessions: Sessions, tmp_path: Path, path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    ran = sessions("check", alone(path, tmp_path), "--json")
    (checked,) = ran.document
    assert has_shape(checked, CHECKED)
    assert has_shape(checked["integrity"], INTEGRITY)
    assert checked["integrity"]["state"] == expected["verdict"].replace("_", "-")
    assert ran.code == (1 if expected["verdict"] == "corrupt" else 0)
    if "total_events" in expected:
        assert checked["events"] == expected["total_events"]


def test_check_of_a_whole_store(sessions: Sessions) -> None:
    ran = sessions("check", "--root", CASES / "product-store")
    assert (ran.code, len(ran.out.splitlines())) == (0, 16)
    assert " 35 events  /" in ran.out.splitlines()[0]
    assert ran.err == "16 transcripts: 16 ok.\n"
    damaged = CASES / "product" / "10a-third-party-rewrite.jsonl"
    ran = sessions("check", damaged, damaged)
    assert (ran.code, len(ran.out.splitlines())) == (1, 1)
    assert "line 8" in ran.out
    assert ran.err == "1 transcript: 1 damaged.\n"


def test_check_sums_up_what_it_found(sessions: Sessions, tmp_path: Path) -> None:
    for name, text in (("a", "{}\n"), ("b", "hello\n"), ("c", "{}\n")):
        (tmp_path / f"{name}.jsonl").write_text(text)
    paths = [tmp_path / f"{name}.jsonl" for name in "abc"]
    ran = sessions("check", *paths)
    assert (ran.code, ran.err) == (1, "3 transcripts: 2 ok, 1 corrupt.\n")
    assert sessions("check", *paths, "--json").err == ""
