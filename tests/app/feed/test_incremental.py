"""A list put together in slices: what is told, when, and how much work is done for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sessions_tui.app.feed.incremental import IncrementalList
from sessions_tui.app.feed.requests import Subject


class Source:
    """Things to gather, and what was told of them."""

    def __init__(self, *things: str) -> None:
        self.things = [*things]
        self.began = 0
        self.told: list[tuple[Subject, list[str]]] = []
        self.whole: list[bool] = []
        self.gathering = IncrementalList(self.gather, self.tell)

    def tell(self, subject: Subject, things: list[str], is_whole: bool) -> None:
        self.told.append((subject, things))
        self.whole.append(is_whole)

    def gather(self, subject: Subject) -> Iterator[str | None]:
        self.began += 1
        for thing in self.things:
            yield thing
            yield None

    def work(self) -> int:
        """Do all there is to do; how many slices that took."""
        slices = 0
        while self.gathering.slice():
            slices += 1
        return slices


def test_nothing_is_gathered_before_anybody_looks() -> None:
    source = Source("a")
    assert source.work() == 0
    source.gathering.changed(at_once=True)
    assert source.work() == 0
    assert source.told == []


def test_all_of_it_is_told_once() -> None:
    source = Source("a", "b")
    source.gathering.look_at("all")
    assert source.work() == 5
    assert source.told == [("all", ["a", "b"])]
    assert source.whole == [True]
    assert source.work() == 0


def test_an_empty_list_is_told_too() -> None:
    source = Source()
    source.gathering.look_at("all")
    source.work()
    assert source.told == [("all", [])]


def test_what_has_not_changed_is_not_told_again() -> None:
    source = Source("a")
    source.gathering.look_at("all")
    source.work()
    source.gathering.changed(at_once=True)
    source.work()
    assert (source.began, len(source.told)) == (2, 1)
    source.things.append("b")
    source.gathering.changed(at_once=True)
    source.work()
    assert source.told[-1] == ("all", ["a", "b"])


def test_a_thousand_changes_are_one_gathering() -> None:
    source = Source("a")
    source.gathering.look_at("all")
    source.work()
    for _ in range(1_000):
        source.gathering.changed(at_once=True)
    source.work()
    assert source.began == 2


def test_another_subject_is_gathered_at_once() -> None:
    source = Source("a")
    source.gathering.look_at("all")
    source.gathering.slice()
    source.gathering.look_at(Path("one"))
    source.work()
    assert source.told == [(Path("one"), ["a"])]
    source.gathering.look_at(None)
    source.gathering.changed(at_once=True)
    assert source.work() == 0


def test_a_change_meanwhile_is_gathered_afterwards() -> None:
    source = Source("a")
    source.gathering.look_at("all")
    source.gathering.slice()
    source.things.append("b")
    source.gathering.changed()
    source.work()
    source.gathering.changed(at_once=True)
    source.work()
    assert source.told[-1] == ("all", ["a", "b"])


def test_a_decision_shows_at_once() -> None:
    source = Source("a", "b")
    source.gathering.amend(str.upper)
    source.gathering.look_at("all")
    source.gathering.slice()
    source.gathering.amend(str.upper)
    assert (source.told[-1], source.whole[-1]) == (("all", ["A"]), False)
    source.work()
    assert source.told[-1] == ("all", ["A", "b"])
    source.gathering.amend(str.upper)
    assert (source.told[-1], source.whole[-1]) == (("all", ["A", "B"]), True)
    told, began = len(source.told), source.began
    source.gathering.amend(str.upper)
    assert (len(source.told), source.began) == (told, began)
