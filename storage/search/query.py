"""What a person types to search for, understood: words, phrases, prefixes and filters. Pure.

Any text is a query. A word is a literal piece of text. Where it begins or ends with a letter or
digit of a script that writes spaces between words, no other such letter or digit may stand beside
it: `lock` is not in `block`. Chinese, Japanese, Korean, Thai have no such edges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..model.event import Kind
from ..model.fault import MOMENTS, QueryFault
from ..text.folding import fold, well_formed

Moment = Callable[[str], int | None]
"""The milliseconds since 1970 that `2h` or `2026-11-20` means; None for other words."""

SAID: frozenset[Kind] = frozenset({"prompt", "answer", "summary", "checkpoint"})
"""The kinds of events that the index holds the text of."""

SESSION_KEYS = frozenset({"tool", "status", "workspace", "model", "has"})
"""Keys of filters that are met by whole sessions."""

FILTERS = SESSION_KEYS | {"kind", "since", "file"}
"""Keys of all filters; behind any other word a colon is a character like others."""

KINDS: dict[str, Kind] = {
    "prompt": "prompt",
    "answer": "answer",
    "reasoning": "reasoning",
    "call": "call",
    "result": "result",
    "summary": "summary",
    "checkpoint": "checkpoint",
    "you": "prompt",
    "thought": "reasoning",
    "output": "result",
}
"""What `kind:` takes: the kinds of events whose text can be searched, and everyday words."""

_CHECKPOINTS: frozenset[Kind] = frozenset({"checkpoint"})
"""What holds the summary of a compaction in MyCodeAgent's transcripts."""

KIND_WORDS = ("you", "answer", "summary", "thought", "call", "output")
"""What people are told that it takes."""

_TERM = re.compile(
    r'(?:(?P<key>[a-z]+):)?(?:"(?P<quoted>[^"]*)"?(?P<star>\*)?|(?P<plain>[^\s"]\S*))?'
)

_UNSPACED = (
    "\u0e00-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b2ff\U00020000-\U0003ffff"
)
"""Han, Kana, Bopomofo, Hangul, Yi, and the scripts from Thai to Burmese, and Khmer."""

_SPACED = rf"[^\W_{_UNSPACED}]"
"""A letter or digit of a script with spaces between its words."""

_IS_SPACED = re.compile(_SPACED)


class Word(NamedTuple):
    """A word or phrase in folded case."""

    text: str
    pattern: re.Pattern[str]
    """Finds it in folded text."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked for; all of it must hold together."""

    words: tuple[Word, ...] = ()
    kinds: frozenset[Kind] = frozenset()
    """Of one of these kinds; empty where any will do."""
    since: int | None = None
    files: tuple[str, ...] = ()
    """What must stand in the path of a file that the session edited, each."""
    sessions: str = ""
    """The terms that sessions must meet, as a filter of the list."""
    faults: tuple[QueryFault, ...] = ()
    """Why nothing can meet it; see also those of the filter of sessions."""

    def __bool__(self) -> bool:
        """Whether it asks for anything."""
        conditions = self.words or self.kinds or self.since or self.files or self.sessions
        return bool(conditions or self.faults)

    @property
    def needles(self) -> list[str]:
        """What stands in every text that matches, longest first."""
        parts = [max(word.text.split(), key=len) for word in self.words]
        return sorted(parts, key=len, reverse=True)

    def matches(self, text: str) -> bool:
        """Whether all the words are in a text in folded case."""
        return all(word.pattern.search(text) for word in self.words)

    def first(self, text: str) -> tuple[int, int]:
        """Where the first of the words that are in a folded text begins and ends."""
        found = [match.span() for word in self.words if (match := word.pattern.search(text))]
        return min(found, default=(0, 0))


def folded(text: str) -> str:
    """Text as it is searched: folded, nothing in it that ends an entry of the index."""
    return fold(well_formed(text)).replace("\0", " ")


def parse_query(text: str, moment: Moment = lambda _: None) -> Query:
    """The query that a text means. What is no filter is a word."""
    words: dict[str, Word] = {}
    kinds: frozenset[Kind] = frozenset()
    since: int | None = None
    files: list[str] = []
    sessions: list[str] = []
    faults: list[QueryFault] = []
    for term in _terms(folded(text)):
        if term.key == "kind":
            kinds |= (named := _kinds_named(term.value))
            faults += [] if named else [QueryFault("kind", term.value, KIND_WORDS)]
        elif term.key == "since":
            since = max((when := moment(term.value)) or 0, since or 0)
            faults += [QueryFault("since", term.value, MOMENTS)] if when is None else []
        elif term.key == "file":
            files.append(term.value)
        elif term.key in SESSION_KEYS:
            sessions.append(term.whole)
        else:
            word = _word(term.value if term.key is None else term.whole, term.is_prefix)
            words[word.pattern.pattern] = word
    return Query(
        tuple(words.values()), kinds, since, tuple(files), " ".join(sessions), tuple(faults)
    )


def as_typed(text: str) -> str:
    """The query that a text means while it is typed: its last word is a beginning.

    Once a blank or a quotation mark follows, the word is whole.
    """
    known = folded(text)
    if not known or known[-1].isspace() or known[-1] in '"*':
        return text
    last = next(match for match in _TERM.finditer(known) if match.end() == len(known))
    if last["key"] in FILTERS:
        return text
    return text + ("*" if last["quoted"] is None else '"*')


class _Term(NamedTuple):
    key: str | None
    value: str
    whole: str
    is_prefix: bool


def _terms(text: str) -> Iterator[_Term]:
    """The terms of a folded text, without those that are not finished yet as one types."""
    for match in _TERM.finditer(text):
        key, plain = match["key"], match["plain"]
        value = plain if plain is not None else (match["quoted"] or "").strip()
        whole = match[0] if match["star"] is None else match[0][:-1]
        is_known = key in FILTERS
        if not value.strip(",") if is_known else not whole.strip('"').strip():
            continue
        star = match["star"] is not None
        if plain is not None and plain.endswith("*") and len(whole) > 1:
            star, value = True, value if is_known else value[:-1]
            whole = whole if is_known else whole[:-1]
        yield _Term(key, value, whole, star)


def _kinds_named(value: str) -> frozenset[Kind]:
    """The kinds that a value names: several with commas, each by its beginning."""
    wanted = tuple(word for word in value.split(",") if word)
    kinds = frozenset(kind for name, kind in KINDS.items() if name.startswith(wanted))
    return kinds | _CHECKPOINTS if "summary" in kinds else kinds


def _word(text: str, is_prefix: bool) -> Word:
    text = text.strip()
    first, *others = map(re.escape, text.split())
    # What is looked behind for holds the part itself, so that the part is searched for first:
    # a pattern that begins with literal text is many times as fast.
    before = rf"(?<!{_SPACED}{first})" if _IS_SPACED.match(text[0]) else ""
    after = rf"(?!{_SPACED})" if _IS_SPACED.match(text[-1]) and not is_prefix else ""
    return Word(text, re.compile(r"\s+".join((first + before, *others)) + after))
