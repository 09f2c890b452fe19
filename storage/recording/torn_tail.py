"""What is done about a last line that is not whole before something is appended behind it."""

from __future__ import annotations

from typing import Literal

from ..records.parsing import Damage, is_blank, parse
from .errors import TornTail

Mend = Literal["nothing", "complete", "cut"]
"""`complete`: write the line end that is missing. `cut`: drop what follows the last one."""


def envelope_mend(tail: bytes) -> Mend:
    """Nothing: an evidence envelope is never mended, so that a tail of any kind raises TornTail."""
    if tail:
        raise TornTail("its last line has no line end; begin a new file that continues it")
    return "nothing"


def mycodeagent_mend(tail: bytes) -> Mend:
    """What MyCodeAgent does: a whole record gets its line end, all else that was cut is cut off.

    TornTail where the tail is JSON that no cut explains, or holds lines that end in a lone CR: the
    agent would cut them all.
    """
    if not tail:
        return "nothing"
    if sum(not is_blank(line) for line in tail.split(b"\r")) > 1:
        raise TornTail("its lines end in CR alone; begin a new file that continues it")
    parsed = parse(tail, strict=True)
    if not isinstance(parsed, Damage):
        return "complete"
    if parsed.kind not in ("bad_json", "encoding"):
        raise TornTail(f"its last line cannot be a record: {parsed.detail}")
    return "cut"
