"""Names that cannot be printed as they are: marked, quoted, and accepted as they were printed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.text.folding import well_formed
from sessions_tui.storage.text.printed_name import begins, is_printed, real_path, unquoted
from sessions_tui.storage.text.safe_text import exact_name, one_line, shown_name

NAMES = [
    os.fsdecode(b"men\xfc"),
    os.fsdecode("库存".encode("gbk")),
    "/tmp/\x1b[31mz",
    "/tmp/\x1b]8;;file:///etc\x07z",
    "a  b",
    " a",
    "a\nb",
    "a\tb",
    "it's\u202egnp.exe",
    "a\u200bb\ufeff",
    "\U000e0041tag",
    "back\\slash\x01",
    "a\ufffdb",
    "👩\u200d💻",
    "e" + "\u0301" * 5,
]


@pytest.mark.parametrize("name", ["a.py", "/tmp/x y", "库存", "Résumé", "it's", "$'x'", ""])
def test_what_can_be_shown_is_shown_as_it_is(name: str) -> None:
    assert exact_name(name) == shown_name(name) == name


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_shown_is_marked_and_quoted(name: str) -> None:
    exact = exact_name(name)
    if one_line(name) != name:
        assert exact.startswith("$'")
        assert f"its real name is {exact})" in shown_name(name)
    assert one_line(exact) == exact
    assert unquoted(exact) == name
    assert {name} >= {one for one in (name, *NAMES) if is_printed(exact, one)}
    for form in (name, well_formed(name), one_line(name), exact):
        assert is_printed(form, name)
        assert begins(form[:2], name)


def test_a_name_longer_than_any_path_is_cut() -> None:
    assert exact_name("x" * 3_999) == "x" * 3_999
    for name in ("x" * 5_000, "\x1b[1m" * 5_000):
        assert len(exact_name(name)) < 4_100
        assert one_line(shown_name(name), 5_000) == shown_name(name)


@pytest.mark.skipif(shutil.which("bash") is None, reason="has no bash")
@pytest.mark.parametrize("name", [name for name in NAMES if exact_name(name) != name])
def test_a_shell_reads_what_is_quoted_as_the_name(name: str) -> None:
    told = [sys.executable, "-c", "import os, sys; os.write(1, os.fsencode(sys.argv[1]))"]
    line = f"{shlex.join(told)} {exact_name(name)}"
    run = subprocess.run(
        ["bash", "-c", line], capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    assert run.stdout == os.fsencode(name)


@given(st.text(max_size=30))
def test_any_name_comes_back_from_its_quotes(name: str) -> None:
    exact = exact_name(name)
    assert one_line(exact) == exact
    if exact != name:
        assert unquoted(exact).encode("utf-8", "replace") == name.encode("utf-8", "replace")


@pytest.mark.skipif(sys.platform != "linux", reason="has names of characters only")
def test_a_path_is_found_by_how_it_was_printed(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9") / "x\x1b[31my"
    folder.mkdir(parents=True)
    path = folder / os.fsdecode(b"men\xfc.jsonl")
    path.touch()
    for printed in (well_formed(str(path)), one_line(str(path), 4_000), str(path)):
        assert real_path(Path(printed)) == path
    other = folder / os.fsdecode(b"men\xfd.jsonl")
    other.touch()
    ambiguous = Path(well_formed(str(path)))
    assert real_path(ambiguous) == ambiguous
    assert real_path(Path(unquoted(exact_name(str(other))))) == other
    missing = tmp_path / "missing.jsonl"
    assert real_path(missing) == missing
    assert real_path(Path("relative")) == Path("relative")
