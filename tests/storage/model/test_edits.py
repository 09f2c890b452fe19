"""What edit calls would change."""

from __future__ import annotations

from typing import Any

import pytest

from sessions_tui.storage.model.edits import Change, Edit, edit_of, lines_changed

ONE = {"old_string": "a", "new_string": "b"}


@pytest.mark.parametrize(
    ("tool", "args", "expected"),
    [
        ("Edit", {"file_path": "/x", **ONE}, Edit("/x", (Change("a", "b"),))),
        (
            "Edit",
            {"file_path": "/x", **ONE, "replace_all": True},
            Edit("/x", (Change("a", "b", everywhere=True),)),
        ),
        ("Edit", {"file_path": "/x", **ONE, "replace_all": "no"}, Edit("/x", (Change("a", "b"),))),
        ("Write", {"file_path": "/x", "content": "new"}, Edit("/x", (Change(None, "new"),))),
        ("Write", {"file_path": "/x", "content": ""}, Edit("/x", (Change(None, ""),))),
        (
            "MultiEdit",
            {"file_path": "/x", "edits": [ONE, {"old_string": "c", "new_string": ""}]},
            Edit("/x", (Change("a", "b"), Change("c", ""))),
        ),
        ("MultiEdit", {"file_path": "/x", "edits": [ONE, 5]}, None),
        ("MultiEdit", {"file_path": "/x", "edits": [ONE, {"old_string": "c"}]}, None),
        ("Edit", {"file_path": "/x", **ONE, "content": "c"}, Edit("/x", (Change("a", "b"),))),
        ("Edit", {"path": "x.py", "edits": [ONE]}, Edit("x.py", (Change("a", "b"),))),
        ("Edit", {"path": "x.py", "create_content": "c"}, Edit("x.py", (Change(None, "c"),))),
        ("Edit", {"path": "x.py", "edits": []}, None),
        ("Edit", {"file_path": "/x"}, None),
        ("Edit", {"file_path": 5, **ONE}, None),
        ("Edit", {"file_path": "/x", "old_string": None, "new_string": "b"}, None),
        ("Edit", "not parsed", None),
        ("Edit", None, None),
        ("Bash", {"file_path": "/x", **ONE}, None),
        (None, {"file_path": "/x", **ONE}, None),
    ],
)
def test_edits(tool: str | None, args: Any, expected: Edit | None) -> None:
    assert edit_of(tool, args) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([(None, "a\nb\n")], (2, 0)),
        ([(None, "")], (0, 0)),
        ([("a\nb\nc", "a\nB\nc")], (1, 1)),
        ([("a\nb\nc", "a\nc")], (0, 1)),
        ([("a\nc", "a\nb\nc")], (1, 0)),
        ([("a", "a")], (0, 0)),
        ([("a\na", "a")], (0, 1)),
        ([("x", ""), ("", "y\nz")], (2, 1)),
    ],
)
def test_lines_added_and_taken_away(
    changes: list[tuple[str | None, str]], expected: tuple[int, int]
) -> None:
    edit = Edit("/x", tuple(Change(old, new) for old, new in changes))
    assert lines_changed(edit) == expected
