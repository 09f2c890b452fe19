"""`sessions memory`: print a session's memory, each item with its source."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from ...storage.memory.fold import MemoryFold
from ...storage.memory.render import BUDGET, render
from ...storage.model.event import Event
from ...storage.model.integrity import Integrity
from ...storage.model.memory import LISTS, ListName, MemoryItem, SessionMemory
from ...storage.transcript.parts import Parts
from ...storage.transcript.transcript import Transcript
from ...widgets.words.ages import clock, day_short
from ...widgets.words.safe import exact_name, one_line, safe_text
from ..output.lines import columns
from ..output.shapes import integrity_shape, to_json
from ..output.streams import say
from .scope import DONE, TROUBLE, UsageError, find_session, is_alive, library_of, scope_of

TITLES: dict[ListName, str] = {
    "todo_items": "Todo",
    "verification_status": "Verification",
    "key_decisions": "Key decisions",
    "failed_attempts": "Failed attempts",
    "completed_work": "Completed work",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument("--all", action="store_true", help="all items, not only the newest")
    parser.add_argument(
        "--render", action="store_true", help="print the text block that an agent would be given"
    )
    parser.add_argument(
        "--budget",
        type=int,
        default=BUDGET,
        metavar="N",
        help=f"at most N characters of that block (default {BUDGET})",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print the memory; exit code 1 if the transcript is corrupt."""
    if options.budget < 0:
        raise UsageError("--budget takes a number of characters, 0 or more.")
    with library_of(scope_of(options), [options.session]) as library:
        paths = library.parts(find_session(library, options.session))
        files = [(path, library.file(path)) for path in paths]
        alive = is_alive(library, paths[-1])
        since = library.transcript(paths[0]).inherited_before
    parts = Parts([Transcript(path, file.session if file else path.stem) for path, file in files])
    try:
        memory = fold(parts.transcripts, options.all).memory(alive, since)
        integrity = parts.integrity()
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}.") from None
    return _print(memory, integrity, options)


def fold(parts: Sequence[Transcript], keep_all: bool) -> MemoryFold:
    """Return the memory of all events of a session's parts, including unterminated last records."""
    events = (event for part in parts for event in _events(part))
    first = next(events, None)
    memory = MemoryFold(parts[-1].session, parts[0].agent, keep_all)
    if first is not None:
        memory.add(first)
        for event in events:
            memory.add(event)
    return memory


def _events(transcript: Transcript) -> Iterator[Event]:
    for events in transcript.advance():
        yield from events
    yield from transcript.tail()


def _print(memory: SessionMemory, integrity: Integrity, options: argparse.Namespace) -> int:
    corrupt = integrity.state == "corrupt"
    if integrity.state != "ok":
        so = ", so nothing is remembered of it" if corrupt else ""
        say(f"The transcript is {integrity.state}{so}: {integrity.detail}.")
    if options.render:
        print(end="" if corrupt else _block(memory, options.budget))
    elif options.json:
        print(to_json(memory_shape(memory, integrity)))
    elif not corrupt:
        _print_page(memory)
    return TROUBLE if corrupt else DONE


def _block(memory: SessionMemory, budget: int) -> str:
    block = render(memory, budget)
    return block and block + "\n"


def memory_shape(memory: SessionMemory, integrity: Integrity) -> dict[str, object]:
    """Return the JSON document; the memory's fields are null if the transcript is corrupt."""
    known = integrity.state != "corrupt"
    goal = memory.current_goal
    return {
        "session": memory.session,
        "integrity": integrity_shape(integrity),
        "current_goal": item_shape(goal) if goal and known else None,
        **{
            name: [item_shape(item) for item in memory.items(name)] if known else None
            for name in LISTS
        },
        "event_count": memory.event_count if known else None,
        "last_event_id": memory.last_event_id if known else None,
        "dropped": dict(memory.dropped) if known else None,
    }


def item_shape(item: MemoryItem) -> dict[str, object]:
    """Return the JSON object of an item of the memory."""
    source = item.source
    return {
        "text": item.text,
        "source": {
            "start_event_id": source.start_event_id,
            "end_event_id": source.end_event_id,
            "start_step": source.start_step,
            "end_step": source.end_step,
        },
    }


def _print_page(memory: SessionMemory) -> None:
    if memory.is_empty:
        say("There is nothing to remember of this session yet.")
        return
    if memory.goal and memory.current_goal:
        print("Goal")
        for line in safe_text(memory.goal).splitlines():
            print(f"  {line}")
        print(f"  {_origin(memory.current_goal)}")
    for name, title in TITLES.items():
        _print_group(title, memory.items(name), memory.dropped[name])


def _print_group(title: str, items: tuple[MemoryItem, ...], dropped: int) -> None:
    if not items and not dropped:
        return
    print(f"\n{title}")
    if dropped:
        print(f"  + {dropped:,} earlier (--all)")
    for item in items:
        sign = "⚠" if item.uncertain else "-"
        origin = _origin(item)
        room = max(40, columns() - len(origin) - 6)
        print(f"  {sign} {one_line(item.text, room)}  {origin}")


def _origin(item: MemoryItem) -> str:
    """Return when the item was recorded, and the id of its source event."""
    when = f"{day_short(item.at)} {clock(item.at)}  " if item.at is not None else ""
    return f"[{when}{exact_name(item.source.start_event_id or '')}]"
