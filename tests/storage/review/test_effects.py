"""Effects without a record: which are found, and what the disk says of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.action import Action
from sessions_tui.storage.model.edits import Change
from sessions_tui.storage.model.evidence import Inspection
from sessions_tui.storage.review.actions import actions_of
from sessions_tui.storage.review.changed_files import ChangedFile, ChangedFiles
from sessions_tui.storage.review.effect_inspection import LATE
from sessions_tui.storage.review.effects import KeptEffects, effect_with, effects_of
from sessions_tui.storage.review.inspection import inspect
from sessions_tui.storage.review.reasons import LOST_CALLS, WITH_CHANGE
from tests.storage.responding import BEGAN, Responding

SECOND = 1_000


@pytest.fixture
def agent(tmp_path: Path) -> Responding:
    """One that has read two files and is about to change them."""
    agent = Responding(tmp_path)
    for name in ("a.py", "b.py"):
        agent.file(name, "old\n", BEGAN - SECOND)
    agent.prompt()
    agent.begin()
    call = agent.call("Read", last=True, file_path=str(agent.project / "a.py"))
    agent.result(call, "Read")
    agent.begin()
    agent.text()
    return agent


def found(agent: Responding) -> dict[str, str]:
    """How each effect was found, by the path in the project."""
    actions = effects_of(agent.read(), agent.at).actions
    return {
        Path(one.path or "").relative_to(agent.project).as_posix(): one.found for one in actions
    }


def seen(agent: Responding, name: str) -> Inspection:
    transcript = agent.read()
    path = str(agent.project / name)
    action = next(one for one in effects_of(transcript, agent.at).actions if one.path == path)
    inspection = inspect(transcript, action, agent.at + 60 * SECOND)
    assert inspection
    return inspection


def test_they_are_actions_with_a_path_and_no_call(agent: Responding) -> None:
    agent.track("b.py")
    (effect,) = effects_of(agent.read(), agent.at).actions
    path = str(agent.project / "b.py")
    assert effect == Action(
        agent=AGENTS["product"],
        action=f"effect:s1:{path}",
        session="s1",
        call_id=None,
        tool="",
        state="uncertain",
        replay_allowed=False,
        side_effects="yes",
        at=agent.at,
        path=path,
        offset=effect.offset,
        size=effect.size,
        found="snapshot",
    )


def test_in_both_ways(agent: Responding) -> None:
    agent.edit("a.py")
    agent.track("a.py", "b.py")
    for name in ("a.py", "b.py", "made/c.py"):
        agent.file(name, "new\n", agent.at + SECOND)
    agent.file("before.py", "x", agent.at - SECOND)
    assert found(agent) == {"b.py": "snapshot", "made/c.py": "directory"}


@pytest.mark.parametrize(
    ("tool", "args", "is_named"),
    [
        ("Write", {"file_path": "made/c.py"}, True),
        ("Bash", {"command": "echo x > ./made/c.py"}, True),
        ("Bash", {"command": "make all"}, False),
        ("Bash", {"command": "cat cc.py c.pyc"}, False),
        ("Read", {"file_path": "made/c.py"}, False),
        ("NotebookEdit", {"notebook_path": "made/c.py"}, True),
    ],
)
def test_what_a_call_of_the_response_names_is_no_effect(
    agent: Responding, tool: str, args: dict[str, str], is_named: bool
) -> None:
    whole = {
        key: f"{agent.project}/{value}" if "path" in key else value for key, value in args.items()
    }
    agent.call(tool, **whole)  # type: ignore[arg-type]
    agent.file("made/c.py", "new\n", agent.at + SECOND)
    assert found(agent) == ({} if is_named else {"made/c.py": "directory"})


def test_a_command_that_ended_before_does_not_name_it(tmp_path: Path) -> None:
    agent = Responding(tmp_path)
    agent.prompt()
    agent.begin()
    call = agent.call("Bash", last=True, command="python c.py")
    agent.result(call, "Bash")
    agent.begin()
    agent.text()
    agent.file("c.py", "new\n", agent.at + SECOND)
    assert found(agent) == {"c.py": "directory"}


@pytest.mark.parametrize("end", ["whole", "stopped", "next prompt"])
def test_nothing_is_looked_for_where_nothing_was_lost(agent: Responding, end: str) -> None:
    if end == "whole":
        agent.edit("a.py", last=True)
    elif end == "stopped":
        agent.stop()
    else:
        agent.prompt("Go on")
    agent.file("c.py", "new\n", agent.at + SECOND)

    def search(*about: object) -> ChangedFiles:
        raise AssertionError("no look was wanted")

    assert effects_of(agent.read(), agent.at, search).actions == ()


def differs(agent: Responding) -> None:
    agent.track("b.py")
    agent.file("b.py", "new\n", agent.at + SECOND)


def made(agent: Responding) -> None:
    agent.track(b__py=None)
    agent.file("b.py", "new\n", agent.at + SECOND)


def not_made(agent: Responding) -> None:
    agent.track(c__py=None)


def as_before(agent: Responding) -> None:
    agent.track("b.py")


def backed_up_after_the_change(agent: Responding) -> None:
    agent.file("b.py", "new\n", agent.at + 20)
    agent.track("b.py")


def gone(agent: Responding) -> None:
    agent.track("b.py")
    (agent.project / "b.py").unlink()


def without_its_backup(agent: Responding) -> None:
    agent.track("b.py")
    for path in (agent.home / "file-history").rglob("*@v1"):
        path.unlink()


def changed_without_its_backup(agent: Responding) -> None:
    without_its_backup(agent)
    agent.file("b.py", "new\n", agent.at + SECOND)


def older_and_different(agent: Responding) -> None:
    agent.track("b.py", b__py="other\n")


def copied_as_before(agent: Responding) -> None:
    agent.track("b.py")
    agent.file("b.py", "old\n", agent.at + LATE + SECOND)


def there_from_before(agent: Responding) -> None:
    agent.track(b__py=None)


def backed_up_after_the_snapshot(agent: Responding) -> None:
    agent.track(b__py=None)
    agent.file("b.py", "new\n", agent.at + 20)
    name = hashlib.sha256(b"b.py").hexdigest()[:16]
    backup = agent.home / "file-history" / agent.session / f"{name}@v1"
    backup.parent.mkdir(parents=True)
    backup.write_text("old\n")


def backed_up_and_not_changed(agent: Responding) -> None:
    backed_up_after_the_snapshot(agent)
    agent.file("b.py", "old\n", BEGAN - SECOND)


def cut_off_while_it_was_made(agent: Responding) -> None:
    agent.track(c__py=None)
    agent.file("c.py", "", agent.at + 20)


def cut_off_while_it_was_changed(agent: Responding) -> None:
    agent.track("b.py")
    agent.file("b.py", "", agent.at + 20)


def a_directory(agent: Responding) -> None:
    gone(agent)
    (agent.project / "b.py").mkdir()


@pytest.mark.parametrize(
    ("leave", "name", "suggests", "says"),
    [
        (differs, "b.py", "applied", "the file differs from its backup."),
        (made, "b.py", "applied", "no backup of the file was made, as of a new one"),
        (not_made, "c.py", "not-applied", "no backup of the file was made, and it does not exist"),
        (as_before, "b.py", "not-applied", "the file is the same as its backup."),
        (backed_up_after_the_change, "b.py", "ambiguous", "may have been made after the change."),
        (gone, "b.py", "changed-since", "existed before the response and is gone now."),
        (without_its_backup, "b.py", "not-applied", "was not written since the response began."),
        (changed_without_its_backup, "b.py", "unknown", "its backup cannot be read"),
        (older_and_different, "b.py", "ambiguous", "was last written before the response began."),
        (copied_as_before, "b.py", "not-applied", "the same as its backup."),
        (there_from_before, "b.py", "ambiguous", "it is older than the response."),
        (backed_up_after_the_snapshot, "b.py", "applied", "the file differs from its backup."),
        (backed_up_and_not_changed, "b.py", "not-applied", "the file is the same as its backup."),
        (cut_off_while_it_was_made, "c.py", "unknown", "the file is empty"),
        (cut_off_while_it_was_changed, "b.py", "unknown", "the file is empty"),
        (a_directory, "b.py", "unknown", "It is a directory, not a file."),
    ],
)
def test_what_the_disk_says(
    agent: Responding, leave: Callable[[Responding], None], name: str, suggests: str, says: str
) -> None:
    leave(agent)
    evidence = seen(agent, name).evidence
    assert evidence.suggests == suggests
    assert says in evidence.reason
    assert evidence.path == str(agent.project / name)


def test_it_says_how_it_was_found_and_when_it_changed(agent: Responding) -> None:
    agent.track("b.py")
    agent.file("b.py", "new\n", agent.at + LATE + 5 * 60 * SECOND)
    agent.file("c.py", "new\n", agent.at + 700)
    named, other = seen(agent, "b.py").evidence, seen(agent, "c.py").evidence
    assert named.reason == (
        "A snapshot names it, but no recorded call does: the file differs from its backup."
        " It was last written 15 min after the last record, perhaps by someone else."
    )
    assert (other.suggests, other.reason) == (
        "changed-since",
        "No recorded call accounts for it: the file was changed 0.7 s after the last record.",
    )


def test_it_shows_what_changed_since_the_backup(agent: Responding) -> None:
    differs(agent)
    edit = seen(agent, "b.py").edit
    assert edit
    assert edit.changes == (Change("old\n", "new\n"),)


def test_a_file_is_looked_for_once_in_a_while(agent: Responding) -> None:
    asked: list[tuple[str, int]] = []

    def search(directory: str, since: int, skip: tuple[str, ...]) -> ChangedFiles:
        asked.append((directory, since))
        assert skip == (str(agent.home),)
        return ChangedFiles((ChangedFile(f"{directory}/c.py", since + 1),), "Cut short.")

    kept, transcript = KeptEffects(search), agent.read()
    for now in (0, 1_000, 59_999):
        assert kept.of(transcript, now).missing == "Cut short."
    assert asked == [(str(agent.project), agent.at)]
    kept.of(transcript, 60_000)
    assert len(asked) == 2
    agent.track("b.py")
    transcript.read()
    assert len(kept.of(transcript, 60_001).actions) == 2
    assert len(asked) == 3


def test_one_is_found_by_its_id_whatever_became_of_the_file(agent: Responding) -> None:
    agent.track("b.py")
    made = agent.file("c.py", "new\n", agent.at + SECOND)
    transcript = agent.read()
    listed = {one.action or "": one for one in effects_of(transcript, agent.at).actions}
    made.unlink()
    assert {id: effect_with(transcript, id) for id in listed} == listed
    assert effect_with(transcript, "effect:other:/a") is None


def test_hostile_names_are_names(agent: Responding) -> None:
    name = "\x1b[31m‮a\udcff.py"
    try:
        os.close(os.open(agent.project / name, os.O_CREAT | os.O_WRONLY))
    except (OSError, UnicodeError):
        pytest.skip("no file can have this name here")
    (effect,) = effects_of(agent.read(), agent.at).actions
    assert effect.path
    effect.path.encode()


def test_a_file_of_an_edit_that_ended_before_was_changed_again(agent: Responding) -> None:
    agent.result(agent.edit("a.py", last=True))
    agent.begin()
    agent.text()
    agent.file("a.py", "new\nand more\n", agent.at + 2 * SECOND)
    assert found(agent) == {"a.py": "directory"}
    assert seen(agent, "a.py").evidence.suggests == "changed-since"


def test_a_file_as_an_edit_left_it_was_not_changed_again(agent: Responding) -> None:
    call = agent.edit("a.py")
    agent.file("a.py", "new\n", agent.at + SECOND // 2)
    agent.result(call)
    assert found(agent) == {}


@pytest.mark.parametrize(
    ("text", "after", "is_said"),
    [("new\n", SECOND, True), ("new\nand more\n", SECOND, True), ("old\n", -5 * SECOND, False)],
)
def test_an_open_edit_is_not_all_that_may_have_changed_its_file(
    agent: Responding, text: str, after: int, is_said: bool
) -> None:
    agent.edit("a.py")
    agent.file("a.py", text, agent.at + after)
    transcript = agent.read()
    (action,) = actions_of(transcript, alive=False)
    inspection = inspect(transcript, action, agent.at + 60 * SECOND)
    assert inspection
    assert (LOST_CALLS in inspection.evidence.reason) is is_said


def test_a_change_that_explains_the_whole_file_leaves_no_room_for_others(agent: Responding) -> None:
    agent.edit("a.py")
    agent.track("a.py")
    agent.file("a.py", "new\n", agent.at + SECOND)
    transcript = agent.read()
    (action,) = actions_of(transcript, alive=False)
    inspection = inspect(transcript, action, agent.at + 60 * SECOND)
    assert inspection
    assert inspection.evidence.reason == WITH_CHANGE
