"""Parsing of search queries: words, phrases, prefixes and filters. Pure.

Any text is a valid query. A word is a literal piece of text. If it begins or ends with a letter or
digit of a script that separates words by spaces, no other such letter or digit may be adjacent:
`lock` is not in `block`. Chinese, Japanese, Korean and Thai have no such word boundaries.
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
"""Converts `2h` or `2026-11-20` to milliseconds since 1970; returns None for other text."""

SAID: frozenset[Kind] = frozenset({"prompt", "answer", "summary", "checkpoint"})
"""The kinds of events whose text is in the index."""

SESSION_KEYS = frozenset({"tool", "status", "workspace", "model", "has"})
"""Filter keys that apply to whole sessions."""

FILTERS = SESSION_KEYS | {"kind", "since", "file"}
"""All filter keys; after any other word a colon is an ordinary character."""

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
"""Values of `kind:`: the kinds of events whose text can be searched, and everyday words."""

_CHECKPOINTS: frozenset[Kind] = frozenset({"checkpoint"})
"""What holds the summary of a compaction in MyCodeAgent's transcripts."""

KIND_WORDS = ("you", "answer", "summary", "thought", "call", "output")
"""The values of `kind:` that are documented."""

_TERM = re.compile(
    r'(?:(?P<key>[a-z]+):)?(?:"(?P<quoted>[^"]*)"?(?P<star>\*)?|(?P<plain>[^\s"]\S*))?'
)

_UNSPACED = (
    "\u0e00-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b2ff\U00020000-\U0003ffff"
)
"""Han, Kana, Bopomofo, Hangul, Yi, the scripts from Thai to Burmese, and Khmer."""

_SPACED = rf"[^\W_{_UNSPACED}]"
"""A letter or digit of a script that separates words by spaces."""

_IS_SPACED = re.compile(_SPACED)


class Word(NamedTuple):
    """A word or phrase in folded case."""

    text: str
    pattern: re.Pattern[str]
    """Matches it in folded text."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query; all its conditions must hold."""

    words: tuple[Word, ...] = ()
    kinds: frozenset[Kind] = frozenset()
    """Accepted kinds; empty for any."""
    since: int | None = None
    files: tuple[str, ...] = ()
    """Each must occur in the path of a file that the session edited."""
    sessions: str = ""
    """The terms that apply to sessions, in the syntax of the list's filter."""
    faults: tuple[QueryFault, ...] = ()
    """Why nothing can match; the session filter may have faults of its own."""

    def __bool__(self) -> bool:
        """Return whether it has any condition."""
        conditions = self.words or self.kinds or self.since or self.files or self.sessions
        return bool(conditions or self.faults)

    @property
    def needles(self) -> list[str]:
        """Text that every match contains, longest first."""
        parts = [max(word.text.split(), key=len) for word in self.words]
        return sorted(parts, key=len, reverse=True)

    def matches(self, text: str) -> bool:
        """Return whether a text in folded case contains all the words."""
        return all(word.pattern.search(text) for word in self.words)

    def first(self, text: str) -> tuple[int, int]:
        """Return start and end of the first match of any word in a folded text; (0, 0) if none."""
        found = [match.span() for word in self.words if (match := word.pattern.search(text))]
        return min(found, default=(0, 0))


def folded(text: str) -> str:
    """Return text as it is searched: folded, without the NUL that separates index entries."""
    return fold(well_formed(text)).replace("\0", " ")


def parse_query(text: str, moment: Moment = lambda _: None) -> Query:
    """Parse a query. Whatever is not a filter is a word."""
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
    """Return the query while it is being typed, with its last word as a prefix.

    A word is complete once a space or a quotation mark follows it.
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
    """Yield the terms of a folded text, except those still incomplete while typing."""
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
    """Return the kinds named by a value: comma-separated prefixes."""
    wanted = tuple(word for word in value.split(",") if word)
    kinds = frozenset(kind for name, kind in KINDS.items() if name.startswith(wanted))
    return kinds | _CHECKPOINTS if "summary" in kinds else kinds


def _word(text: str, is_prefix: bool) -> Word:
    text = text.strip()
    first, *others = map(re.escape, text.split())
    # The lookbehind includes the word itself, so that the pattern begins with literal text, which
    # makes it many times faster.
    before = rf"(?<!{_SPACED}{first})" if _IS_SPACED.match(text[0]) else ""
    after = rf"(?!{_SPACED})" if _IS_SPACED.match(text[-1]) and not is_prefix else ""
    return Word(text, re.compile(r"\s+".join((first + before, *others)) + after))
