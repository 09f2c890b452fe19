"""A model server on 127.0.0.1 that answers from scripts: chat completions, streamed or not.

A conversation is recognised by the marker in its first prompt and gets its turns in order. When
each response began and was sent in full is kept, so that a kill can be timed by it.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from .script import Instant, Operation, Turn

MARKER = re.compile(r"\[task ([\w./-]+)\]")
PIECE = 40
"""Characters in one piece of a stream."""

END = Turn("Nothing more to do.")
Call = tuple[str, dict[str, Any]]
"""A tool's name and arguments."""

Translate = Callable[[Operation], Call]
Json = dict[str, Any]


class Event(NamedTuple):
    """Something that happened to a response."""

    conversation: str
    turn: int
    instant: Instant
    at: float
    """On the clock of `time.monotonic`."""


class Model:
    """The server. `close` ends it."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._turns: dict[str, tuple[tuple[Turn, ...], Translate]] = {}
        self._used: dict[str, int] = {}
        self._changed = threading.Condition()
        owner = self

        class Handler(_Handler):
            model = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()

    def script(self, conversations: Mapping[str, tuple[Turn, ...]], translate: Translate) -> None:
        """Give conversations their turns."""
        with self._changed:
            self._turns |= {name: (turns, translate) for name, turns in conversations.items()}

    def turn_for(self, body: Json) -> tuple[str, int, Turn, Translate | None]:
        """The next turn of the conversation that a request belongs to."""
        found = MARKER.findall(_first_prompt(body)) if body.get("tools") else []
        with self._changed:
            if not found or found[-1] not in self._turns:
                return "", 0, END, None
            name = found[-1]
            turns, translate = self._turns[name]
            turn = self._used.get(name, 0)
            self._used[name] = turn + 1
        return name, turn, turns[turn] if turn < len(turns) else END, translate

    def note(self, conversation: str, turn: int, instant: Instant) -> None:
        """Remember when something happened."""
        with self._changed:
            self.events.append(Event(conversation, turn, instant, time.monotonic()))
            self._changed.notify_all()

    def wait(
        self, conversation: str, turn: int, instant: Instant, goes_on: Callable[[], bool]
    ) -> float | None:
        """When an instant came; None where `goes_on` turned false before."""
        with self._changed:
            while goes_on():
                for event in self.events:
                    if event[:3] == (conversation, turn, instant):
                        return event.at
                self._changed.wait(0.1)
        return None

    def sent(self, conversation: str) -> int:
        """How many responses of a conversation were sent in full."""
        with self._changed:
            return sum(event[::2][:2] == (conversation, "sent") for event in self.events)


def _first_prompt(body: Json) -> str:
    users = [one for one in body.get("messages") or [] if one.get("role") == "user"]
    content = users[0].get("content") if users else ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or "") for part in content or [])


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, format: str, *args: object) -> None:
        """Nothing goes to standard error."""

    def do_GET(self) -> None:
        """Any question of another kind gets an empty answer."""
        self._send({"object": "list", "data": []})

    def do_POST(self) -> None:
        """Answer a request for a completion; the agent may be killed meanwhile."""
        try:
            length = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            if self.path.split("?")[0].endswith("/chat/completions"):
                self._complete(body)
            else:
                self._send({})
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def _complete(self, body: Json) -> None:
        name, number, turn, translate = self.model.turn_for(body)
        self.model.note(name, number, "began")
        calls = [(one.call, *translate(one)) for one in turn.operations] if translate else []
        answer = {"id": f"chatcmpl-{name}-{number}", "model": "scripted"}
        if body.get("stream"):
            self._stream(answer, turn, calls)
        else:
            self._send(answer | _whole(turn, calls))
        self.model.note(name, number, "sent")

    def _send(self, value: Json) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, answer: Json, turn: Turn, calls: list[tuple[str, str, Json]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for choice, usage in _chunks(turn, calls):
            time.sleep(turn.pause)
            head = {"object": "chat.completion.chunk", "created": int(time.time())}
            chunk = answer | head | {"choices": choice} | usage
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            self.wfile.flush()
        self.wfile.write(b"data: [DONE]\n\n")
        self.wfile.flush()


def _chunks(turn: Turn, calls: list[tuple[str, str, Json]]) -> Iterator[tuple[list[Json], Json]]:
    def delta(value: Json, finish: str | None = None) -> tuple[list[Json], Json]:
        return [{"index": 0, "delta": value, "finish_reason": finish}], {}

    yield delta({"role": "assistant", "content": ""})
    for piece in _pieces(turn.text):
        yield delta({"content": piece})
    for index, (call, name, arguments) in enumerate(calls):
        function: Json = {"name": name, "arguments": ""}
        begun = {"index": index, "id": call, "type": "function", "function": function}
        yield delta({"tool_calls": [begun]})
        for piece in _pieces(json.dumps(arguments)):
            yield delta({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield delta({}, _finish(calls))
    yield [{"index": 0, "delta": {}, "finish_reason": None}], {"usage": _usage(turn)}


def _whole(turn: Turn, calls: list[tuple[str, str, Json]]) -> Json:
    message: Json = {"role": "assistant", "content": turn.text or None}
    if calls:
        message["tool_calls"] = [
            {"id": call, "type": "function", "function": {"name": name, "arguments": json.dumps(a)}}
            for call, name, a in calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": _finish(calls)}
    return {"choices": [choice], "usage": _usage(turn)}


def _finish(calls: list[tuple[str, str, Json]]) -> str:
    return "tool_calls" if calls else "stop"


def _usage(turn: Turn) -> Json:
    output = 10 + len(turn.text) + 50 * len(turn.operations)
    cached = {"cached_tokens": 500}
    totals = {"prompt_tokens": 1000, "completion_tokens": output, "total_tokens": 1000 + output}
    return {**totals, "prompt_tokens_details": cached}


def _pieces(text: str) -> list[str]:
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
