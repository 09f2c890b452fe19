"""What is found on disk after a crash: in every dialect, from records and files as they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from sessions_tui.storage.model.evidence import Evidence, Excerpt
from sessions_tui.storage.review.inspection import inspect
from sessions_tui.storage.review.reasons import OTHER_CALL
from tests.storage.crashes import (
    AFTER,
    BEFORE,
    CALL,
    NOW,
    Crash,
    EnvelopeCrash,
    MyCodeAgentCrash,
    ProductCrash,
)
from tests.storage.scenes import DONE, NAME, NEW, OLD, OTHER, SCENES, TEXT, Scene, played


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_what_each_scene_suggests(crash: Crash, scene: Scene) -> None:
    evidence = played(crash, scene).evidence()
    suggests = scene.suggests
    if crash.dialect == "mycodeagent" and scene.before == scene.now is not None:
        suggests = "not-applied"  # it notes what it has read, which settles the doubtful too
    assert evidence.suggests == suggests
    assert evidence.path == str(crash.path(NAME))
    assert evidence.exists == (scene.now is not None)
    assert evidence.reason.endswith(".")


def test_the_evidence_tells_which_file_it_rests_on(crash: Crash) -> None:
    inspection = played(crash, SCENES["applied"]).inspect()
    assert inspection
    data = DONE.encode()
    assert inspection.evidence == Evidence(
        suggests="applied",
        reason="The new text is there and the old one is gone.",
        path=str(crash.path(NAME)),
        exists=True,
        size=len(data),
        sha256=sha256(data).hexdigest(),
        modified_at=AFTER,
        checked_at=NOW,
    )
    lines = tuple(DONE.splitlines()[7:14])
    assert inspection.excerpts == (Excerpt(8, lines, (11, 11), "new"),)


@pytest.mark.parametrize(
    ("later", "failed", "suggests"),
    [
        ([(OLD, NEW)], False, "ambiguous"),
        ([(OLD, NEW)], True, "applied"),
        ([("value_20", "value_x")], False, "applied"),
    ],
)
def test_a_change_that_was_made_again(
    crash: Crash, later: list[tuple[str, str]], failed: bool, suggests: str
) -> None:
    """The file does not tell which of both did it."""
    crash.leave(NAME, DONE.encode(), AFTER)
    crash.change("Edit", NAME, [(OLD, NEW)])
    crash.change("Edit", NAME, later, "d")
    crash.end("d", failed)
    assert crash.evidence().suggests == suggests


def test_of_a_whole_file_the_beginning_is_shown(crash: Crash) -> None:
    inspection = played(crash, SCENES["made and rewritten"]).inspect()
    assert inspection
    assert inspection.excerpts == (Excerpt(1, (OTHER.rstrip(),), (0, 0), ""),)


@pytest.mark.parametrize("tool", ["Read", "Grep", "read_file", "AskUserQuestion", "ExitPlanMode"])
def test_nothing_to_judge_in_what_changes_nothing(crash: Crash, tool: str) -> None:
    crash.ask(tool, {crash.key: crash.named(NAME)})
    assert crash.inspect() is None


def test_nothing_to_judge_in_what_has_ended(crash: Crash) -> None:
    crash.leave(NAME, TEXT.encode(), BEFORE)
    crash.change("Edit", NAME, [(OLD, NEW)])
    crash.end()
    assert crash.action().state == "completed"
    assert crash.inspect() is None


def test_nothing_to_judge_in_what_never_started(own: MyCodeAgentCrash) -> None:
    own.ask("Edit", {"path": NAME, "edits": []}, started=False)
    assert own.action().state == "pending"
    assert own.inspect() is None


@pytest.mark.parametrize(
    ("tool", "args", "reason"),
    [
        (
            "Bash",
            {"command": "rm -rf /", "path": "/etc/hosts"},
            "What the command did is not known; it is never run again from here.",
        ),
        (
            "mcp__db__query",
            {"sql": "drop"},
            "What the call did is not known; it is never repeated from here.",
        ),
        (
            "Edit",
            {"old_string": "a", "new_string": "b"},
            "The call names no file.",
        ),
        ("Edit", "not { json", "The call names no file."),
    ],
)
def test_calls_of_which_no_file_tells(crash: Crash, tool: str, args: object, reason: str) -> None:
    crash.ask(tool, args)
    evidence = crash.evidence()
    assert (evidence.suggests, evidence.path, evidence.exists) == ("unknown", None, False)
    assert evidence.reason == reason


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        ("NotebookEdit", "What the call did is not known; it is never repeated from here."),
        (
            "Edit",
            "What the call was to change cannot be read from it, and it is never made again.",
        ),
    ],
)
def test_a_call_that_cannot_be_understood_still_shows_its_file(
    crash: Crash, tool: str, reason: str
) -> None:
    crash.leave(NAME, b"{}", BEFORE)
    crash.ask(tool, {crash.key: crash.named(NAME), "new_source": "x"})
    evidence = crash.evidence()
    assert (evidence.suggests, evidence.reason) == ("unknown", reason)
    assert (evidence.exists, evidence.size, evidence.modified_at) == (True, 2, BEFORE)


def test_a_relative_path_of_nobody_knows_where(tmp_path: Path) -> None:
    crash = EnvelopeCrash(tmp_path)
    crash.ask("Edit", {"file_path": "x" * 5_000, "old_string": "a", "new_string": "b"})
    evidence = crash.evidence()
    assert (evidence.suggests, evidence.path) == ("unknown", None)
    assert evidence.reason.startswith("The call names xxx")
    assert evidence.reason.endswith("x…, but where its agent ran is not known.")
    assert len(evidence.reason) < 300


@pytest.mark.parametrize("tool", ["Edit", "MultiEdit", "Write", "NotebookEdit"])
@pytest.mark.parametrize("named", ["~/a.py", "$HOME/a.py", "%USERPROFILE%\\a.py"])
def test_a_path_that_the_agent_may_expand(crash: Crash, tool: str, named: str) -> None:
    """Whatever has that name below the directory in which it ran may be another file."""
    crash.leave(named, b"old", BEFORE)
    change = {"old_string": "old", "new_string": "new"}
    crash.ask(tool, {crash.key: named, "content": "old", "edits": [change], **change})
    evidence = crash.evidence()
    assert (evidence.suggests, evidence.path, evidence.exists) == ("unknown", None, False)
    said = f"The call names {named}; its agent may expand that, so the file is not known."
    assert evidence.reason in (said, OTHER_CALL)


def test_the_agents_directory_is_on_another_machine(product: ProductCrash) -> None:
    product.change("Write", NAME, "new")
    product.records[-1]["cwd"] = "/home/mei/src"
    evidence = product.evidence()
    assert evidence.suggests == "unknown"
    assert evidence.path == f"/home/mei/src/{NAME}"
    assert evidence.reason == "The directory in which the agent ran is not on this machine."


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX systems")
def test_a_link_is_judged_by_what_it_leads_to(crash: Crash) -> None:
    crash.leave("real.py", DONE.encode(), AFTER)
    crash.path("link.py").symlink_to("real.py")
    crash.change("Edit", "link.py", [(OLD, NEW)])
    evidence = crash.evidence()
    assert evidence.reason == (
        "It is a link to real.py: the new text is there and the old one is gone."
    )
    assert (evidence.suggests, evidence.path) == ("applied", str(crash.path("link.py")))
    crash.path("link.py").unlink()
    crash.path("link.py").symlink_to("absent.py")
    evidence = crash.evidence()
    assert (evidence.suggests, evidence.exists) == ("unknown", True)
    assert evidence.reason == "It is a link that leads nowhere."


@pytest.mark.skipif(os.name == "nt", reason="a pipe of POSIX systems")
def test_a_pipe_keeps_nobody_waiting(crash: Crash) -> None:
    os.mkfifo(crash.path("pipe"))
    crash.change("Write", "pipe", "new")
    assert crash.evidence().reason == "It is a pipe, not a file."


def test_an_action_in_the_unterminated_last_record(crash: Crash) -> None:
    crash.is_unterminated = True
    played(crash, SCENES["not written and gone"])
    assert crash.opened().tail()
    assert crash.evidence().reason == "The file was there before the call and is gone now."


def test_inspecting_changes_nothing(crash: Crash) -> None:
    played(crash, SCENES["both there"])
    if isinstance(crash, ProductCrash):
        crash.back_up(NAME, TEXT.encode())
    crash.leave("src/.mycodeagent-a1b2c3d4.tmp", b"half", CALL)
    transcript, action = crash.opened(), crash.action()
    top = crash.work.parent
    before = dict(seen(top))
    assert inspect(transcript, action, NOW)
    assert dict(seen(top)) == before


def seen(top: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    """All that a file system tells of what lies below, times of access apart."""
    for path in (top, *sorted(top.rglob("*"))):
        stat = path.lstat()
        data = path.read_bytes() if path.is_file() else None
        yield str(path), (stat.st_mode, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns, data)
