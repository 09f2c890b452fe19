"""Going about among kin: into sub-agents and back, from forks and resumed sessions to sources."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Call, Prompt
from sessions_tui.storage.stores.roots import find_roots
from tests.app.sitting import NOW, Home, Person, Sit

pytestmark = pytest.mark.anyio

CASES = Path(__file__).parents[2] / "cases"
STORE_NOW = 1_795_600_000_000
TOP, MIDDLE, LEAF = "aa8e88a6-eafe-4101-88a2-2d865e2d6705", "agent-5d1c77e2", "agent-0be4f19a"
FORK, SOURCE = "0da18c4c-099a-4bf2-aecf-26e5c46e9e04", "0e895aaf-e078-44e4-86bd-c528293f2eb4"


@asynccontextmanager
async def store(home: Home, sit: Sit, size: tuple[int, int] = (140, 40)) -> AsyncIterator[Person]:
    """Somebody before a store with nested sub-agents and a fork."""
    copy = home.folder / "store"
    shutil.copytree(CASES / "product-store", copy)
    roots = find_roots([copy], {}, home.folder, home.folder)
    async with sit(size, roots=roots, now=STORE_NOW) as mei:
        yield mei


async def until_in(mei: Person, name: str) -> None:
    """Wait until a session is open and shown."""
    await mei.until(lambda: mei.reading.path is not None and mei.reading.path.stem == name)
    await mei.until(lambda: len(mei.timeline.source) > 0)


async def to_call(mei: Person) -> int:
    """Put the cursor on the first call that leads into a sub-agent; the row it is."""
    await mei.until(lambda: bool(mei.timeline._doors))
    rows = [mei.timeline.source[row] for row in range(len(mei.timeline.source))]
    row = next(at for at, row in enumerate(rows) if row.offset in mei.timeline._doors)
    mei.timeline.select(row)
    return row


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_enter_leads_into_sub_agents_and_escape_back(
    home: Home, sit: Sit, size: tuple[int, int]
) -> None:
    async with store(home, sit, size) as mei:
        await mei.opens(TOP)
        outer = await to_call(mei)
        await mei.press("enter")
        await until_in(mei, MIDDLE)
        assert mei.timeline.has_focus
        await mei.until_sees("› List the three slowest")
        inner = await to_call(mei)
        await mei.press("enter")
        await until_in(mei, LEAF)
        await mei.until_sees("› Count lines in logs/sql.log")
        await mei.press("escape")
        await until_in(mei, MIDDLE)
        await mei.until(lambda: mei.timeline.cursor == inner)
        await mei.press("escape")
        await until_in(mei, TOP)
        await mei.until(lambda: mei.timeline.cursor == outer)
        assert mei.timeline.has_focus
        await mei.press("escape")
        assert mei.sessions.has_focus
        assert mei.sessions.session is not None
        assert mei.sessions.session.session == TOP


async def test_enter_on_other_events_opens_them(home: Home, sit: Sit) -> None:
    async with store(home, sit) as mei:
        await mei.opens(TOP)
        await mei.until(lambda: bool(mei.timeline._doors))
        await mei.press("G", "enter")
        assert mei.reading.path is not None
        assert mei.reading.path.stem == TOP
        assert not mei.timeline.has_focus


async def test_a_sub_agent_of_the_list_leads_up_to_its_call(home: Home, sit: Sit) -> None:
    async with store(home, sit) as mei:
        await mei.until(lambda: mei.item(TOP) is not None)
        assert mei.sessions.select_path(mei.item(TOP).session.path)  # type: ignore[union-attr]
        await mei.press("right")
        await mei.opens(MIDDLE)
        await mei.press("less_than_sign")
        await until_in(mei, TOP)
        row = await to_call(mei)
        await mei.until(lambda: mei.timeline.cursor == row)
        await mei.press("escape")
        assert mei.sessions.has_focus  # going up leaves no trail down


async def test_another_session_begins_a_new_trail(home: Home, sit: Sit) -> None:
    async with store(home, sit) as mei:
        await mei.opens(TOP)
        await to_call(mei)
        await mei.press("enter")
        await until_in(mei, MIDDLE)
        await mei.press("tab", "tab")
        assert mei.sessions.has_focus
        await mei.opens(SOURCE)
        await mei.press("escape")
        assert mei.sessions.has_focus


async def test_between_a_fork_and_its_source(home: Home, sit: Sit) -> None:
    async with store(home, sit) as mei:
        await mei.opens(FORK)
        await mei.until_sees("Lexer · fork of Lexer")
        await mei.press("less_than_sign")
        await until_in(mei, SOURCE)
        await mei.press("less_than_sign")
        await mei.until_sees("This session has no parent")
        await mei.press("escape")
        await until_in(mei, FORK)
        await mei.press("greater_than_sign")
        await mei.until_sees("Nothing to open: no sub-agent")


async def test_a_session_after_a_resume_says_what_it_goes_on_from(home: Home, sit: Sit) -> None:
    root = CASES / "mycodeagent-runs" / "c_kill_then_resume"
    roots = find_roots([root], {}, home.folder, home.folder)
    async with sit(roots=roots, now=STORE_NOW + 10**9) as mei:
        await mei.opens("s-20261129-201903-5b7f")
        await mei.press("greater_than_sign")
        await mei.until_sees("Did the edit land? · goes on from Rotate the secret")
        await mei.press("escape")
        await mei.until_sees("✗ crashed")
        assert not mei.sees("· goes on from Rotate the secret")


async def test_a_source_that_is_gone(home: Home, sit: Sit) -> None:
    agent = home.agent("fork").does(Prompt("Go on"), Answer("Gone on."))
    meta = agent.path.with_name("fork.meta.json")
    meta.write_text(json.dumps({"forkedFrom": "lost"}))
    async with sit() as mei:
        await mei.opens("fork")
        await mei.until_sees("fork of lost")
        await mei.press("less_than_sign")
        await mei.until_sees("Session lost is not there any more")


async def test_the_palette_offers_the_ways(home: Home, sit: Sit) -> None:
    async with store(home, sit) as mei:
        await mei.opens(FORK)
        await mei.press("ctrl+p")
        await mei.types("go to parent")
        await mei.until_sees("forked or resumed from")
        await mei.press("enter")
        await until_in(mei, SOURCE)


READ = Call("Read", {"file_path": "a.md"}, "a.md", None)
ASK = Call("AskUserQuestion", {"questions": [{"question": "Which?"}]}, "Which?", None)


def beside(home: Home, name: str, minutes: float, *steps: Prompt | Answer | Call) -> Path:
    """What a sub-agent of the session `busy` wrote."""
    folder = home.path("busy").with_suffix("") / "subagents"
    folder.mkdir(parents=True, exist_ok=True)
    agent = home.agent(f"loose-{name}", minutes).does(*steps)
    return Path(shutil.move(agent.path, folder / f"{name}.jsonl"))


async def test_the_family_stands_where_its_sub_agents_need_it(home: Home, sit: Sit) -> None:
    home.agent("busy", 30).does(Prompt("Check everything"), Answer("Started."))
    home.agent("quiet", 5).does(Prompt("Hello"), Answer("Hello."))
    beside(home, "agent-1", 0.1, Prompt("Check the links"), READ)
    async with sit() as mei:
        await mei.until(lambda: mei.entries()[:2] == ["WORKING", "  busy"])
        await mei.until_sees("sub-agent working", "2 sessions · 1 working")
        beside(home, "agent-2", 0.1, Prompt("Check the docs"), ASK)
        await mei.until(lambda: mei.entries()[:2] == ["NEEDS YOU", "  busy"])
        await mei.until_sees("sub-agent needs you", "1 needs you")
        session = mei.session("busy")
        assert session is not None
        assert (session.status, session.needs_you) == ("done", False)


async def test_a_resent_prompt_dims_what_was_left_as_it_comes(home: Home, sit: Sit) -> None:
    agent = home.agent("talk").does(Prompt("First"), Answer("One."), Prompt("Secnd"), Answer("No."))
    records = [json.loads(line) for line in agent.path.read_bytes().splitlines()]
    typed = [one for one in records if one.get("role") == "user"]
    before = typed[1]["parentId"]
    async with sit() as mei:
        await mei.opens("talk")
        await mei.until(lambda: "No." in mei.texts())
        assert left(mei) == []
        notice = {
            "id": f"notice-{NOW}-abc",
            "parentId": before,
            "timestamp": NOW,
            "type": "resend-fork-notice",
            "editedUserItemId": typed[1]["id"],
            "providerData": {"skipRun": True, "resendForkNotice": True},
            "sessionId": "talk",
            "cwd": "/src/shop",
        }
        agent.writes([json.dumps(notice).encode() + b"\n"])
        await mei.until(lambda: left(mei) == ["Secnd", "No."])
        again = typed[1] | {"id": "again", "timestamp": NOW + 9}
        again["content"] = [{"type": "input_text", "text": "Second"}]
        agent.writes([json.dumps(again).encode() + b"\n"])
        await mei.until(lambda: "Second" in mei.texts())
        assert left(mei) == ["Secnd", "No."]
        assert {"First", "One.", "Secnd", "No.", "Second"} <= set(mei.texts())


def left(mei: Person) -> list[str]:
    """The texts of the rows on branches that were left."""
    shown = [mei.timeline.source[row] for row in range(len(mei.timeline.source))]
    return [row.text for row in shown if row.abandoned]
