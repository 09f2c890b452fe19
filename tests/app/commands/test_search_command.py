"""`sessions search`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.storage.talks import Said, talk

Sessions = Callable[..., Any]

HIT: dict[str, Any] = {
    "session": str,
    "event_id": (str, type(None)),
    "number": int,
    "kind": str,
    "at": (str, type(None)),
    "snippet": str,
}
SAYS: list[Said] = [
    ("prompt", "库存超卖了，帮我修好", 1),
    ("reasoning", "a quiet needle", 2),
    ("result", "a needle\x1b[31m in red", 3),
    ("answer", "修好了：用SQLite存\x1b[31m \u202eneedle001", 4),
]


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """A store of five sessions."""
    for number in range(5):
        said: list[Said] = [("prompt", f"Question {number}", 10 * number + 5)]
        talk(tmp_path / "home", f"session-{number}", said)
    talk(tmp_path / "home", "main", SAYS)
    return tmp_path / "home"


def test_the_shape_of_a_hit(sessions: Sessions, talks: Path) -> None:
    ran = sessions("search", "sqlite", "--json", "--root", talks)
    assert ran.code == 0
    (hit,) = ran.objects
    assert all(isinstance(hit[name], kind) for name, kind in HIT.items())
    assert hit["event_id"] == "transcript:main:4"
    assert (hit["session"], hit["number"], hit["kind"]) == ("main", 4, "answer")
    assert "用SQLite存" in hit["snippet"]
    assert hit["at"].endswith("Z")
    assert "\u202e" not in ran.out


def test_hits_come_newest_first_and_no_more_than_wanted(sessions: Sessions, talks: Path) -> None:
    hits = sessions("search", "question", "--json", "--root", talks, "--limit", 3).objects
    assert [hit["session"] for hit in hits] == ["session-4", "session-3", "session-2"]


@pytest.mark.parametrize("limit", [0, -1])
def test_no_hits_cannot_be_asked_for(sessions: Sessions, talks: Path, limit: int) -> None:
    ran = sessions("search", "question", "--root", talks, "--limit", limit)
    assert (ran.code, ran.out) == (2, "")
    assert "at least 1" in ran.err


@pytest.mark.parametrize("query", ["", " ", '"', "kind:"])
def test_a_query_for_nothing_is_wrong_usage(sessions: Sessions, talks: Path, query: str) -> None:
    ran = sessions("search", query, "--root", talks)
    assert (ran.code, ran.out, ran.err) == (2, "", "sessions: Empty query.\n")


def test_a_hit_is_a_line_that_steers_no_terminal(sessions: Sessions, talks: Path) -> None:
    ran = sessions("search", "needle001", "--root", talks)
    heading, line = ran.out.splitlines()
    assert heading == "库存超卖了，帮我修好 · shop"
    assert "main      answer" in line
    assert "needle001" in line
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out


def test_a_session_is_named_once_above_its_hits(sessions: Sessions, talks: Path) -> None:
    ran = sessions("search", "question*", "--root", talks)
    assert ran.out.splitlines()[::2] == [f"Question {number} · shop" for number in range(4, -1, -1)]
    both = sessions("search", "--thoughts", "--outputs", "needle*", "--root", talks).out
    assert [line for line in both.splitlines() if line.endswith(" · shop")] == [
        "库存超卖了，帮我修好 · shop"
    ]


def test_that_there_is_more_is_said(sessions: Sessions, talks: Path) -> None:
    for how in ([], ["--json"]):
        ran = sessions("search", "question", "--root", talks, "--limit", 3, *how)
        assert (ran.code, ran.out.count("Question")) == (0, 3 if how else 6)
        assert ran.err == "sessions: Showing 3; more results exist: raise --limit.\n"
    assert sessions("search", "question", "--root", talks, "--limit", 5).err == ""


def test_hidden_sessions_are_searched_only_by_name(sessions: Sessions, talks: Path) -> None:
    assert sessions("hide", "main", "--root", talks).code == 0
    assert sessions("search", "超卖", "--root", talks).code == 1
    assert sessions("search", "超卖", "status:hidden", "--root", talks).code == 0
    assert sessions("search", "超卖", "--session", "main", "--root", talks).code == 0


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (["needle*"], ["answer"]),
        (["needle", "--thoughts"], ["reasoning"]),
        (["needle", "--outputs"], ["result"]),
        (["needle*", "--outputs", "--thoughts"], ["answer", "result", "reasoning"]),
        (["kind:output needle"], ["result"]),
        (["kind:thought", "needle"], ["reasoning"]),
    ],
)
def test_thoughts_and_outputs_are_asked_for(
    sessions: Sessions, talks: Path, words: list[str], kinds: list[str]
) -> None:
    hits = sessions("search", *words, "--json", "--root", talks).objects
    assert [hit["kind"] for hit in hits] == kinds


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["超卖", "--session", "main"], 1),
        (["超卖", "--session", "session-1"], 0),
        (["超卖", "workspace:shop"], 1),
        (["超卖", "workspace:other"], 0),
        (["超卖", "since:2020-01-01"], 1),
        (["超卖", "since:2999-01-01"], 0),
        (["超卖", "status:hidden"], 0),
    ],
)
def test_sessions_are_chosen(
    sessions: Sessions, talks: Path, words: list[str], expected: int
) -> None:
    ran = sessions("search", *words, "--json", "--root", talks)
    assert len(ran.objects) == expected
    assert ran.code == (0 if expected else 1)


@pytest.mark.parametrize("query", ["nowhere", "(", "\\", "%_'; drop table"])
def test_no_hit_is_no_error(sessions: Sessions, talks: Path, query: str) -> None:
    ran = sessions("search", query, "--root", talks)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("sessions: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("fault", ["kind:foo", "since:zz", "status:bogus", "has:foo"])
def test_a_filter_that_means_nothing_says_what_it_takes(
    sessions: Sessions, talks: Path, fault: str
) -> None:
    ran = sessions("search", "question", fault, "--root", talks)
    assert (ran.code, ran.out) == (1, "")
    key, _, value = fault.partition(":")
    assert ran.err.startswith(f'sessions: Invalid value "{value}" for {key}:. Use ')
    assert ran.err.count("\n") == 1


def test_an_unknown_session_is_wrong_usage(sessions: Sessions, talks: Path) -> None:
    assert sessions("search", "x", "--session", "nobody", "--root", talks).code == 2


def test_a_file_elsewhere_can_be_searched(sessions: Sessions, talks: Path, tmp_path: Path) -> None:
    path = talk(tmp_path / "elsewhere", "far", [("answer", "far away", 1)])
    ran = sessions("search", "away", "--session", path, "--json", "--root", talks)
    assert [hit["path"] for hit in ran.objects] == [str(path)]


def test_what_cannot_be_read_is_told(sessions: Sessions, talks: Path) -> None:
    (talks / "projects" / "shop" / "loop.jsonl").symlink_to("loop.jsonl")
    ran = sessions("search", "question", "--json", "--root", talks)
    assert (ran.code, len(ran.objects)) == (6, 5)
    assert "loop.jsonl: " in ran.err


def test_corrupt_evidence_is_searched(sessions: Sessions, talks: Path) -> None:
    path = talks / "projects" / "shop" / "main.jsonl"
    path.write_text(path.read_text() + "{broken\n" + path.read_text())
    hits = sessions("search", "超卖", "--json", "--root", talks).objects
    assert [hit["number"] for hit in hits] == [6, 1]


def test_a_moment_may_be_as_iso_8601_has_it(sessions: Sessions, talks: Path) -> None:
    for moment, count in (("2020-01-01T10:00:00Z", 6), ("2999-01-01T10:00:00Z", 0)):
        ran = sessions("search", f"since:{moment}", "kind:you", "--json", "--root", talks)
        assert len(ran.objects) == count
        listed = sessions("list", "--since", moment, "--json", "--root", talks)
        assert len(listed.document["sessions"]) == count


def test_a_line_that_is_too_long_is_told(
    sessions: Sessions, talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("files.lines", "folds.facts", "transcript.transcript"):
        monkeypatch.setattr(f"sessions_tui.storage.{module}.LONGEST", 200_000)
    path = talk(talks, "long", [("answer", "hay " * 100_000, 50), ("answer", "a needle", 51)])
    ran = sessions("search", "needle", "--json", "--root", talks)
    assert (ran.code, len(ran.objects)) == (6, 1)
    assert ran.err == f"sessions: {path}: a line in it is too long to be searched.\n"
