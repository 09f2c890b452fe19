"""Bytes are found where `bytes.find` finds them, whichever way is taken."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.search.byte_search import SAMPLE, seek_bytes, seek_letters

BYTES = st.binary() | st.lists(st.sampled_from([b"z", b"qz", b"e", b"\xe8"])).map(b"".join)


@given(BYTES, BYTES.filter(bool), st.integers(0, 30), st.sampled_from([0, SAMPLE]))
def test_the_same_is_found(block: bytes, wanted: bytes, start: int, before: int) -> None:
    block = b"z\xe8" * before + block + wanted + block
    start += 2 * before
    assert seek_bytes(block, wanted)(start) == block.find(wanted, start)
    assert seek_bytes(block, b"not there")(start) == -1 or b"not there" in block


LETTERS = st.lists(st.sampled_from([b"z", b"Qz", b"e", b"Z", b"-", b"\xe8"])).map(b"".join)


@given(LETTERS, LETTERS.filter(bool), st.integers(0, 30), st.sampled_from([0, SAMPLE]))
def test_letters_are_found_in_either_case(
    block: bytes, wanted: bytes, start: int, before: int
) -> None:
    block = b"zE\xe8" * before + block + wanted + block
    start += 2 * before
    wanted = wanted.lower()
    assert seek_letters(block, wanted)(start) == block.lower().find(wanted, start)
