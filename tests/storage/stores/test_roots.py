"""Roots: what is found, what is refused and why, and what is awaited in silence."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from sessions_tui.storage.model.store import Root
from sessions_tui.storage.stores.layouts import home_of
from sessions_tui.storage.stores.roots import Roots, find_roots

AS_ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user"
)


def home_at(path: Path, transcript: str | None = "s.jsonl") -> Path:
    slug = path / "projects" / "work"
    slug.mkdir(parents=True)
    if transcript:
        (slug / transcript).touch()
    return path


def project_at(path: Path) -> Path:
    (path / "memory" / "transcripts").mkdir(parents=True)
    return path


def look(
    tmp_path: Path, named: Sequence[Path] | None = None, environ: dict[str, str] | None = None
) -> Roots:
    home, cwd = tmp_path / "me", tmp_path / "here"
    home.mkdir(exist_ok=True)
    cwd.mkdir(exist_ok=True)
    return find_roots(named, environ or {}, cwd, home)


def test_default_homes_are_found_and_the_rest_is_awaited(tmp_path: Path) -> None:
    me = tmp_path / "me"
    home_at(me / ".workbuddy-ai")
    (me / ".workbuddy").mkdir()
    (me / ".workbuddy" / "device-id").touch()
    roots = look(tmp_path)
    assert roots.found == (Root(me / ".workbuddy-ai", "home", "workbuddy-ai"),)
    assert roots.refused == ()
    assert roots.awaited == (me / ".workbuddy", me / ".codebuddy", tmp_path / "here")
    assert set(roots.looked) == {me / ".workbuddy-ai", *roots.awaited}


def test_a_home_may_hold_only_the_desktop_database(tmp_path: Path) -> None:
    (tmp_path / "me" / ".workbuddy").mkdir(parents=True)
    (tmp_path / "me" / ".workbuddy" / "workbuddy.db").touch()
    assert [root.brand for root in look(tmp_path).found] == ["workbuddy"]


def test_config_variables_add_homes(tmp_path: Path) -> None:
    work, code = home_at(tmp_path / "w"), home_at(tmp_path / "c")
    environ = {"WORKBUDDY_CONFIG_DIR": str(work), "CODEBUDDY_CONFIG_DIR": str(code)}
    assert look(tmp_path, environ=environ).found == (
        Root(work, "home", "workbuddy"),
        Root(code, "home", "codebuddy"),
    )
    both = dict.fromkeys(environ, str(work))
    assert look(tmp_path, environ=both).found == (Root(work, "home", "workbuddy"),)


def test_the_current_directory_is_a_project_by_default_only(tmp_path: Path) -> None:
    here = project_at(tmp_path / "here")
    named = home_at(tmp_path / "named")
    assert look(tmp_path).found == (Root(here, "project", "mycodeagent"),)
    assert [root.path for root in look(tmp_path, [named]).found] == [named]


def test_named_roots_win_over_the_environment_and_that_over_the_config(tmp_path: Path) -> None:
    one, two, three = (home_at(tmp_path / name) for name in ("one", "two", "three"))
    home_at(tmp_path / "me" / ".workbuddy")
    environ = {"SESSIONS_ROOT": os.pathsep.join((str(two), "", "../three"))}
    here = tmp_path / "here"
    here.mkdir()

    def paths(named: Sequence[Path] | None, environ: dict[str, str]) -> list[Path]:
        roots = find_roots(named, environ, here, tmp_path / "me", [one, two])
        return [root.path for root in roots.found]

    assert paths([one], environ) == [one]
    assert paths(None, environ) == [two, three]
    assert paths(None, {}) == [one, two]


def test_home_stands_for_the_home_in_the_environment(tmp_path: Path) -> None:
    store = home_at(tmp_path / "me" / "store")
    found = look(tmp_path, environ={"SESSIONS_ROOT": "~/store"}).found
    assert [root.path for root in found] == [store]


def test_a_tree_of_projects_is_searched_three_levels_deep(tmp_path: Path) -> None:
    top = tmp_path / "code"
    found = [project_at(top / name) for name in ("a", "b/c", "b/d/e")]
    project_at(top / "b/d/f/g")
    assert [root.path for root in look(tmp_path, [top]).found] == found


def test_a_directory_of_projects_may_be_called_projects(tmp_path: Path) -> None:
    project = project_at(tmp_path / "code" / "projects" / "alpha")
    assert [(root.path, root.kind) for root in look(tmp_path, [tmp_path / "code"]).found] == [
        (project, "project")
    ]


def test_an_empty_home_is_a_home(tmp_path: Path) -> None:
    home = home_at(tmp_path / "new", None)
    assert look(tmp_path, [home]).found == (Root(home, "home", "codebuddy"),)


def test_one_transcript_is_a_root_and_knows_its_home(tmp_path: Path) -> None:
    home = home_at(tmp_path / ".workbuddy")
    lone = tmp_path / "lone.jsonl"
    lone.touch()
    child = home / "projects" / "work" / "s" / "subagents" / "agent-1.jsonl"
    child.parent.mkdir(parents=True)
    child.touch()
    named = [home / "projects" / "work" / "s.jsonl", child, lone]
    found = look(tmp_path, named).found
    assert [(root.kind, root.brand, home_of(root)) for root in found] == [
        ("file", "workbuddy", home),
        ("file", "workbuddy", home),
        ("file", "", None),
    ]


def test_links_to_one_store_count_once(tmp_path: Path) -> None:
    home = home_at(tmp_path / "store")
    (tmp_path / "link").symlink_to(home)
    (tmp_path / "me").mkdir()
    (tmp_path / "me" / ".workbuddy").symlink_to(home)
    (tmp_path / "me" / ".codebuddy").symlink_to(home)
    assert [root.path for root in look(tmp_path, [tmp_path / "link", home]).found] == [
        tmp_path / "link"
    ]
    assert len(look(tmp_path).found) == 1


def test_loops_of_links_end(tmp_path: Path) -> None:
    top = tmp_path / "code"
    project = project_at(top / "a")
    (top / "a" / "up").symlink_to(top)
    (top / "self").symlink_to(top / "self")
    assert [root.path for root in look(tmp_path, [top]).found] == [project]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing", "does not exist"),
        ("empty", "holds nothing to show"),
        ("notes.txt", "holds nothing to show"),
        ("loop", "cannot be read"),
        ("pipe.jsonl", "holds nothing to show"),
    ],
)
def test_what_is_no_root_is_refused_in_a_sentence(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe.jsonl")
    roots = look(tmp_path, [tmp_path / name])
    assert roots.found == ()
    assert [refusal.path for refusal in roots.refused] == [tmp_path / name]
    assert reason in roots.refused[0].reason
    assert roots.refused[0].reason.endswith(".")


@AS_ROOT
def test_a_root_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    home = home_at(tmp_path / "shut")
    lone = tmp_path / "lone.jsonl"
    lone.touch(mode=0)
    home.chmod(0)
    try:
        refused = look(tmp_path, [home, lone]).refused
    finally:
        home.chmod(0o700)
    assert [refusal.path for refusal in refused] == [home, lone]
    assert all("Permission denied" in refusal.reason for refusal in refused)


def test_a_good_root_stands_beside_a_refused_one(tmp_path: Path) -> None:
    home = home_at(tmp_path / "store")
    roots = look(tmp_path, [tmp_path / "missing", home])
    assert len(roots.found) == len(roots.refused) == 1
