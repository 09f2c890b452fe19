"""The course of a session: every response once, bounded however long the session is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.folds.tally import QUARTER
from sessions_tui.storage.index.index import Used
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.usage import Course, Moment
from sessions_tui.storage.transcript.transcript import Transcript
from sessions_tui.storage.usage.course import MOST, SECOND, CourseFold, course_by_quarters, together

MINUTE = 60 * SECOND
START = 1_778_508_120_000  # 2026-05-11, 14:02 UTC


def record(kind: str, second: int, message: str = "", tokens: int = 0, **more: Any) -> bytes:
    extra: dict[str, Any] = {"model": "hy3", "messageId": message}
    if tokens:
        extra["rawUsage"] = {"prompt_tokens": tokens, "completion_tokens": 1}
    fields = {"timestamp": START + second * 1_000, "type": kind, "sessionId": "s", **more}
    return json.dumps({**fields, "providerData": extra}).encode() + b"\n"


def call(second: int, message: str, tokens: int = 0) -> bytes:
    more = {"callId": f"c{second}", "name": "Bash", "arguments": "{}", "id": message}
    return record("function_call", second, message, tokens, **more)


def test_events_of_a_transcript(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    answer = {"role": "assistant", "content": [{"type": "output_text", "text": "Done"}]}
    path.write_bytes(
        record("message", 0, role="user", content=[{"type": "input_text", "text": "Go"}])
        + call(3, "m1")
        + call(3, "m1", 100)
        + call(4, "m1", 100)  # the usage of one response may stand on several records
        + record("function_call_result", 9, callId="c3", output={"type": "text", "text": "ok"})
        + record("message", 200, "m2", 50, **answer)
        + b"not a record\n"
    )
    transcript = Transcript(path, "s")
    transcript.read()
    course_fold = CourseFold(MINUTE)
    for event in transcript.events():
        course_fold.add(event)
    assert course_fold.course() == Course(
        MINUTE,
        (Moment(START, Usage(100, 0, 1), 3), Moment(START + 3 * MINUTE, Usage(50, 0, 1), 0)),
    )


def test_hours_of_the_index() -> None:
    one, hour = Path("/a.jsonl"), START // QUARTER
    usage = [
        Used(one, hour, "hy3", "", Usage(1, 2, 3), 1),
        Used(one, hour, "glm-5", "", Usage(10, 20, 30), 1),
        Used(one, hour + 5, "hy3", "", Usage(1), 1),
        Used(one, 0, "hy3", "", Usage(99), 1),
    ]
    calls = [(one, hour, "Bash", "", 4), (one, hour, "Edit", "", 1), (one, 0, "Edit", "", 9)]
    assert course_by_quarters(usage, calls) == Course(
        QUARTER,
        (
            Moment(hour * QUARTER, Usage(11, 22, 33), 5),
            Moment((hour + 5) * QUARTER, Usage(1), 0),
        ),
    )


def test_what_went_on_side_by_side() -> None:
    first = Course(MINUTE, (Moment(START, Usage(1), 1), Moment(START + 3 * MINUTE, Usage(2), 0)))
    second = Course(2 * MINUTE, (Moment(START, Usage(4), 2),))
    assert together([first]) == first
    assert together([first, second]) == Course(
        2 * MINUTE, (Moment(START, Usage(5), 3), Moment(START + 2 * MINUTE, Usage(2), 0))
    )


def test_nothing() -> None:
    assert CourseFold().course() == Course(SECOND)
    assert course_by_quarters([], []) == Course(QUARTER)
    assert together([]) == Course(SECOND)


MOMENTS = st.tuples(st.integers(0, 10**13), st.integers(0, 100), st.integers(0, 3))


@given(moments=st.lists(MOMENTS, max_size=60))
def test_nothing_is_lost_in_any_order(moments: list[tuple[int, int, int]]) -> None:
    one, other = CourseFold(), CourseFold()
    for at, tokens, calls in moments:
        one.use(at, Usage(tokens), calls)
    for at, tokens, calls in reversed(moments):
        other.use(at, Usage(tokens), calls)
    course = one.course()
    assert course == other.course()
    assert sum(moment.tokens.input for moment in course.moments) == sum(t for _, t, _ in moments)
    assert sum(moment.calls for moment in course.moments) == sum(c for _, _, c in moments)
    assert [moment.at for moment in course.moments] == sorted({m.at for m in course.moments})


def test_a_course_of_weeks_stays_small() -> None:
    course_fold = CourseFold()
    for minute in range(30 * 24 * 60):
        course_fold.use(START + minute * MINUTE, Usage(1), 1)
    course = course_fold.course()
    assert len(course.moments) <= MOST
    assert course.step > QUARTER
    assert sum(moment.calls for moment in course.moments) == 30 * 24 * 60
