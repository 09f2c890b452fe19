"""What is remembered, by dialect: against MyCodeAgent's own deriver, and case by case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.memory.fold import MemoryFold
from sessions_tui.storage.memory.notes import KEPT
from sessions_tui.storage.model.event import Event, Place, Record
from sessions_tui.storage.model.memory import LISTS, MemoryItem, SessionMemory
from sessions_tui.storage.text.folding import well_formed
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
MYCODEAGENT = sorted(CASES.glob("mycodeagent*/**/*.jsonl"))

Texts = dict[str, list[str]]


def events_of(path: Path) -> tuple[Transcript, list[Event]]:
    transcript = Transcript(path, path.stem.removeprefix("transcript-"))
    events = [event for events in transcript.advance() for event in events]
    return transcript, events + transcript.tail()


def remembered(path: Path, keep_all: bool = True, alive: bool = False) -> SessionMemory:
    transcript, events = events_of(path)
    return folded(events, transcript.agent.name, keep_all).memory(alive)


def folded(events: list[Event], dialect: str, keep_all: bool = False) -> MemoryFold:
    fold = MemoryFold("s", AGENTS[dialect], keep_all)
    for event in events:
        fold.add(event)
    return fold


def plain(item: MemoryItem | None) -> Any:
    """An item as MyCodeAgent writes it."""
    if item is None:
        return None
    source = item.source
    return {
        "text": well_formed(item.text),
        "source": {
            "start_event_id": source.start_event_id,
            "end_event_id": source.end_event_id,
            "start_step": source.start_step,
            "end_step": source.end_step,
        },
    }


def texts(memory: SessionMemory) -> Texts:
    """The lists that hold something."""
    lists = {name: [item.text for item in memory.items(name)] for name in LISTS}
    return {name: items for name, items in lists.items() if items}


@pytest.mark.parametrize("path", MYCODEAGENT, ids=lambda path: path.stem)
def test_mycodeagent_remembers_the_same(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    if expected.get("error"):
        return
    own, memory = expected["session_memory"], remembered(path)
    assert plain(memory.current_goal) == own["current_goal"]
    for name in LISTS:
        items = [plain(item) for item in memory.items(name)]
        # Open items of TodoWrite follow; its deriver forgets them.
        assert items[: len(own[name])] == own[name]
        assert name == "todo_items" or len(items) == len(own[name])
    assert memory.event_count == own["event_count"]
    assert memory.first_event_id == own["source"]["start_event_id"]
    assert memory.last_event_id == own["last_event_id"]
    assert set(memory.dropped.values()) == {0}


def test_mycodeagent_keeps_its_open_todo_items() -> None:
    memory = remembered(CASES / "mycodeagent" / "c31_todowrite_incomplete.jsonl")
    assert [(item.text, item.source.start_event_id) for item in memory.todo_items] == [
        ("unfinished", "evt-0007")
    ]


def test_the_goal_as_it_was_typed() -> None:
    memory = remembered(CASES / "mycodeagent" / "e21_system_reminder_goal.jsonl")
    assert memory.current_goal is not None
    assert "<system-reminder>" in memory.current_goal.text
    assert memory.goal == "look at @auth.py"


EXPECTED: dict[str, tuple[str | None, Texts]] = {
    "03a-crash-mid-edit": (
        "Rename Lexer.next to Lexer.advance everywhere",
        {
            "completed_work": ["Bash grep -rn 'next(' src | head", "Edit src/lexer.py"],
            "todo_items": [
                "Resolve uncertain action Edit src/parse.py before claiming completion."
            ],
            "verification_status": ["Uncertain tool action detected: Edit src/parse.py"],
        },
    ),
    "03b-user-interrupt": (
        "Run the whole benchmark suite",
        {
            "completed_work": ["Bash make bench"],
            "verification_status": ["Interrupted by the user."],
        },
    ),
    "04-compaction": (
        "Now add a test for it",
        {
            "completed_work": [
                "Answered: It is a two level expression grammar.",
                "Edit grammar.ebnf",
                "Answered: Added.",
                "Answered: Test added in tests/test_grammar.py.",
            ],
            "key_decisions": [
                "Compacted the conversation (user-command)",
                "Compacted the conversation (pre-message-auto)",
            ],
        },
    ),
    "06-noise-titles": (
        "why does   `make docs`\nfail on CI?",
        {
            "completed_work": [
                "Bash make docs",
                "Answered: It needs graphviz.",
                "Answered: The background build finished.",
            ]
        },
    ),
    "08a-waiting-question": (
        "Set up the database",
        {"todo_items": ["Answer the open question: Which database?"]},
    ),
    "10b-empty": (None, {}),
    "10c-bad-utf8-lone-surrogate": (
        "retry",
        {
            "completed_work": ["Answered: \ud83d There is no CHANGELOG.md."],
            "failed_attempts": [
                "Provider error 429: 429 Too many requests, please retry later",
                "Read CHANGELOG.md: Error reading file",
            ],
        },
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_product(name: str) -> None:
    goal, lists = EXPECTED[name]
    memory = remembered(CASES / "product" / f"{name}.jsonl")
    assert (memory.current_goal and memory.current_goal.text) == goal
    shown = texts(memory)
    if decisions := shown.get("key_decisions"):  # how the summary itself begins comes behind
        shown["key_decisions"] = [text.partition(": ")[0] for text in decisions]
    assert shown == lists


def test_an_item_leads_to_its_call_and_result() -> None:
    memory = remembered(CASES / "product" / "01-ordinary-edits.jsonl")
    failed, passed = memory.verification_status
    assert failed.text == "Tests failed: pytest -q tests/test_stock.py (exit 1)"
    assert passed.text == "Tests passed: pytest -q"
    start, end = passed.source.start_event_id, passed.source.end_event_id
    assert (start, end) == ("transcript:01-ordinary-edits:25", "transcript:01-ordinary-edits:26")
    assert passed.at is not None
    assert failed.offset < passed.offset


def test_envelope() -> None:
    memory = remembered(CASES / "envelope" / "136_orphan_result_and_open_call.jsonl")
    assert texts(memory) == {
        "completed_work": ["write_file a"],
        "todo_items": [
            "Resolve uncertain action write_file b before claiming completion.",
            "Resolve uncertain action bash rm x before claiming completion.",
        ],
        "verification_status": [
            "Uncertain tool action detected: write_file b",
            "Uncertain tool action detected: bash rm x",
        ],
    }


def test_calls_of_a_living_agent_are_at_work() -> None:
    crashed = CASES / "product" / "03a-crash-mid-edit.jsonl"
    assert "todo_items" not in texts(remembered(crashed, alive=True))
    moved_on = [*product_edit("a"), prompt("go on"), *product_edit("b")]
    memory = folded([event for event in moved_on if event.kind != "result"], "product")
    uncertain = [item.text for item in memory.memory(alive=True).todo_items]
    assert uncertain == ["Resolve uncertain action Edit a.py before claiming completion."]


def product(record: Record, offset: int = 0) -> Event:
    full = {"timestamp": 1_795_000_000_000, "sessionId": "s", **record}
    return AGENTS["product"].reader.read(full, Place("s", None, offset, 0))


def prompt(text: str) -> Event:
    content = [{"type": "input_text", "text": text}]
    return product({"type": "message", "role": "user", "content": content})


def answer(text: str) -> Event:
    content = [{"type": "output_text", "text": text}]
    return product(
        {"type": "message", "role": "assistant", "status": "completed", "content": content}
    )


def product_call(tool: str, args: Any, output: str = "ok", call: str = "c") -> list[Event]:
    name = {"name": tool, "callId": call}
    called = {"type": "function_call", **name, "arguments": json.dumps(args)}
    ended = {"type": "function_call_result", **name, "status": "completed"}
    return [product(called), product({**ended, "output": {"type": "text", "text": output}})]


def product_edit(call: str) -> list[Event]:
    return product_call("Edit", {"file_path": f"{call}.py"}, call=call)


def task(number: int, subject: str) -> list[Event]:
    return product_call("TaskCreate", {"subject": subject}, f"Task #{number} created: {subject}")


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (
            product_call(
                "TodoWrite",
                {
                    "todos": [
                        {"content": "read", "status": "completed"},
                        {"content": "write", "status": "in_progress"},
                        {"content": "test", "status": "pending"},
                    ]
                },
            ),
            ["write (in progress)", "test"],
        ),
        (
            product_call("TodoWrite", {"todos": [{"content": "a", "status": "pending"}]})
            + product_call("TodoWrite", {"todos": [{"content": "b"}]}),
            ["b"],
        ),
        (product_call("TodoWrite", {"todos": [None, {"content": 5}, {}]}), []),
        (product_call("TodoWrite", {"todos": "all"}) + product_call("TodoWrite", [1]), []),
        (task(7, "Write 2 tests") + task(8, "Ship"), ["Write 2 tests", "Ship"]),
        (
            task(1, "a")
            + task(2, "b")
            + product_call("TaskUpdate", {"taskId": "1", "status": "completed"})
            + product_call("TaskUpdate", {"taskId": 2, "status": "in_progress"}),
            ["b (in progress)"],
        ),
        (task(1, "a") + product_call("TaskUpdate", {"taskId": "1", "owner": "me"}), ["a"]),
        (product_call("TaskUpdate", {"taskId": "9", "status": "pending"}), ["Task 9"]),
    ],
)
def test_open_todo_items(events: list[Event], expected: list[str]) -> None:
    memory = folded(events, "product").memory()
    assert [item.text for item in memory.todo_items] == expected
    assert not memory.completed_work


def test_what_the_person_decided() -> None:
    events = [
        *product_call("ExitPlanMode", {"plan": "1. Measure\n2. Cut"}),
        *product_call("AskUserQuestion", {"questions": [{"question": "Which?"}]}, "SQLite"),
    ]
    assert texts(folded(events, "product").memory()) == {
        "key_decisions": ["Approved plan: 1. Measure 2. Cut", "Which? → SQLite"]
    }


def test_only_the_last_answer_of_a_turn_is_work() -> None:
    events = [
        prompt("do it"),
        answer("I'll look."),
        *product_call("Read", {"file_path": "a.py"}),
        answer("Done."),
        prompt("thanks"),
        answer("You are welcome."),
    ]
    assert texts(folded(events, "product").memory()) == {
        "completed_work": ["Answered: Done.", "Answered: You are welcome."]
    }


@pytest.mark.parametrize(
    ("args", "output", "expected"),
    [
        ({"command": "pytest | tail -3"}, "2 failed, 5 passed", ["Tests failed: pytest | tail -3"]),
        ({"command": "ruff check ."}, "All checks passed!", ["Lint passed: ruff check ."]),
        ({"command": "pytest", "run_in_background": True}, "started", []),
        ({"command": "git status"}, "clean", []),
    ],
)
def test_checks(args: Any, output: str, expected: list[str]) -> None:
    memory = folded(product_call("Bash", args, output), "product").memory()
    assert [item.text for item in memory.verification_status] == expected


def test_lists_are_bounded() -> None:
    events = [event for n in range(200) for event in product_edit(str(n))]
    memory = folded(events, "product").memory()
    assert len(memory.completed_work) == KEPT
    assert memory.completed_work[-1].text == "Edit 199.py"
    assert memory.dropped["completed_work"] == 200 - KEPT
    everything = folded(events, "product", keep_all=True).memory()
    assert everything.completed_work[-KEPT:] == memory.completed_work
    assert len(everything.completed_work) == 200


def test_uncertain_actions_are_left_out_last() -> None:
    todos = [{"content": f"todo {n}", "status": "pending"} for n in range(2 * KEPT)]
    events = [product_edit("lost")[0], *product_call("TodoWrite", {"todos": todos})]
    items = folded(events, "product").memory().todo_items
    assert len(items) == KEPT
    assert items[0].uncertain
    assert [item.text for item in items[1:3]] == ["todo 0", "todo 1"]
