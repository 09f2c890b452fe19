"""Shell commands that check the work (tests, linters, type checkers, builds), and their outcome."""

from __future__ import annotations

import re
from typing import Literal

Check = Literal["Tests", "Types", "Lint", "Build"]

_LOOKED_AT = 2000
"""Characters of a command that are examined; what follows is usually an inline script."""

_TAIL = 800
"""Characters at the end of an output that are examined, where the summary is."""

_PART = 200
"""Maximum length of each command in it, in characters."""

_PARTS = re.compile(r"&&|\|\||[;|&\n()]")
_BEFORE = (
    r"(?:\w+=\S* |(?:sudo|time|env|exec|npx|bunx|uvx|timeout \S+|bundle exec|xvfb-run|(?:ba)?sh"
    r"|coverage run -m|(?:uv|poetry|pipenv|hatch|pdm|rye) run|(?:\S*/)?(?:python|py)[\d.]*)"
    r" (?:-\S+ )*)*(?:\S*/)?"
)
"""What may precede the program: assignments, wrappers, a path."""

_SCRIPTS = r"(?:npm|pnpm|yarn|bun)(?: \S+){0,3}?"
_TOOLS = (
    r"(?:make|just|task|rake|mvnw?|gradlew?|sbt|bazel|go|cargo|dotnet|swift|zig|flutter|mix|nx"
    r"|turbo|composer|xcodebuild|cmake|docker|rails|deno|manage\.py)(?: \S+){0,3}?"
)
_PROGRAMS: dict[Check, str] = {
    "Tests": (
        r"pytest|py\.test|unittest|nose2|tox|nox|jest|vitest|mocha|karma|phpunit|rspec|ctest|behave"
        r"|bats|playwright test|cypress run|node --test|run[-_]?tests?(?:\.\w+)?"
        rf"|(?:{_SCRIPTS}|{_TOOLS}) (?:test|tests|nextest)|make(?: \S+){{0,3}}? check"
    ),
    "Types": (
        r"mypy|pyright|basedpyright|pytype|pyre|ty check|tsc|vue-tsc|svelte-check|cargo check"
        rf"|(?:{_SCRIPTS}|{_TOOLS}) (?:type-?check|types|check-types)"
    ),
    "Lint": (
        r"ruff check|ruff format .*--check|flake8|pylint|eslint|tslint|oxlint|stylelint|rubocop"
        r"|golangci-lint|shellcheck|bandit|pre-commit|(?:black|isort|prettier|biome) .*check"
        rf"|go vet|(?:{_SCRIPTS}|{_TOOLS}) (?:lint|clippy)"
    ),
    "Build": (
        r"ninja|webpack|vite build|rollup|esbuild|msbuild|next build|build|make(?: -\S+)*$"
        rf"|(?:{_SCRIPTS}|{_TOOLS}) (?:build|compile|package|assemble|all|--build)"
    ),
}
_CHECKS = {
    check: re.compile(rf"{_BEFORE}(?:{programs})(?![\w./-])")
    for check, programs in _PROGRAMS.items()
}
_FAILURES = re.compile(
    r"\b[1-9]\d* (?:failed|failures?|errors?)\b|^FAIL(?:ED)?\b|^Exit Code: [1-9]", re.MULTILINE
)


def check_of(command: str) -> Check | None:
    """Return what a shell command checks; if it runs several checks, the last one."""
    found = None
    for part in _PARTS.split(command[:_LOOKED_AT]):
        line = " ".join(part.split())[:_PART]
        found = next((check for check, form in _CHECKS.items() if form.match(line)), found)
    return found


def tells_of_failure(output: str) -> bool:
    """Return whether the end of an output reports failures, for lack of a reliable exit code."""
    return _FAILURES.search(output[-_TAIL:]) is not None
