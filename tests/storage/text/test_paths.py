"""Which file a call names, and on whose system."""

from __future__ import annotations

from typing import Any

import pytest

from sessions_tui.storage.text.paths import absolute, is_foreign, is_same, named_path


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"file_path": "a.py"}, "a.py"),
        ({"notebook_path": "n.ipynb"}, "n.ipynb"),
        ({"path": "b.py", "pattern": "*"}, "b.py"),
        ({"path": "b.py", "file_path": "a.py"}, "a.py"),
        ({"path": "b.py", "file_path": ""}, "b.py"),
        ({"path": "b.py", "file_path": 7}, "b.py"),
        ({"command": "make"}, None),
        ({}, None),
        ("a.py", None),
        (None, None),
    ],
)
def test_the_path_that_arguments_name(args: Any, expected: str | None) -> None:
    assert named_path(args) == expected


@pytest.mark.parametrize(
    ("named", "directory", "expected"),
    [
        ("a.py", "/src", "/src/a.py"),
        ("./lib/a.py", "/src", "/src/lib/a.py"),
        ("/etc/hosts", "/src", "/etc/hosts"),
        ("/etc/hosts", None, "/etc/hosts"),
        ("a.py", None, None),
        ("lib\\a.py", "c:\\work", "c:\\work\\lib\\a.py"),
        ("C:\\a.py", "/src", "C:\\a.py"),
        ("a.py", "//src", "//src/a.py"),
        ("a.py", "src", None),
        ("a.py", "~/src", None),
        ("~/a.py", "/src", None),
        ("~\\a.py", "C:\\work", None),
        ("~mei/a.py", "/src", None),
        ("~", "/src", None),
        ("$HOME/a.py", "/src", None),
        ("${HOME}/a.py", "/src", None),
        ("${PROJECT:-x}/a.py", "/src", None),
        ("$PROJECT_ROOT/a.py", "/src", None),
        ("%USERPROFILE%\\a.py", "C:\\work", None),
        ("%ProgramFiles(x86)%\\a.py", "C:\\work", None),
        ("$env:USERPROFILE\\a.py", "C:\\work", None),
        ("/home/$USER/a.py", "/src", None),
        ("C:\\Users\\%USERNAME%\\a.py", None, None),
        ("a/$TMPDIR/b.py", "/src", None),
        ("~a.py", "/src", "/src/~a.py"),
        ("~$notes.docx", "/src", "/src/~$notes.docx"),
        ("$id.tsx", "/src", "/src/$id.tsx"),
        ("routes/$id/~x.tsx", "/src", "/src/routes/$id/~x.tsx"),
        ("$lib/a.ts", "/src", "/src/$lib/a.ts"),
        ("100%/a.py", "/src", "/src/100%/a.py"),
        ("a~/b.py", "/src", "/src/a~/b.py"),
        ("/src/~/b.py", None, "/src/~/b.py"),
        ("$HOME.md", "/src", "/src/$HOME.md"),
        ("$users/x", "/src", "/src/$users/x"),
        ("${}", "/src", None),
    ],
)
def test_absolute_on_its_own_system(
    named: str, directory: str | None, expected: str | None
) -> None:
    assert absolute(named, directory) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("/src/a.py", "/src/a.py", True),
        ("/src/lib/../a.py", "/src/a.py", True),
        ("/src/A.py", "/src/a.py", False),
        ("C:\\src\\A.py", "c:/src/a.py", True),
        ("/src/a.py", "C:\\src\\a.py", False),
    ],
)
def test_the_same_file_written_in_two_ways(one: str, other: str, expected: bool) -> None:
    assert is_same(one, other) is expected


@pytest.mark.parametrize(
    ("path", "on_windows", "elsewhere"),
    [
        ("/src/a.py", True, False),
        ("//src/a.py", True, False),
        ("C:\\src\\a.py", False, True),
        ("c:/src/a.py", False, True),
        ("\\\\server\\share\\a.py", True, True),
    ],
)
def test_a_path_of_another_machine(path: str, on_windows: bool, elsewhere: bool) -> None:
    assert is_foreign(path, windows=True) is on_windows
    assert is_foreign(path, windows=False) is elsewhere
