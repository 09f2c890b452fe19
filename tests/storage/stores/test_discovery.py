"""Discovery: every transcript once, nothing else, and no file opened or changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sessions_tui.storage.family.parents import families
from sessions_tui.storage.model.store import Root
from sessions_tui.storage.stores.discovery import discover
from sessions_tui.storage.stores.layouts import layout_of
from sessions_tui.storage.stores.resolve import Ambiguous, Unknown, resolve

CASES = Path(__file__).parents[2] / "cases"
STORE = Root(CASES / "product-store", "home", "workbuddy")
WORKSPACE = "Users-lin-code-inventory-api"


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def home(path: Path) -> Root:
    return Root(path, "home", "codebuddy")


def names(root: Root) -> list[str]:
    return sorted(
        str(file.path.relative_to(layout_of(root).watched(root)[0]))
        for file in discover(root).files
    )


def tree(top: Path) -> list[tuple[str, int, int]]:
    paths = sorted([top, *top.rglob("*")])
    return [(str(path), path.lstat().st_mtime_ns, path.lstat().st_size) for path in paths]


def test_a_store_as_found_on_disk() -> None:
    before = tree(STORE.path)
    found = discover(STORE)
    agents = [file for file in found.files if file.owner]
    assert len(found.files) == 16
    assert found.unreadable == ()
    assert sorted(file.session for file in agents) == [
        "agent-0be4f19a",
        "agent-5d1c77e2",
        "agent-c40e9d21",
    ]
    assert {file.folder for file in agents} == {WORKSPACE}
    assert all(file.stat.st_size == file.path.stat().st_size for file in found.files)
    assert tree(STORE.path) == before


def test_nested_agents_are_linked_by_the_id_inside_their_parent() -> None:
    files = discover(STORE).files
    paths = {file.session: file.path for file in files}
    inner = {paths["agent-5d1c77e2"]: "f355f26c-63ce-45b3-a1eb-d1a1c846603d"}
    parents = families(files, inner)
    assert parents[paths["agent-0be4f19a"]] == paths["agent-5d1c77e2"]
    main = paths["aa8e88a6-eafe-4101-88a2-2d865e2d6705"]
    assert parents[paths["agent-5d1c77e2"]] == parents[paths["agent-c40e9d21"]] == main
    assert parents[main] is None
    assert families(files, {})[paths["agent-0be4f19a"]] is None


def test_circles_of_parents_are_cut(tmp_path: Path) -> None:
    own = touch(tmp_path / "projects/w/x/subagents/agent-1.jsonl")
    one = touch(tmp_path / "projects/w/b/subagents/agent-2.jsonl")
    two = touch(tmp_path / "projects/w/a/subagents/agent-3.jsonl")
    parents = families(discover(home(tmp_path)).files, {own: "x", one: "a", two: "b"})
    assert parents[own] is None
    assert sorted([parents[one] or own, parents[two] or own]) in ([two, own], [one, own])


def test_only_transcripts_are_taken(tmp_path: Path) -> None:
    for name in (
        "projects/w/a.b.jsonl",
        "projects/w/三 x.jsonl",
        "projects/w/lone (1).jsonl",
        "projects/w/a.b (1).jsonl",
        "projects/w/a.b.sync-conflict-20261120-1.jsonl",
        "projects/w/a.b.jsonl.bak",
        "projects/w/a.b.jsonl.tmp",
        "projects/w/._a.b.jsonl",
        "projects/w/.prune-1/x.jsonl",
        "projects/w/_merged_backups/x.jsonl",
        "projects/_jsonl_backup/x.jsonl",
        "projects/w/a.b.meta.json",
        "projects/w/a.b/tool-results/x.jsonl",
        "projects/w/a.b/subagents/agent-1/tool-results/x.jsonl",
        "projects/w/a.b/subagents/agent-1.jsonl",
        "projects/w/a.b/subagents/notes.jsonl",
        "projects/subagents/s.jsonl",
        "projects/stray.jsonl",
        "history.jsonl",
    ):
        touch(tmp_path / name)
    (tmp_path / "projects/w/folder.jsonl").mkdir()
    assert names(home(tmp_path)) == [
        "subagents/s.jsonl",
        "w/a.b.jsonl",
        "w/a.b/subagents/agent-1.jsonl",
        "w/lone (1).jsonl",
        "w/三 x.jsonl",
    ]
    assert discover(home(tmp_path)).unreadable == ()


def test_links_are_followed_and_count_once(tmp_path: Path) -> None:
    store, other = tmp_path / "store", tmp_path / "other"
    touch(store / "projects/w/a.jsonl")
    touch(other / "z.jsonl")
    (store / "projects/again").symlink_to(store / "projects/w")
    (store / "projects/far").symlink_to(other)
    (store / "projects/w/link.jsonl").symlink_to(store / "projects/w/a.jsonl")
    (store / "projects/w/out.jsonl").symlink_to(touch(tmp_path / "out.jsonl"))
    (store / "projects/w/up").symlink_to(store / "projects")
    (store / "projects/loop").symlink_to(store / "projects/loop")
    assert names(home(store)) == ["far/z.jsonl", "w/a.jsonl", "w/out.jsonl"]


def test_what_cannot_be_looked_at_is_told(tmp_path: Path) -> None:
    folder = touch(tmp_path / "projects/w/a.jsonl").parent
    (folder / "gone.jsonl").symlink_to(folder / "nowhere")
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    os.mkfifo(folder / "pipe.jsonl")
    found = discover(home(tmp_path))
    assert [file.name for file in found.files] == ["a.jsonl"]
    assert {path.name: reason for path, reason in found.unreadable} == {
        "gone.jsonl": "No such file or directory",
        "loop.jsonl": "Too many levels of symbolic links",
        "pipe.jsonl": "is not a regular file",
    }


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user"
)
def test_a_folder_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    shut = touch(tmp_path / "projects/shut/a.jsonl").parent
    touch(tmp_path / "projects/open/b.jsonl")
    shut.chmod(0)
    try:
        found = discover(home(tmp_path))
    finally:
        shut.chmod(0o700)
    assert [file.session for file in found.files] == ["b"]
    assert found.unreadable == ((shut, "Permission denied"),)


def test_names_that_are_no_text_are_names(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "w"
    folder.mkdir(parents=True)
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe.jsonl")).touch()
    except OSError:
        pytest.skip("the file system takes text only")
    (file,) = discover(home(tmp_path)).files
    assert file.path.exists()
    assert resolve("\udcff", [(file.session, file.path)]) == file.path


def test_an_absent_store_is_empty(tmp_path: Path) -> None:
    assert discover(home(tmp_path / "none")).files == ()
    assert discover(Root(tmp_path, "project", "mycodeagent")).files == ()


def test_a_project_links_children_that_a_task_names(tmp_path: Path) -> None:
    folder = tmp_path / "shop" / "memory" / "transcripts"
    parent = touch(folder / "transcript-s-1.jsonl")
    child = touch(folder / "transcript-subagent-s-2.jsonl")
    alone = touch(folder / "transcript-subagent-s-3.jsonl")
    touch(folder / "notes.jsonl")
    files = discover(Root(tmp_path / "shop", "project", "mycodeagent")).files
    assert sorted(file.session for file in files) == ["s-1", "subagent-s-2", "subagent-s-3"]
    assert {file.folder for file in files} == {"shop"}
    assert families(files, {}, {child: parent}) == {
        parent: None,
        child: parent,
        alone: None,
    }


def test_one_transcript_comes_with_its_agents() -> None:
    root = Root(CASES / "product" / "02-subagent.jsonl", "file", "")
    files = discover(root).files
    assert sorted(file.session for file in files) == [
        "02-subagent",
        "agent-5d1c77e2",
        "agent-c40e9d21",
    ]
    assert families(files, {})[files[1].path] == root.path


def test_one_agent_or_project_transcript_keeps_its_id(tmp_path: Path) -> None:
    agent = touch(tmp_path / "projects/w/s/subagents/agent-1.jsonl")
    (file,) = discover(Root(agent, "file", "")).files
    assert (file.session, file.folder, file.owner) == ("agent-1", "w", "s")
    own = touch(tmp_path / "shop/memory/transcripts/transcript-s-1.jsonl")
    (file,) = discover(Root(own, "file", "")).files
    assert (file.session, file.folder, file.owner) == ("s-1", "shop", None)


def test_a_transcript_that_went_away_is_told(tmp_path: Path) -> None:
    found = discover(Root(tmp_path / "gone.jsonl", "file", ""))
    assert [path.name for path, _ in found.unreadable] == ["gone.jsonl"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("abc", "/w/abc.jsonl"),
        ("abcd", "/w/abcd.jsonl"),
        ("x", "/w/x1.jsonl"),
        ("/w/x1.jsonl", "/w/x1.jsonl"),
        ("ab", Ambiguous("ab", (Path("/w/abc.jsonl"), Path("/w/abcd.jsonl")))),
        ("twin", Ambiguous("twin", (Path("/v/twin.jsonl"), Path("/w/twin.jsonl")))),
        ("nobody", Unknown("nobody")),
        ("", Unknown("")),
        ("/w/none.jsonl", Unknown("/w/none.jsonl")),
        ("a\0.jsonl", Unknown("a\0.jsonl")),
    ],
)
def test_sessions_are_meant_by_id_prefix_or_path(query: str, expected: object) -> None:
    paths = ("/w/abcd.jsonl", "/w/abc.jsonl", "/w/x1.jsonl", "/w/twin.jsonl", "/v/twin.jsonl")
    known = [(Path(path).stem, Path(path)) for path in paths]
    meant = resolve(query, known)
    assert meant == (Path(expected) if isinstance(expected, str) else expected)


def test_paths_may_be_relative_linked_or_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = touch(tmp_path / "store" / "a.jsonl")
    (tmp_path / "link").symlink_to(tmp_path / "store")
    monkeypatch.chdir(tmp_path)
    assert resolve("store/a.jsonl", [("a", path)]) == path
    assert resolve("link/a.jsonl", [("a", path)]) == path
    new = touch(tmp_path / "new.jsonl")
    assert resolve("new.jsonl", [("a", path)]) == new
