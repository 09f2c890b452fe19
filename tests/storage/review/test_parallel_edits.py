"""Edits that ran side by side: no suggestion contradicts what was really carried out.

Carried out as the product does it: in any order, each only where its old text is in the file once,
and with backups made at any moment around it.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis import event, given, settings
from hypothesis import strategies as st

from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.review.cases import judged_actions
from tests.storage.crashes import AFTER, BEFORE, NOW, ProductCrash

FILES = ("left.py", "right.py")
LINES = (
    "LIMIT = 10\n",
    "STEP = 1\n",
    "名 = '库存'\n",
    "NAME = 'x'\n",
    "LIMIT = 20\n",
    "STEP = 12\n",
)


class Call(NamedTuple):
    """An Edit, or a Write where there is no old text."""

    file: str
    old: str | None
    new: str


lines = st.sampled_from(LINES)
contents = st.lists(lines, min_size=1, max_size=4, unique=True).map("".join)
news = st.one_of(lines, st.just(""), st.builds("{}{}".format, lines, lines))


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_no_suggestion_contradicts_what_happened(data: st.DataObject) -> None:
    before = {file: data.draw(contents) for file in FILES}
    made = planned(data, dict(before))
    now, backups, carried_out = dict(before), dict(before), set()
    for number in data.draw(st.permutations(range(len(made)))):
        call = made[number]
        if not data.draw(st.booleans()) or not carry_out(now, call):
            continue  # killed before it, or refused
        carried_out.add(number)
        if len(made) > 1 and data.draw(st.booleans()):
            backups[call.file] = now[call.file]
    with TemporaryDirectory() as directory:
        crash = ProductCrash(Path(directory))
        for file in FILES:
            is_written = any(made[number].file == file for number in carried_out)
            crash.leave(file, now[file].encode(), AFTER if is_written else BEFORE)
        for number, call in enumerate(made):
            ask(crash, call, f"c{number}")
        for number, file in enumerate(dict.fromkeys(call.file for call in made)):
            crash.back_up(file, backups[file].encode(), f"ab{number}@v1")
        for name, suggests in suggestions(crash).items():
            event(suggests)
            is_done = int(name.removeprefix("c")) in carried_out
            assert suggests != ("not-applied" if is_done else "applied"), name


def planned(data: st.DataObject, text: dict[str, str]) -> list[Call]:
    """Calls that an agent would make: each could be carried out after those before it.

    Each brings something new. Two of a file: three can hide one another in ways no file shows.
    """
    made: list[Call] = []
    count = data.draw(st.integers(1, 4))
    order = data.draw(st.permutations(FILES + FILES))
    for file in order[:count]:
        once = [line for line in LINES if text[file].count(line) == 1]
        if once and data.draw(st.integers(0, 3)) > 0:
            call = Call(file, data.draw(st.sampled_from(once)), data.draw(news))
        else:
            call = Call(file, None, data.draw(contents))
        is_new = not call.new or call.new not in text[file]
        if is_new and carry_out(text, call):
            made.append(call)
    return made or [Call("left.py", None, "\n")]


def carry_out(text: dict[str, str], call: Call) -> bool:
    """Whether a call is carried out, or refused."""
    if call.old is None:
        text[call.file] = call.new
        return True
    if text[call.file].count(call.old) != 1:
        return False
    text[call.file] = text[call.file].replace(call.old, call.new)
    return True


def ask(crash: ProductCrash, call: Call, name: str) -> None:
    path = {"file_path": call.file}
    if call.old is None:
        crash.ask("Write", path | {"content": call.new}, name)
    else:
        crash.ask("Edit", path | {"old_string": call.old, "new_string": call.new}, name)


def suggestions(crash: ProductCrash) -> dict[str, str]:
    with closing(Decisions(crash.home / "decisions")) as decisions:
        actions = judged_actions(crash.opened(), False, False, decisions, NOW)
        return {
            action.call_id or "": action.evidence.suggests for action in actions if action.evidence
        }
