"""Which commands check the work, and what their output tells."""

from __future__ import annotations

import pytest

from sessions_tui.storage.memory.checks import check_of, tells_of_failure


@pytest.mark.parametrize(
    ("check", "commands"),
    [
        (
            "Tests",
            "pytest -q; cd x && .venv/bin/pytest -q | tail -3; python -m pytest tests; npm test;"
            "npm run test:unit; go test ./...; FOO=1 timeout 60 pytest; mvn -q test;"
            "./run_tests.sh; python3 manage.py test; make check; uv run pytest; cargo test --all",
        ),
        ("Types", "uv run mypy .; tsc --noEmit; npx tsc -p .; cargo check; npm run typecheck"),
        ("Lint", "ruff check .; black --check .; npm run lint; cargo clippy; go vet ./..."),
        ("Build", "make; make -j4; npm --prefix web run build; go build ./...; python -m build"),
        (
            None,
            "grep pytest x; pip install pytest; cat tests.py; ruff format .; make docs; ls build;"
            "rm -rf build; echo build; git commit -m test; pytest.ini; test -f x",
        ),
    ],
)
def test_commands(check: str | None, commands: str) -> None:
    for command in commands.split(";"):
        assert (command, check_of(command)) == (command, check)


def test_the_last_of_several_checks_counts() -> None:
    assert check_of("ruff check . && mypy . && pytest") == "Tests"


@pytest.mark.parametrize(
    "piece", ["/", "a=1 ", "python ", "make ", "/python", "npm a b ", "sh -c "]
)
def test_no_command_takes_long(piece: str) -> None:
    assert check_of(piece * 100_000) in (None, "Build")


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("1 failed, 3 passed in 0.2s", True),
        ("Found 3 errors.", True),
        ("FAILED tests/test_a.py", True),
        ("Stdout: x\nExit Code: 2\nSignal: (none)", True),
        ("ok. 5 passed; 0 failed", False),
        ("7 passed, 1 xfailed", False),
        ("0 errors", False),
        ("1 failed" + " " * 10_000, False),
    ],
)
def test_outputs(output: str, failed: bool) -> None:
    assert tells_of_failure(output) is failed
