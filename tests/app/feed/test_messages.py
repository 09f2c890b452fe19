"""What the feed's messages say in words."""

from __future__ import annotations

import pytest

from sessions_tui.app.feed.messages import Progress


@pytest.mark.parametrize(
    ("files", "seconds", "said"),
    [
        (3, None, "3 files and 212 MB to read"),
        (1, 0, "1 file and 212 MB to read, under 1 s left"),
        (2, 90, "2 files and 212 MB to read, 2 min left"),
    ],
)
def test_what_is_left_to_read(files: int, seconds: int | None, said: str) -> None:
    assert Progress(files, 212_000_000, 5, seconds).left == said
