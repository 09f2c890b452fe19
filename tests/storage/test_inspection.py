"""What is found on disk after a crash: in every dialect, from records and files as they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from sessions_tui.storage.event import Event
from sessions_tui.storage.evidence import Evidence, Excerpt
from sessions_tui.storage.inspection import inspect
from sessions_tui.storage.traces import LOOK_BACK
from sessions_tui.storage.transcript import Transcript, open_at_end

from .crashes import (
    AFTER,
    BEFORE,
    CALL,
    CRASHES,
    NOW,
    Change,
    Crash,
    EnvelopeCrash,
    MyCodeAgentCrash,
    ProductCrash,
)

NAME = "src/部署 plan.py"
TEXT = "".join(f"value_{n} = '任务 {n}'\n" for n in range(40))
OLD, NEW = "value_10 = '任务 10'", "checked_10 = '完成'"
DONE = TEXT.replace(OLD, NEW)
OTHER = "nothing = 'of that'\n"


class Scene(NamedTuple):
    """A call, the file before it and now, when it was last written, what that suggests."""

    tool: str
    change: Change
    before: str | None
    now: str | None
    late: bool
    suggests: str


SCENES = {
    "applied": Scene("Edit", [(OLD, NEW)], TEXT, DONE, True, "applied"),
    "not applied": Scene("Edit", [(OLD, NEW)], TEXT, TEXT, False, "not-applied"),
    "inserted": Scene(
        "Edit", [(OLD, OLD + NEW)], TEXT, TEXT.replace(OLD, OLD + NEW), True, "applied"
    ),
    "not inserted": Scene("Edit", [(OLD, OLD + NEW)], TEXT, TEXT, False, "not-applied"),
    "shortened": Scene("Edit", [(OLD, OLD[:8])], TEXT, TEXT.replace(OLD, OLD[:8]), True, "applied"),
    "not shortened": Scene("Edit", [(OLD, OLD[:-1])], TEXT, TEXT, False, "not-applied"),
    "deleted": Scene("Edit", [(OLD, "")], TEXT, TEXT.replace(OLD, ""), True, "applied"),
    "not deleted": Scene("Edit", [(OLD, "")], TEXT, TEXT, False, "not-applied"),
    "both there": Scene("Edit", [(OLD, NEW)], TEXT + NEW, TEXT + NEW, False, "ambiguous"),
    "rewritten": Scene("Edit", [(OLD, NEW)], TEXT, OTHER, True, "changed-since"),
    "gone": Scene("Edit", [(OLD, NEW)], TEXT, None, True, "unknown"),
    "other line ends": Scene(
        "Edit",
        [(OLD + "\nvalue_11", NEW + "\nvalue_11")],
        TEXT,
        DONE.replace("\n", "\r\n"),
        True,
        "applied",
    ),
    "no last line end": Scene(
        "Edit", [("value_39", "value_x")], TEXT[:-1], TEXT[:-1], False, "not-applied"
    ),
    "several": Scene(
        "MultiEdit",
        [(OLD, NEW), ("value_20", "value_x")],
        TEXT,
        DONE.replace("value_20", "value_x"),
        True,
        "applied",
    ),
    "none of several": Scene(
        "MultiEdit", [(OLD, NEW), ("value_20", "value_x")], TEXT, TEXT, False, "not-applied"
    ),
    "some of several": Scene(
        "MultiEdit", [(OLD, NEW), ("value_20", "value_x")], TEXT, DONE, True, "ambiguous"
    ),
    "made": Scene("Write", DONE, None, DONE, True, "applied"),
    "not made": Scene("Write", DONE, None, None, False, "not-applied"),
    "half made": Scene("Write", DONE, None, DONE[:100], True, "ambiguous"),
    "made and rewritten": Scene("Write", DONE, None, OTHER, True, "changed-since"),
    "written": Scene("Write", DONE, TEXT, DONE, True, "applied"),
    "not written": Scene("Write", DONE, TEXT, TEXT, False, "not-applied"),
    "written and rewritten": Scene("Write", DONE, TEXT, OTHER, True, "changed-since"),
    "not written and gone": Scene("Write", DONE, TEXT, None, True, "unknown"),
}


def played(crash: Crash, scene: Scene) -> Crash:
    """The project as the scene leaves it."""
    crash.path(NAME).parent.mkdir()
    if scene.before is not None:
        crash.leave(NAME, scene.before.encode(), BEFORE)
        crash.read(NAME)
        crash.path(NAME).unlink()
    if scene.now is not None:
        crash.leave(NAME, scene.now.encode(), AFTER if scene.late else BEFORE)
    crash.change(scene.tool, NAME, scene.change)
    return crash


@pytest.fixture(params=sorted(CRASHES))
def crash(request: pytest.FixtureRequest, tmp_path: Path) -> Crash:
    return CRASHES[request.param](tmp_path)


@pytest.fixture
def product(tmp_path: Path) -> ProductCrash:
    return ProductCrash(tmp_path)


@pytest.fixture
def own(tmp_path: Path) -> MyCodeAgentCrash:
    return MyCodeAgentCrash(tmp_path)


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
            "What the command did is not known, and it is never run again from here.",
        ),
        (
            "mcp__db__query",
            {"sql": "drop"},
            "What the call did is not known, and it is never made again from here.",
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
        ("NotebookEdit", "What the call did is not known, and it is never made again from here."),
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


# What MyCodeAgent notes.


def test_a_reading_that_still_holds_settles_it(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE)
    own.read(NAME)
    own.change("Edit", NAME, [(OLD, NEW)])
    evidence = own.evidence()
    assert evidence.suggests == "not-applied"
    assert evidence.reason == "The file was not written since the agent read it before the call."
    own.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE + 1)
    assert own.evidence().suggests == "ambiguous"


def test_only_the_last_reading_counts(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, b"more", BEFORE)
    own.read(NAME)
    own.leave(NAME, f"{OLD} {NEW}".encode(), AFTER)
    own.read(NAME)
    own.leave(NAME, b"more", BEFORE)
    own.change("Edit", NAME, [("more", "less")])
    assert own.evidence().reason == "The old text is there and the new one is not."


def test_the_temporary_file_left_behind(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE)
    own.change("Edit", NAME, [(OLD, NEW)])
    own.leave("src/.mycodeagent-old.tmp", b"half", BEFORE)
    assert own.evidence().suggests == "ambiguous"
    own.leave("src/.mycodeagent-a1b2c3d4.tmp", b"half", CALL)
    evidence = own.evidence()
    assert evidence.suggests == "not-applied"
    assert evidence.reason == (
        "Its temporary file .mycodeagent-a1b2c3d4.tmp was left behind, "
        "so the edit was cut before it took effect."
    )


def test_another_agents_temporary_file_means_nothing(product: ProductCrash) -> None:
    product.leave(NAME, f"{OLD} {NEW}".encode(), BEFORE)
    product.leave("src/.mycodeagent-a1b2c3d4.tmp", b"half", CALL)
    product.change("Edit", NAME, [(OLD, NEW)])
    assert product.evidence().suggests == "ambiguous"


def test_a_dry_run_writes_nothing(own: MyCodeAgentCrash) -> None:
    own.leave(NAME, DONE.encode(), AFTER)
    edits = [{"old_string": OLD, "new_string": NEW}]
    own.ask("Edit", {"path": NAME, "edits": edits, "dry_run": True})
    evidence = own.evidence()
    assert evidence.suggests == "not-applied"
    assert evidence.reason == "The call was a dry run, which writes nothing."


# What an envelope notes.


@pytest.mark.parametrize(("digest", "suggests"), [("ab12", "unknown"), (None, "not-applied")])
def test_a_snapshot_knows_that_the_file_was_there(
    tmp_path: Path, digest: str | None, suggests: str
) -> None:
    crash = EnvelopeCrash(tmp_path)
    crash.snapshot(NAME, digest)
    crash.path("src").mkdir()
    crash.change("Write", NAME, "new")
    assert crash.evidence().suggests == suggests


def test_a_reading_that_failed_knows_of_no_file(crash: Crash) -> None:
    crash.path("src").mkdir()
    crash.read(NAME, failed=True)
    crash.change("Write", NAME, "new")
    assert crash.evidence().suggests == "not-applied"


# Nothing is left behind.


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


def test_a_transcript_opened_at_its_end(crash: Crash) -> None:
    for _ in range(50):
        crash.read("other.py")
    played(crash, SCENES["not written and gone"])
    action = crash.action()
    transcript = open_at_end(crash.transcript, action.session, 9, 1 << 20)
    transcript.read()
    assert transcript.origin > 0
    inspection = inspect(transcript, action, NOW)
    assert inspection
    assert inspection.evidence.reason == "The file was there before the call and is gone now."


def test_looking_back_is_bounded(crash: Crash, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(LOOK_BACK):
        crash.read("other.py")
    crash.path("src").mkdir()
    crash.change("Write", NAME, "new")
    transcript, action = crash.opened(), crash.action()
    read = counted(monkeypatch)
    inspection = inspect(transcript, action, NOW)
    assert inspection
    assert inspection.evidence.suggests == "not-applied"
    assert len(transcript.positions) > 2 * LOOK_BACK
    assert len(read) <= LOOK_BACK


def test_a_file_that_is_there_asks_for_no_older_records(
    product: ProductCrash, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(100):
        product.read(NAME)
    product.leave(NAME, DONE.encode(), AFTER)
    product.change("Edit", NAME, [(OLD, NEW)])
    transcript, action = product.opened(), product.action()
    read = counted(monkeypatch)
    assert inspect(transcript, action, NOW)
    assert read == [200]


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The indexes of the records that are read from now on."""
    read_at = Transcript._read_at
    read: list[int] = []

    def counting(self: Transcript, fd: int, index: int) -> Event:
        read.append(index)
        return read_at(self, fd, index)

    monkeypatch.setattr(Transcript, "_read_at", counting)
    return read
