"""What the product has kept of a file from before a call, and how far its word is taken."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sessions_tui.storage.files.disk import LARGEST
from tests.storage.crashes import AFTER, BEFORE, ProductCrash

NAME = "src/plan.py"
BOTH = b"old new\n"
BACKUP = "c8de13889d548ac5@v1"


@pytest.fixture
def crash(tmp_path: Path) -> ProductCrash:
    """A file of which its texts alone cannot tell."""
    crash = ProductCrash(tmp_path)
    crash.leave(NAME, BOTH, AFTER)
    return crash


def edited(crash: ProductCrash) -> ProductCrash:
    crash.change("Edit", NAME, [("old", "new")])
    return crash


def test_the_file_is_as_it_was(crash: ProductCrash) -> None:
    edited(crash).back_up(NAME, BOTH)
    evidence = crash.evidence()
    assert evidence.suggests == "not-applied"
    assert evidence.reason == "The file is exactly as it was before the call."


def test_the_file_is_as_it_was_but_for_the_change(crash: ProductCrash) -> None:
    edited(crash).back_up(NAME, b"old old\n")
    crash.leave(NAME, b"new old\n", AFTER)
    evidence = crash.evidence()
    assert evidence.suggests == "applied"
    assert evidence.reason == "The file is exactly as it was before the call but for the change."


def test_the_file_is_neither(crash: ProductCrash) -> None:
    edited(crash).back_up(NAME, b"something else")
    assert crash.evidence().suggests == "ambiguous"


def test_an_absolute_key_and_a_call_beside_it(crash: ProductCrash) -> None:
    edited(crash)
    crash.ask("Bash", {"command": "ls"}, "beside")
    crash.end("beside")
    crash.back_up(str(crash.path(NAME)), BOTH)
    assert crash.evidence().suggests == "not-applied"


def test_a_whole_file(crash: ProductCrash) -> None:
    crash.change("Write", NAME, "new\n")
    crash.back_up(NAME, BOTH)
    assert crash.evidence().reason == "The file is exactly as it was before the call."
    crash.leave(NAME, b"new\n", AFTER)
    assert crash.evidence().suggests == "applied"
    (crash.home / "file-history" / "s" / BACKUP).write_bytes(b"new\n")
    assert crash.evidence().suggests == "ambiguous"


def test_a_file_that_did_not_exist(crash: ProductCrash) -> None:
    crash.leave(NAME, b"other", BEFORE)
    crash.change("Write", NAME, "new\n")
    crash.snapshot({NAME: {"version": 1, "backupTime": crash.at}})
    evidence = crash.evidence()
    assert evidence.suggests == "changed-since"
    assert evidence.reason == "The file did not exist before the call and holds something else now."
    crash.path(NAME).unlink()
    assert crash.evidence().suggests == "not-applied"


def test_a_file_that_existed_and_is_gone(crash: ProductCrash) -> None:
    crash.path(NAME).unlink()
    crash.change("Write", NAME, "new\n")
    assert crash.evidence().suggests == "not-applied"
    crash.back_up(NAME, BOTH)
    assert crash.evidence().suggests == "unknown"


def test_an_entry_that_was_there_before_the_call_is_of_an_older_change(
    crash: ProductCrash,
) -> None:
    """Undoing a change brings back what its backup holds: that is not what was before the call."""
    crash.change("Edit", NAME, [("new", "old")])
    crash.back_up(NAME, BOTH)
    crash.end()
    edited(crash)
    crash.records.append(dict(crash.records[1]))
    assert crash.evidence().suggests == "ambiguous"


def test_an_entry_made_long_before_the_call_is_of_an_older_change(crash: ProductCrash) -> None:
    edited(crash).back_up(NAME, BOTH)
    crash.records[-1]["snapshot"]["trackedFileBackups"][NAME]["backupTime"] = BEFORE
    assert crash.evidence().suggests == "ambiguous"


def test_an_entry_after_the_next_prompt_is_of_another_change(crash: ProductCrash) -> None:
    edited(crash).prompt()
    crash.back_up(NAME, BOTH)
    assert crash.evidence().suggests == "ambiguous"


@pytest.mark.parametrize(
    "name",
    [
        f"../s/{BACKUP}",
        f"./{BACKUP}",
        f"..\\s\\{BACKUP}",
        f"C:{BACKUP}",
        "..",
        ".",
        f"{BACKUP}\0",
        "x" * 5_000,
        "\ud83d",
        "absent",
        "folder",
        "",
        7,
        None,
    ],
)
def test_a_name_that_is_no_plain_name_is_not_followed(crash: ProductCrash, name: object) -> None:
    edited(crash).back_up(NAME, BOTH)
    (crash.home / "file-history" / "s" / "folder").mkdir()
    crash.records[-1]["snapshot"]["trackedFileBackups"][NAME]["backupFileName"] = name
    assert crash.evidence().suggests == "ambiguous"


def test_an_absolute_name_is_not_followed(crash: ProductCrash) -> None:
    edited(crash).back_up(NAME, BOTH)
    entry = crash.records[-1]["snapshot"]["trackedFileBackups"][NAME]
    entry["backupFileName"] = str(crash.home / "file-history" / "s" / BACKUP)
    assert crash.evidence().suggests == "ambiguous"


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX systems")
@pytest.mark.parametrize("inside", [True, False])
def test_a_link_out_of_the_folder_is_not_followed(crash: ProductCrash, inside: bool) -> None:
    edited(crash).back_up(NAME, b"x", "other@v1")
    folder = crash.home / "file-history" / "s"
    target = (folder if inside else crash.home) / "target"
    target.write_bytes(BOTH)
    (folder / "other@v1").unlink()
    (folder / "other@v1").symlink_to(target)
    assert crash.evidence().suggests == ("not-applied" if inside else "ambiguous")


@pytest.mark.skipif(os.name == "nt", reason="a pipe of POSIX systems")
def test_a_backup_that_is_no_file(crash: ProductCrash) -> None:
    edited(crash).back_up(NAME, BOTH)
    path = crash.home / "file-history" / "s" / BACKUP
    path.unlink()
    os.mkfifo(path)
    assert crash.evidence().suggests == "ambiguous"


def test_a_backup_that_is_too_large(crash: ProductCrash) -> None:
    edited(crash).back_up(NAME, BOTH)
    with (crash.home / "file-history" / "s" / BACKUP).open("wb") as file:
        file.truncate(LARGEST + 1)
    assert crash.evidence().suggests == "ambiguous"


def test_a_fork_has_its_backups_under_the_session_it_came_from(crash: ProductCrash) -> None:
    edited(crash).back_up(NAME, BOTH)
    (crash.home / "file-history" / "s").rename(crash.home / "file-history" / "parent")
    assert crash.evidence().suggests == "ambiguous"
    for record in crash.records:
        record["sessionId"] = "parent"
    assert crash.evidence().suggests == "not-applied"
    for record in crash.records:
        record["sessionId"] = "../file-history/parent"
    assert crash.evidence().suggests == "ambiguous"
