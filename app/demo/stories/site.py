"""A documentation site: a broken build, and a live rewrite."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ..steps import (
    Answer,
    Prompt,
    Remark,
    Step,
    Story,
    Thought,
    Title,
    edit,
    grep,
    read,
    run,
    todo,
    write,
)

INSTALL = """\
# Install

Download the archive, unpack it and add `bin/` to your PATH.
"""
FILES = {"docs/install.md": INSTALL, "mkdocs.yml": "site_name: Tidewater\nstrict: true\n"}
BROKEN = """\
INFO    -  Cleaning site directory
INFO    -  Building documentation to directory: /build/site
WARNING -  Doc file 'guide/queues.md' contains a link '../api/broker.md', but the target is not
           found among documentation files.
Aborted with 1 warnings in strict mode!"""


def broken_build() -> Iterator[Step]:
    """CI is red because a page moved; found, fixed, green."""
    yield Prompt("The docs build fails on CI since this morning, it works on my machine")
    yield Title("Docs build fails on CI")
    yield Thought("Works here and fails there: strict mode, or a file that is not committed.")
    yield run(
        "git log --oneline -5 -- docs", "a41c09e Move the API pages to reference/\n77b1d02 Typo"
    )
    yield run("mkdocs build --strict", BROKEN, exit_code=1, seconds=6)
    yield Remark("Strict mode trips over one link. The page moved in a41c09e.")
    yield grep("api/broker.md", "docs", "docs/guide/queues.md:42\ndocs/guide/retries.md:17")
    yield edit("docs/guide/queues.md", "](../api/broker.md)", "](../reference/broker.md)")
    yield edit("docs/guide/retries.md", "](../api/broker.md)", "](../reference/broker.md)")
    yield run("mkdocs build --strict", "INFO    -  Documentation built in 4.02 seconds", seconds=5)
    yield Answer(
        "Two links still pointed to `api/broker.md`, which moved to `reference/` yesterday. "
        "Locally you build without `--strict`, so it stayed a warning.\n\nI would also add "
        "`strict: true` to mkdocs.yml, so both builds see the same thing. Shall I?"
    )
    yield Prompt("Yes please")
    yield edit("mkdocs.yml", "site_name: Tidewater\n", "site_name: Tidewater\nstrict: true\n")
    yield run("make docs", "INFO    -  Documentation built in 4.11 seconds", seconds=5)
    yield Answer("Done. `make docs` now fails on a broken link as well.")


def guide() -> Iterator[Step]:
    """The beginning of the live session."""
    yield Prompt(
        "Rewrite the install guide for 2.0. Readers are people who have never used a broker; every "
        "page should end with something they can run."
    )
    yield Title("Rewrite the install guide for 2.0")
    yield Thought(
        "The guide is one page that assumes a broker is known. Split it: install, first queue, "
        "first worker, running it for real. Each ends with one command and what it prints."
    )
    yield run("ls docs", "api  guide  index.md  install.md  reference")
    yield read("docs/install.md", INSTALL)
    yield todo(
        ("Install in one command on each system", "in_progress"),
        ("A first queue in ten lines", "pending"),
        ("A worker that survives a restart", "pending"),
        ("Running it for real", "pending"),
    )
    yield write("docs/install.md", INSTALL + "\n```sh\npipx install tidewater\n```\n")
    yield run("mkdocs build --strict", "INFO    -  Documentation built in 4.20 seconds", seconds=5)
    yield Answer(
        "install.md begins with the one command now; archives moved to the end. Next I would "
        "write the first queue. Is `tidewater demo` in the release, or should the page bring its "
        "own code?"
    )


PAGES = (
    ("first-queue", "a first queue in ten lines"),
    ("workers", "workers that survive a restart"),
    ("retries", "retries and dead letters"),
    ("scheduling", "jobs at a time of day"),
    ("monitoring", "what to watch and when to worry"),
    ("upgrading", "the way from 1.x to 2.0"),
    ("testing", "tests without a broker"),
    ("deploying", "one machine, then three"),
)


def more_pages() -> Iterator[Step]:
    """The endless continuation of the live session."""
    for turn in count():
        name, topic = PAGES[turn % len(PAGES)]
        yield from (_draft, _check, _shorten)[turn % 3](name, topic)


def structure() -> Iterator[Step]:
    """A morning on the structure of the guide."""
    yield Prompt("Our guide has grown for years. Go through it page by page with me")
    yield Title("Go through the guide page by page")
    yield Answer("Gladly. I will draft, read as a newcomer, and shorten, in that order.")
    for name, topic in PAGES[:5]:
        for turn in (_draft, _check, _shorten):
            yield from turn(name, topic)


def _draft(name: str, topic: str) -> Story:
    path = f"docs/guide/{name}.md"
    yield Prompt(f"It is in the release. Go on with {topic}")
    yield Thought(
        f"The page on {topic} needs code that runs as it stands. Try it before writing it."
    )
    yield run("tidewater demo --jobs 3", "job 1 done\njob 2 done\njob 3 done", seconds=3)
    yield write(
        path, f"# {topic.capitalize()}\n\nStart here:\n\n```sh\ntidewater demo --jobs 3\n```\n"
    )
    yield edit("mkdocs.yml", "nav:\n", f"nav:\n  - guide/{name}.md\n")
    yield run("mkdocs build --strict", BROKEN, exit_code=1, seconds=4)
    yield Remark("An old link again, not the new page.")
    yield edit(path, "](../api/broker.md)", "](../reference/broker.md)")
    yield run("mkdocs build --strict", "INFO    -  Documentation built in 4.3 seconds", seconds=4)
    yield Answer(f"{path} is written and every command in it was run. The menu shows it.")


def _check(name: str, topic: str) -> Story:
    path = f"docs/guide/{name}.md"
    yield Prompt(f"Read {name}.md as somebody who has never seen it. What is missing?")
    yield read(path, f"# {topic.capitalize()}\n\nStart here:\n")
    yield Thought(
        "It says what to type but not what one sees, and nothing about stopping it again."
    )
    yield grep("ctrl+c", "docs/guide", "docs/guide/workers.md:31")
    yield edit(path, "Start here:\n", "You need Python 3.11. Start here, stop with ctrl+c:\n")
    yield Answer(
        "Three things were missing: what the command prints, how to stop it, and where the data "
        "goes. The first two are in; the third belongs in a page of its own."
    )


def _shorten(name: str, topic: str) -> Story:
    path = f"docs/guide/{name}.md"
    yield Prompt(f"{name}.md is too long, bring it under one screen")
    yield read(path, f"# {topic.capitalize()}\n\nIn this chapter we are going to look at how\n")
    yield Thought("The first paragraph announces what follows. Nobody misses it.")
    yield edit(path, "In this chapter we are going to look at how\n", "")
    yield run(f"wc -w {path}", f"212 {path}", seconds=0.3)
    yield Answer(f"From 540 words to 212. What I cut from {topic} is only said once elsewhere.")
