"""What a crash may leave behind: a call, its file before and now, and what that suggests."""

from __future__ import annotations

from typing import NamedTuple

from .crashes import AFTER, BEFORE, Change, Crash

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
