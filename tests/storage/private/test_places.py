"""Our own places and settings: private, out of the way, and plain about what is wrong."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from sessions_tui.storage.private.places import (
    LARGEST,
    Config,
    ConfigError,
    Places,
    find_places,
    keep_out,
    make_private,
    read_config,
)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "config.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_places_of_the_system_carry_our_name_once() -> None:
    places = find_places({})
    assert places.cache.name == places.data.name == "sessions"
    assert places.config.parts[-2:] == ("sessions", "config.toml")


def test_the_environment_moves_places_and_arguments_win(tmp_path: Path) -> None:
    environ = {"SESSIONS_CACHE_DIR": "/c", "SESSIONS_DATA_DIR": "/d"}
    places = find_places(environ, data=tmp_path)
    assert places.cache == Path("/c")
    assert places.data == tmp_path
    assert find_places({"SESSIONS_CACHE_DIR": ""}).cache == find_places({}).cache


def test_directories_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    folder = make_private(tmp_path / "a" / "b")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)] == [0o700] * 2
    assert make_private(folder) == folder


def test_an_existing_directory_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_places_inside_a_store_are_refused_through_links_too(tmp_path: Path) -> None:
    store = tmp_path / "home" / "projects"
    store.mkdir(parents=True)
    (tmp_path / "link").symlink_to(store)
    outside = Places(tmp_path / "cache", tmp_path / "data", tmp_path / "config.toml")
    keep_out(outside, [store])
    inside = Places(tmp_path / "link" / "cache", tmp_path / "data", tmp_path / "config.toml")
    with pytest.raises(ConfigError, match=r"cache directory .* inside the store"):
        keep_out(inside, [store])


@pytest.mark.parametrize(("place", "file"), [("cache", "index.db"), ("data", "decisions.db")])
def test_databases_that_are_links_into_a_store_are_refused(
    tmp_path: Path, place: str, file: str
) -> None:
    store = tmp_path / "home" / "projects"
    store.mkdir(parents=True)
    (tmp_path / place).mkdir()
    (tmp_path / place / file).symlink_to(store / "new.db")
    places = Places(tmp_path / "cache", tmp_path / "data", tmp_path / "config.toml")
    with pytest.raises(ConfigError, match=r"is a link into the store"):
        keep_out(places, [store])


def test_links_in_a_circle_are_in_no_store(tmp_path: Path) -> None:
    (tmp_path / "cache").symlink_to(tmp_path / "cache")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "desk.db").symlink_to("desk.db")
    keep_out(Places(tmp_path / "cache", tmp_path / "data", tmp_path), [tmp_path / "home"])


def test_settings_are_read(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        'roots = ["~/store", "near", "/far"]\ntheme = "nord"\nreview_days = 3\nnotify = true\n'
        '[keymap]\n"timeline.next" = "j,down"\n'
        '[resume]\nmycodeagent = ["python", "-m", "agent"]\n',
    )
    assert read_config(path, Path("/home/mei"), brands=["mycodeagent"]) == Config(
        roots=(Path("/home/mei/store"), tmp_path / "near", Path("/far")),
        theme="nord",
        keymap={"timeline.next": "j,down"},
        review_days=3,
        notify=True,
        resume={"mycodeagent": ("python", "-m", "agent")},
    )


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    assert read_config(tmp_path / "none.toml", tmp_path) == Config()
    with pytest.raises(ConfigError, match="does not exist"):
        read_config(tmp_path / "none.toml", tmp_path, required=True)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("roots = 3", "roots must be a list of paths"),
        ('roots = ["a\\u0000b"]', "roots must be a list of paths"),
        ('roots = [""]', "roots must be a list of paths"),
        ("theme = 1", "theme must be the name of a theme"),
        ('keymap = "j"', "keymap must be a table"),
        ("[keymap]\na = 1", "keymap must be a table"),
        ("review_days = -1", "review_days must be a whole number"),
        ("review_days = true", "review_days must be a whole number"),
        ("review_days = 1.5", "review_days must be a whole number"),
        ('resume = "codebuddy"', "resume must be a table of commands"),
        ('[resume]\ncodebuddy = "codebuddy"', "resume must be a table of commands"),
        ("[resume]\ncodebuddy = []", "resume must be a table of commands"),
        ('[resume]\ncodebuddy = [""]', "resume must be a table of commands"),
        ('[resume]\nnobody = ["x"]', "for 'nobody'; there are codebuddy, workbuddy"),
        ('notify = "yes"', "notify must be true or false"),
        ("colour = 1", "unknown setting 'colour'"),
        ("roots = [", "not valid TOML"),
        (b"theme = '\xff'", "not UTF-8"),
        ("a = " + "[" * 100_000, "not valid TOML"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, text: str | bytes, complaint: str
) -> None:
    with pytest.raises(ConfigError, match=complaint) as caught:
        read_config(written(tmp_path, text), tmp_path, brands=("codebuddy", "workbuddy"))
    assert "\n" not in str(caught.value)


def test_a_directory_is_no_config_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not a regular file"):
        read_config(tmp_path, tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
@pytest.mark.parametrize("required", [True, False])
def test_nothing_endless_is_a_settings_file(tmp_path: Path, required: bool) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    link = tmp_path / "link.toml"
    link.symlink_to("/dev/zero")
    for path in (pipe, link, Path("/dev/zero")):
        with pytest.raises(ConfigError, match="not a regular file"):
            read_config(path, tmp_path, required)


@pytest.mark.parametrize("size", [LARGEST + 1, 1 << 40])
def test_a_huge_settings_file_is_refused_after_a_bounded_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(size)
    read, sizes = os.read, list[int]()

    def counted(fd: int, length: int) -> bytes:
        sizes.append(length)
        return read(fd, length)

    monkeypatch.setattr(os, "read", counted)
    with pytest.raises(ConfigError, match="larger than 1024 KB"):
        read_config(path, tmp_path)
    assert sum(sizes) <= 2 * (LARGEST + 1)
