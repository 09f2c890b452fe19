"""The small sessions of an ordinary fortnight: one prompt, one change, one answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..steps import Answer, Prompt, Step, Thought, Title, edit, grep, read, run


@dataclass(frozen=True, slots=True)
class Chore:
    """A request and its outcome."""

    title: str
    prompt: str
    thought: str
    path: str
    old: str
    new: str
    command: str
    output: str
    answer: str
    found: str = ""
    """Where a search found the place."""
    follow_up: str = ""
    done: str = ""
    """A follow-up request, and the answer to it."""

    def story(self) -> Iterator[Step]:
        """Yield the steps of the session."""
        yield Prompt(self.prompt)
        yield Title(self.title)
        yield Thought(self.thought)
        if self.found:
            yield grep(self.old.split("(")[0].strip(), ".", self.found)
        yield read(self.path, self.old)
        yield edit(self.path, self.old, self.new)
        yield run(self.command, self.output)
        yield Answer(self.answer)
        if self.follow_up:
            yield Prompt(self.follow_up)
            yield run(self.command, self.output)
            yield Answer(self.done)


LOGGING = Chore(
    "Log lines without customer names",
    "Our log lines contain full customer names. Remove them, keep something to search for",
    "A short hash of the customer id keeps lines findable without naming anybody.",
    "src/log.ts",
    "log.info(`order of ${customer.name}`);\n",
    "log.info(`order of customer ${short(customer.id)}`);\n",
    "npm test -- log",
    "Tests: 7 passed, 7 total",
    "Names are gone from all 11 log calls; `short(id)` gives eight characters to search for.",
    found="src/log.ts:9\nsrc/orders.ts:31\nsrc/orders.ts:58\nsrc/refunds.ts:20",
)
FLAKY = Chore(
    "Flaky test in the retry module",
    "test_retry fails about once a day on CI. Find out why",
    "It sleeps 0.1 s and expects exactly one retry. On a busy machine there are two.",
    "tests/test_retry.py",
    "    time.sleep(0.1)\n    assert tries == 1\n",
    "    clock.advance(0.1)\n    assert tries == 1\n",
    "pytest -q --count 500 tests/test_retry.py",
    "500 passed in 3.18s",
    "The test measured real time. With a clock moved by hand it passed 500 times in a row.",
    found="tests/test_retry.py:14\ntests/test_retry.py:40",
    follow_up="Are there more tests that sleep?",
    done="Two more, both in test_retry.py; they use the same clock now. No test sleeps any more.",
)
SEARCH_BOX = Chore(
    "搜索框输入中文时不要触发请求",
    "用拼音输入法的时候，每敲一个字母都会发一次搜索请求",
    "Composition events: ignore input until compositionend, then search once.",
    "src/search.ts",
    "input.oninput = () => search(input.value);\n",
    "input.oninput = (event) => event.isComposing || search(input.value);\n",
    "npm test -- search",
    "Tests: 12 passed, 12 total",
    "输入法还在组字的时候不再发请求，选定之后只发一次。",
)
DOCKER = Chore(
    "Halve the image size",
    "The container image is 1.4 GB. Get it under 700 MB without dropping anything we use",
    "The build stage's compiler stays in the image. Two stages, and wheels copied over.",
    "Dockerfile",
    "FROM python:3.12\n",
    "FROM python:3.12-slim AS run\nCOPY --from=build /wheels /wheels\n",
    "docker build -q . && docker image ls --format '{{.Size}}' | head -1",
    "412MB",
    "412 MB. The compiler and the headers stay in the build stage; run time did not change.",
    follow_up="Does the health check still work?",
    done="Yes. The container starts in 1.1 s and `/health` answers 200.",
)
CHANGELOG = Chore(
    "Changelog for 1.4",
    "Write the changelog for 1.4 from the commits since the tag, for users, not for us",
    "Forty commits, about nine of them matter to somebody who uses the library.",
    "CHANGELOG.md",
    "# Changelog\n",
    "# Changelog\n\n## 1.4\n\n- Decorators keep their comments\n",
    "git log --oneline v1.3..HEAD | wc -l",
    "40",
    "Nine entries under three headings; the two that change behaviour stand first.",
)
BACKUP = Chore(
    "备份脚本加上校验",
    "备份脚本只管拷贝，从来没验证过能不能恢复。加一步校验",
    "Restore into a temporary database and compare the row counts of every table.",
    "scripts/backup.sh",
    'sqlite3 "$db" ".backup $out"\n',
    'sqlite3 "$db" ".backup $out"\npython -m tools.verify "$db" "$out"\n',
    "bash scripts/backup.sh",
    "23 张表，行数一致",
    "每次备份之后会恢复到临时库并逐表比对行数，不一致就报错退出。昨晚的备份通过了。",
    follow_up="再跑一次看看",
    done="又跑了一遍：23 张表，行数全部一致，用时 41 秒。",
)
HOLIDAYS = Chore(
    "Holidays in the delivery estimate",
    "The delivery estimate ignores public holidays",
    "There is a holiday table by country; the estimate only skips weekends.",
    "src/delivery.ts",
    "while (isWeekend(day)) day = next(day);\n",
    "while (isWeekend(day) || isHoliday(day, country)) day = next(day);\n",
    "npm test -- delivery",
    "Tests: 19 passed, 19 total",
    "Estimates skip the holidays of the country that the parcel goes to.",
    found="src/delivery.ts:22",
)
LINT = Chore(
    "升级 ruff 并修掉新告警",
    "把 ruff 升到最新，新的告警能自动修的自动修，其余的给我列出来",
    "Upgrade, run with --fix, then look at what is left one by one.",
    "pyproject.toml",
    '"ruff==0.9",\n',
    '"ruff>=0.17",\n',
    "ruff check --fix . ; ruff check --statistics .",
    "Found 61 errors (58 fixed, 3 remaining).",
    "58 处自动修好，剩下 3 处需要你决定：两处过宽的 except，一处可变默认参数。",
)
FEED = Chore(
    "News feed for the release notes",
    "People want a feed for the release notes",
    "The site generator knows the pages and their dates; an Atom template is enough.",
    "mkdocs.yml",
    "plugins:\n",
    "plugins:\n  - atom:\n      pages: releases/*.md\n",
    "mkdocs build --strict && xmllint --noout site/feed.xml",
    "INFO    -  Documentation built in 4.02 seconds",
    "`/feed.xml` has the last 20 releases and validates. A link is in the footer.",
)
