"""What WorkBuddy and CodeBuddy write, as events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy import AGENT
from sessions_tui.storage.agents.codebuddy import reader as product
from sessions_tui.storage.files.lines import split
from sessions_tui.storage.model.event import Event, Place, Record, Usage
from sessions_tui.storage.records.parsing import is_blank, read_line

CASES = Path(__file__).parents[3] / "cases"
STORE = CASES / "product-store" / "projects"
CSV = "c-Users-Lin Mei-Desktop-报表 2026/ec3e3f81-2aaa-4e6b-908c-8ef0e94db988"


def events_of(path: Path) -> Iterator[Event]:
    for number, line in enumerate(split(path.read_bytes(), 0, lone_cr=False), 1):
        if not is_blank(line.data):
            yield read_line(line.data, Place(path.stem, number, line.offset, 0), AGENT)


def case(name: str) -> list[Event]:
    return list(events_of(CASES / "product" / f"{name}.jsonl"))


def read(**record: Any) -> Event:
    return product.read(record, Place("s", 1, 0, 0))


def user(text: str, **extra: Any) -> Event:
    content = [{"type": "input_text", "text": text}]
    return read(type="message", role="user", content=content, providerData=extra)


def result(output: Any = "ok", **tool_result: Any) -> Event:
    extra = {"toolResult": tool_result}
    return read(type="function_call_result", callId="c", output=output, providerData=extra)


@pytest.mark.parametrize(
    ("path", "prompts"),
    [
        (
            "Users-lin-code-inventory-api/0d951c95-602f-417c-8d01-7e07fc10d0f9",
            ["stock.py 里的 reserve() 会超卖，帮我修好并补一个测试", "再把返回值写进 README"],
        ),
        (CSV, ["[image 截图 1.png]\n@image#1:截图 1.png 这张图里的表格为什么对不上 sales.csv？"]),
        (
            "home-mei-src-parser/438a0bda-c51b-47d3-91fc-2fae06052ede",
            ["why does   `make docs`\nfail on CI?"],
        ),
        (
            "home-mei-src-parser/0da18c4c-099a-4bf2-aecf-26e5c46e9e04",
            ["Describe the lexer", "Now the parser"],
        ),
    ],
)
def test_prompts_of_the_store(path: str, prompts: list[str]) -> None:
    events = events_of(STORE / f"{path}.jsonl")
    assert [event.text for event in events if event.kind == "prompt"] == prompts


def test_titles_of_the_store() -> None:
    events = events_of(STORE / "home-mei-src-parser/438a0bda-c51b-47d3-91fc-2fae06052ede.jsonl")
    titles = [title for event in events if (title := product.title(event))]
    assert [(title.source, title.text) for title in titles] == [
        ("topic", "CI docs build failure"),
        ("ai-title", "Docs build fails on CI"),
        ("custom-title", "docs / graphviz"),
        ("summary", "why does `make docs` fail on CI?"),
    ]


def test_a_compacted_session() -> None:
    kinds = [event.kind for event in case("04-compaction") if event.role == "user"]
    assert kinds == ["prompt", "injected", "prompt", "summary", "prompt"]
    answers = [event.kind for event in case("04-compaction") if event.role == "assistant"]
    assert answers.count("summary") == 1


def test_calls_and_results() -> None:
    events = case("01-ordinary-edits")
    calls = {event.call_id: event for event in events if event.kind == "call"}
    results = {event.call_id: event for event in events if event.kind == "result"}
    assert calls.keys() == results.keys()
    assert {event.stage for event in calls.values()} == {"started"}
    failed = [event for event in results.values() if event.outcome == "failed"]
    assert [(event.tool, product.failure(event)) for event in failed] == [("Bash", "exit 1")]
    test_run = calls[failed[0].call_id]
    assert test_run.text == "pytest -q tests/test_stock.py"
    assert test_run.args["description"] == "Run the new test"


def test_large_outputs_and_pictures_are_whole() -> None:
    outputs = [event.text for event in case("05-images-large-output") if event.kind == "result"]
    assert len(outputs[0]) == 56_839
    assert outputs[1] == "[image png]"


@pytest.mark.parametrize(
    ("name", "outcome", "failure"),
    [
        ("03b-user-interrupt", "interrupted", "interrupted"),
        ("10a-third-party-rewrite", "failed", "error 429"),
    ],
)
def test_answers_that_did_not_end(name: str, outcome: str, failure: str) -> None:
    answer = next(event for event in case(name) if event.kind == "answer" and event.outcome)
    assert (answer.outcome, product.failure(answer)) == (outcome, failure)


@pytest.mark.parametrize(
    ("text", "extra"),
    [
        ("typed", {"skipRun": True}),
        ("typed", {"isMeta": True}),
        ("typed", {"agent": "compact"}),
        ("typed", {"teammateMessage": {"from": "lead"}}),
        ("<command-name>/model</command-name>", {}),
        ("<system-reminder>only this", {}),
        ("<task-notification>done</task-notification>", {}),
        ("  ", {}),
        ("<system-reminder>a <system-reminder>b</system-reminder> c</system-reminder>", {}),
        ("<environment>\nOS: linux\n", {}),
        ("<local-command-stdout>ok</local-command-stdout>", {}),
        ('<teammate-message teammate_id="ann">done</teammate-message>', {}),
        ("Your previous response was truncated due to output length limits.\n\nBreak it.", {}),
    ],
)
def test_not_typed(text: str, extra: Record) -> None:
    assert user(text, **extra).kind == "injected"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("plain <b>", "plain <b>"),
        ("<user_query>a</user_query>", "a"),
        ("<user_query>a</user_query> <user_query>b</user_query>", "b"),
        ("<system-reminder x='1'>r</system-reminder>\nhello", "hello"),
        ("hello\n<system-reminder>\nnever closed", "hello"),
        ("<system-reminder>\nnever closed\n<user_query>hello</user_query>", "hello"),
        ("<system-reminder>a<system-reminder>b</system-reminder>c</system-reminder>hi", "hi"),
        (
            "<user_query>why <user_query>x</user_query>?</user_query>",
            "why <user_query>x</user_query>?",
        ),
        ("<user_query>strip <system-reminder> here</user_query>", "strip <system-reminder> here"),
        ("<new_wrapper>x</new_wrapper>\n<user_query>hello</user_query>", "hello"),
        ("<user_query>never closed", "never closed"),
        # A tag that a sentence is about is no wrapper.
        ("Strip the <system-reminder> tag", "Strip the <system-reminder> tag"),
        ("We send <user_query> first", "We send <user_query> first"),
        ("We send <user_query>x</user_query> first", "We send <user_query>x</user_query> first"),
        ("hello <system-reminder>never closed", "hello <system-reminder>never closed"),
        ("<omitted /> is shown", "<omitted /> is shown"),
        ("<environments>a</environments> why?", "<environments>a</environments> why?"),
        ("<environment> is not set", "<environment> is not set"),
        ("<cb_summary> is ugly", "<cb_summary> is ugly"),
        ("<cb_summaries>x</cb_summaries>", "<cb_summaries>x</cb_summaries>"),
        ("the end is </system-reminder>", "the end is </system-reminder>"),
        ("the limit of Your previous response was truncated", None),
        ("<image_local_path>/a.png</image_local_path> what is it?", "what is it?"),
        ("<T> is generic", "<T> is generic"),
    ],
)
def test_typed(text: str, typed: str | None) -> None:
    event = user(text, skipRun=False, teammateMessage={"from": ""})
    assert (event.kind, event.text) == ("prompt", text if typed is None else typed)


@pytest.mark.parametrize("summary", ["Count lamps", "Initial task assignment for counter-1"])
@pytest.mark.parametrize("extra", [{}, {"teammateMessage": {"from": "team-lead"}}])
def test_the_task_of_a_team_member(summary: str, extra: Record) -> None:
    event = user(
        f'<teammate-message teammate_id="team-lead" summary="{summary}">\nCount <b>lamps</b>.\n'
        "</teammate-message>",
        **extra,
    )
    assert (event.kind, event.text) == ("prompt", "Count <b>lamps</b>.")
    title = product.title(event)
    assert (title.text if title else None) == (summary if summary == "Count lamps" else None)


def test_many_tags_take_no_longer_than_they_are_long() -> None:
    for text in ("<environment>" * 3000, "<system-reminder>" * 3000 + "</system-reminder>"):
        assert user(text).kind == "injected"


def test_a_command_is_shown_as_it_was_typed() -> None:
    block = {"type": "input_text", "text": "expanded", "providerData": {"content": "/review x"}}
    assert read(type="message", role="user", content=[block]).text == "/review x"


@pytest.mark.parametrize(
    ("event", "failure"),
    [
        (result(rawResponse={"exitCode": 2}), "exit 2"),
        (result(rawResponse={"exitCode": None, "signal": "SIGKILL"}), "signal SIGKILL"),
        (result(rawResponse={"interrupted": True}), "interrupted"),
        (result(rawResponse={"sandboxDenied": True}), "sandbox denied"),
        (result(error="Error reading file"), "Error reading file"),
        (result({"type": "text", "text": "<tool_use_error>No file</tool_use_error>"}), "No file"),
        (result(rawResponse={"exitCode": 0, "signal": None, "tool_error_code": "0"}), ""),
        (read(type="function_call_result", status="incomplete"), "failed"),
    ],
)
def test_failed_results(event: Event, failure: str) -> None:
    assert event.outcome == ("failed" if failure else "")
    assert product.failure(event) == failure


@pytest.mark.parametrize(
    ("type_of", "kind"),
    [
        ("session-meta", "meta"),
        ("turn-metrics", "meta"),
        ("resend-fork-notice", "notice"),
        ("topic", "title"),
        ("file-history-snapshot", "snapshot"),
        ("never-seen", "unknown"),
        (["message"], "unknown"),
        (None, "unknown"),
    ],
)
def test_kinds(type_of: object, kind: str) -> None:
    assert read(type=type_of).kind == kind


@pytest.mark.parametrize(
    ("timestamp", "at"),
    [
        (1795320001500, 1795320001500),
        (1709123456, 1709123456000),
        (1709123456.5, 1709123456500),
        ("2026-06-09T10:00:01.000999Z", 1780999201000),
        ("2026-06-09T12:00:01+02:00", 1780999201000),
        ("2026-06-09T10:00:01", 1780999201000),
        ("yesterday", None),
        (True, None),
        (0, None),
        (-5, None),
        (10**18, None),
        (float("nan"), None),
        (None, None),
    ],
)
def test_times(timestamp: object, at: int | None) -> None:
    assert read(type="message", timestamp=timestamp).at == at


def test_the_teaching_shape() -> None:
    event = read(type="message", role="user", content="hi", uuid="u", timestamp=1709123456)
    assert (event.kind, event.text, event.at) == ("prompt", "hi", 1709123456000)


@pytest.mark.parametrize(
    ("arguments", "args", "label"),
    [
        ('{"file_path": "a.py"}', {"file_path": "a.py"}, "a.py"),
        ('{"command": "make\\n  test"}', {"command": "make\n  test"}, "make test"),
        ('{"file_path": "a', '{"file_path": "a', '{"file_path": "a'),
        ({"pattern": "x", "path": "src"}, {"pattern": "x", "path": "src"}, "x"),
        (
            '{"questions":[{"question":"Which?"}]}',
            {"questions": [{"question": "Which?"}]},
            "Which?",
        ),
        (None, None, ""),
    ],
)
def test_arguments(arguments: object, args: object, label: str) -> None:
    event = read(type="function_call", arguments=arguments)
    assert (event.args, event.text) == (args, label)


@pytest.mark.parametrize(
    "record",
    [
        {
            "rawUsage": {
                "prompt_tokens": 100,
                "completion_tokens": 7,
                "prompt_tokens_details": {"cached_tokens": 60},
            }
        },
        {"rawUsage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_cache_hit_tokens": 60}},
        {
            "usage": {
                "inputTokens": 100,
                "outputTokens": 7,
                "inputTokensDetails": [{"cached_tokens": 60}],
            }
        },
    ],
)
def test_usage(record: Record) -> None:
    extra = {"messageId": "m", **record}
    assert product.usage({"providerData": extra}) == ("m", Usage(40, 60, 7))


def test_usage_of_a_record_without_any() -> None:
    assert product.usage({"providerData": {"messageId": "m"}}) is None
    message = {"usage": {"input_tokens": 9, "output_tokens": 1, "cache_read_input_tokens": 4}}
    assert product.usage({"id": "i", "message": message}) == ("i", Usage(5, 4, 1))
