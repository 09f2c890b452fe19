"""Candidates as Markdown: what is written, and that no foreign word of it becomes markup."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from sessions_tui.widgets.words.candidate_markdown import escaped, markdown_of
from sessions_tui.widgets.words.safe import safe_text
from tests.widgets.candidate_samples import NOW, candidate, samples

ALLOWED = {"ul", "li", "p"}
GFM = MarkdownIt("gfm-like", {"html": True})


def tokens(markdown: str) -> Iterator[Token]:
    """Every token, those inside of lines too."""
    for token in GFM.parse(markdown):
        yield token
        yield from token.children or ()


def shown(markdown: str) -> list[str]:
    """The text of each line as a reader sees it; fails where it holds anything but a list."""
    lines = []
    for token in tokens(markdown):
        assert token.type in ("inline", "text") or token.tag in ALLOWED, token
        if token.type == "inline":
            lines.append("".join(child.content for child in token.children or ()))
    return lines


def test_what_is_written() -> None:
    items = [item.candidate for item in samples()]
    assert markdown_of(items) == (
        "- app/stock.py before the fix\n"
        "  - Reason: To compare with\n"
        "  - Source: transcript:inventory-api:50, file-history-snapshot, "
        "2026-11-26T12:02:11.000Z\n"
        "- Tests run with pytest -q\n"
        "  - Reason: Saves looking it up\n"
        "  - Source: transcript:inventory-api:52, message, 2025-10-25T12:02:11.000Z\n"
    )


def test_nothing_is_approved() -> None:
    assert markdown_of([]) == ""
    assert markdown_of([candidate(1), candidate(2, status="rejected")]) == ""


def test_an_absurd_time() -> None:
    approved = candidate(1, status="approved", captured_at=10**30)
    assert markdown_of([approved]).endswith(", message, no time\n")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("reserve() is fine, 100 %!", "reserve() is fine, 100 %!"),
        ("修复库存超卖", "修复库存超卖"),
        ("a\n b\t c ", "a b c"),
        ("# heading", "\\# heading"),
        ("C# and #12", "C# and #12"),
        ("- item", "\\- item"),
        ("+ item", "\\+ item"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("1. one", "1\\. one"),
        ("12) twelve", "12\\) twelve"),
        ("1.5 seconds", "1\\.5 seconds"),
        ("100 items", "100 items"),
        ("> said", "&gt; said"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("`x` ``y``", "\\`x\\` \\`\\`y\\`\\`"),
        ("[a](b) ![c][d]", "\\[a\\](b) !\\[c\\]\\[d\\]"),
        ("*a* _b_ ~c~ $d$", "\\*a\\* \\_b\\_ \\~c\\~ \\$d\\$"),
        ("a\\", "a\\\\"),
        ("http://x www.x.org a@b.org", "http\\://x www\\.x.org a\\@b.org"),
        ("a\x1b[31mb\x00\u202e\ud800", "ab\ufffd"),
    ],
)
def test_escaped(text: str, written: str) -> None:
    assert escaped(text) == written


MARKUP = st.lists(
    st.sampled_from(
        [
            *"#-+*_`~<>[]()!&\\|:=.@$1 \n\t\"'x中",
            *("http://x.org", "www.x.org", "a@b.org", "<b>", "&lt;", "```", "    "),
            *("\x1b[31m", "\u202e"),
        ]
    ),
    max_size=24,
).map("".join)


@settings(deadline=None)
@given(MARKUP | st.text(max_size=60), MARKUP)
def test_a_reader_sees_the_words_and_nothing_else(summary: str, reason: str) -> None:
    written = markdown_of([candidate(1, summary, reason, source_id=reason, status="approved")])
    written.encode()
    assert "<" not in written
    hidden = [one for one in written if unicodedata.category(one) in ("Cc", "Cf", "Cs")]
    assert set(hidden) == {"\n"}
    lines = shown(written)
    first = " ".join(safe_text(summary).split())
    assert lines[0] == first if first else "Reason:" in lines[0]
    assert lines[-2] == " ".join(f"Reason: {safe_text(reason)}".split())


def test_the_same_candidates_are_the_same_bytes() -> None:
    items = [candidate(n, f"summary {n}", status="approved") for n in range(20)]
    assert markdown_of(items) == markdown_of([*items])
    assert markdown_of(items[::-1]) != markdown_of(items)


def test_only_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    if hasattr(time, "tzset"):
        time.tzset()
    written = markdown_of([candidate(1, status="approved", captured_at=NOW)])
    assert "2026-11-29T12:02:11.000Z" in written
