"""Calls of deferred tools, changes of notebooks, arguments that were repaired."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.review.reasons import OTHER_CALL
from tests.storage.crashes import AFTER, ProductCrash

NAME = "plan.py"
OLD_AND_NEW = {"old_string": "old", "new_string": "new"}


@pytest.fixture
def crash(tmp_path: Path) -> ProductCrash:
    crash = ProductCrash(tmp_path)
    crash.leave(NAME, b"new\n", AFTER)
    return crash


def deferred(tool: str, params: Any) -> tuple[str, dict[str, Any]]:
    return "DeferExecuteTool", {"toolName": tool, "params": params}


def test_a_deferred_edit_is_judged_as_the_edit_it_is(crash: ProductCrash) -> None:
    crash.ask(*deferred("Edit", {"file_path": NAME} | OLD_AND_NEW))
    evidence = crash.evidence()
    assert (evidence.suggests, evidence.path) == ("applied", str(crash.path(NAME)))
    assert crash.action().tool == "DeferExecuteTool"
    assert crash.action().side_effects == "yes"


def test_a_deferred_edit_explains_what_another_does(crash: ProductCrash) -> None:
    crash.ask(*deferred("Edit", {"file_path": NAME} | OLD_AND_NEW), "beside")
    crash.change("Edit", NAME, [("old", "new")])
    assert crash.evidence().suggests == "ambiguous"


@pytest.mark.parametrize("call", [("NotebookEdit", {}), ("DeferExecuteTool", None)])
def test_a_notebook_is_not_compared(crash: ProductCrash, call: tuple[str, Any]) -> None:
    cell = {"notebook_path": "tidy.ipynb", "cell_id": "c1", "new_source": "new"}
    crash.leave("tidy.ipynb", b'{"source": "new"}', AFTER)
    crash.ask(*(deferred("NotebookEdit", cell) if call[1] is None else (call[0], cell)))
    evidence = crash.evidence()
    assert (evidence.suggests, evidence.path) == ("unknown", str(crash.path("tidy.ipynb")))
    assert evidence.reason == OTHER_CALL


def test_a_deferred_read_has_nothing_to_judge(crash: ProductCrash) -> None:
    crash.ask(*deferred("NotebookRead", {"notebook_path": "tidy.ipynb"}))
    assert crash.inspect() is None


@pytest.mark.parametrize("params", [None, [], "Edit", {"params": {}}])
def test_a_deferred_call_that_makes_no_sense(crash: ProductCrash, params: Any) -> None:
    crash.ask(*deferred("Edit", params))
    assert crash.evidence().suggests == "unknown"


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("Edit", {"file_path": NAME, "old_string": "old", "new_str": None}),
        ("Edit", {"file_path": NAME, "old_string": "old", "new_string": "", "repl": None}),
        ("Edit", {"file_path": NAME}),
        ("Write", {"file_path": NAME, "cont": None}),
        ("Write", {"file_path": NAME}),
        ("MultiEdit", {"file_path": NAME, "edits": [OLD_AND_NEW, {"old_string": "a", "n": None}]}),
        ("MultiEdit", {"file_path": NAME, "edits": [OLD_AND_NEW | {"replace_": None}]}),
    ],
)
def test_repaired_arguments_say_nothing(crash: ProductCrash, tool: str, args: Any) -> None:
    crash.ask(tool, args)
    evidence = crash.evidence()
    assert evidence.suggests == "unknown"
    assert evidence.reason == (
        "What the call was to change cannot be read from it, and it is never made again."
    )


def test_an_optional_argument_may_be_null(crash: ProductCrash) -> None:
    crash.ask("Edit", {"file_path": NAME, "replace_all": None} | OLD_AND_NEW)
    assert crash.evidence().suggests == "applied"
