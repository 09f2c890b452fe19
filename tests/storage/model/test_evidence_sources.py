"""Whatever supports it, no suggestion contradicts the file: real files, records and backups.

Any number of edits of one file, by any tool, with results or without, beside backups, snapshots,
readings and temporary files of any age and content; judged by what `sessions actions` calls.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.model.action import Action
from sessions_tui.storage.model.edits import edit_of
from sessions_tui.storage.review.cases import judged_actions
from tests.storage.crashes import (
    AFTER,
    BEFORE,
    CALL,
    CRASHES,
    NOW,
    Crash,
    MyCodeAgentCrash,
    ProductCrash,
)

NAME = "src/库存 plan.py"
WORDS = ("a", "b", "ab", "a\nb", "数", "数\n量", "b\n", "")
"""Texts that contain one another: insertions, deletions, one edit undoing or repeating another."""

words = st.sampled_from(WORDS)
texts = st.lists(words, max_size=5).map("".join)
times = st.sampled_from([BEFORE, CALL - 1_000, CALL, AFTER])


class Call(NamedTuple):
    """One edit of the file, and what became of it."""

    tool: str
    changes: list[tuple[str, str, bool]]
    content: str
    end: str


calls = st.builds(
    Call,
    st.sampled_from(["Edit", "Edit", "MultiEdit", "Write"]),
    st.lists(st.tuples(words.filter(bool), words, st.booleans()), min_size=1, max_size=3),
    texts,
    st.sampled_from(["open", "open", "done", "failed"]),
)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_no_suggestion_contradicts_the_file(data: st.DataObject) -> None:
    with TemporaryDirectory() as directory:
        crash = data.draw(st.sampled_from(sorted(CRASHES.values(), key=str)))(Path(directory))
        now = data.draw(texts)
        form = data.draw(st.sampled_from(["{}", "\ufeff{}"])).format(now)
        form = data.draw(st.sampled_from([form, form.replace("\n", "\r\n")]))
        stamp = data.draw(times)
        noise(data, crash, form)
        if data.draw(st.booleans()):
            crash.leave(NAME, form.encode(), stamp)
            crash.read(NAME)
        asked = record(data, crash, data.draw(st.lists(calls, min_size=1, max_size=3)))
        crash.leave(NAME, form.encode(), stamp)
        judged = suggestions(crash)
        for action in judged:
            assert action.evidence
            check(action, now, action.evidence.suggests)
        assert {action.call_id for action in judged} <= asked


def noise(data: st.DataObject, crash: Crash, form: str) -> None:
    """What may lie about: a temporary file, an older snapshot."""
    if isinstance(crash, MyCodeAgentCrash) and data.draw(st.booleans()):
        crash.leave("src/.mycodeagent-a1b2.tmp", data.draw(texts).encode(), data.draw(times))
    if isinstance(crash, ProductCrash) and data.draw(st.booleans()):
        back_up(data, crash, form)


def back_up(data: st.DataObject, crash: ProductCrash, form: str) -> None:
    """A backup of what the file holds now, of anything else, or a note that there was no file."""
    content = data.draw(st.one_of(st.just(form), texts, st.none()))
    if content is None:
        crash.snapshot({NAME: {"version": 1, "backupTime": crash.at}})
    else:
        crash.back_up(NAME, content.encode(), data.draw(st.sampled_from(["ab12@v1", "ab12@v2"])))


def record(data: st.DataObject, crash: Crash, made: list[Call]) -> set[str]:
    """The calls, side by side or one after another, with snapshots anywhere."""
    asked = {}
    beside = data.draw(st.booleans())
    now = data.draw(texts)
    for number, call in enumerate(made):
        asked[f"c{number}"] = call
        ask(crash, call, f"c{number}")
        if isinstance(crash, ProductCrash) and data.draw(st.booleans()):
            back_up(data, crash, now)
        if not beside:
            end(crash, call, f"c{number}")
    for name, call in data.draw(st.permutations(list(asked.items()))):
        if beside:
            end(crash, call, name)
    return {name for name, call in asked.items() if call.end == "open"}


def end(crash: Crash, call: Call, name: str) -> None:
    if call.end != "open":
        crash.end(name, failed=call.end == "failed")


def ask(crash: Crash, call: Call, name: str) -> None:
    path = {crash.key: crash.named(NAME)}
    edits = [
        {"old_string": old, "new_string": new, "replace_all": everywhere}
        for old, new, everywhere in call.changes
    ]
    if call.tool == "Write":
        crash.ask(*crash.writing("Write", path, call.content), name)
    elif call.tool == "Edit" and crash.dialect != "mycodeagent":
        crash.ask("Edit", path | edits[0], name)
    else:
        crash.ask(call.tool, path | {"edits": edits}, name)


def suggestions(crash: Crash) -> list[Action]:
    """The uncertain actions as `sessions actions` judges them."""
    with closing(Decisions(crash.home / "decisions")) as decisions:
        actions = list(judged_actions(crash.opened(), False, False, decisions, NOW))
    return [action for action in actions if action.state == "uncertain"]


def check(action: Action, now: str, suggests: str) -> None:
    """That the suggestion is not ruled out by what the file holds."""
    edit = edit_of(action.tool, action.args)
    assert edit
    if not edit.changes[0].old:
        assert suggests != ("not-applied" if edit.changes[0].new == now else "applied")
        return
    news = [change.new for change in edit.changes]
    olds = [change.old or "" for change in edit.changes]
    if suggests == "applied":
        assert news[-1] in now
    if suggests == "not-applied":
        assert not (all(new in now for new in news) and not any(old in now for old in olds))
        if len(olds) == 1 and olds[0] in news[0]:
            assert news[0] not in now or olds[0] in now.replace(news[0], "\0")
