"""Names of files and ids as they were printed, so that printed names are accepted as arguments.

Not every name can be printed unchanged: JSON has U+FFFD for bytes that are not UTF-8; text is made
safe for terminals, and quoted as for a shell if that changes the name.
"""

from __future__ import annotations

import os
import re
from itertools import islice
from pathlib import Path

from .folding import well_formed
from .safe_text import exact_name, one_line

_LONGEST = 4_000
"""Maximum length of a printed name, in characters."""

_ENTRIES = 10_000
"""Maximum number of directory entries searched for a printed name."""

_QUOTED = re.compile(r"\$'(.*)'", re.DOTALL)

_ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([\\']))")


def unquoted(text: str) -> str:
    """Return the name that was printed in quotes; any other text unchanged."""
    match = _QUOTED.fullmatch(text)
    return os.fsdecode(_ESCAPE.sub(_meant, os.fsencode(match[1]))) if match else text


def is_printed(text: str, name: str) -> bool:
    """Return whether a name, or a prefix of one, is printed as this text."""
    return text == name or text in other_forms(name)


def begins(text: str, name: str) -> bool:
    """Return whether a printed form of a name begins with this text."""
    return any(form.startswith(text) for form in (name, *other_forms(name)))


def real_path(path: Path) -> Path:
    """Return the only path printed like this one; the same path if it exists or none is unique."""
    if os.path.lexists(path) or not path.is_absolute():
        return path
    at = Path(path.anchor)
    for part in path.parts[1:]:
        step = at / part
        if not os.path.lexists(step):
            names = [name for name in _names(at) if is_printed(part, name)]
            if len(names) != 1:
                return path
            step = at / names[0]
        at = step
    return at


def other_forms(name: str) -> tuple[str, ...]:
    """Return the printed forms of a name other than the name itself."""
    if name.isascii() and name.isprintable() and name == " ".join(name.split()):
        return ()
    return well_formed(name), one_line(name, _LONGEST), exact_name(name)


def _meant(match: re.Match[bytes]) -> bytes:
    byte, short, long, itself = match.groups()
    if byte:
        return bytes.fromhex(byte.decode())
    if itself:
        return bytes(itself)
    code = int(short or long, 16)
    return chr(code).encode("utf-8", "surrogatepass") if code < 0x110000 else match[0]


def _names(directory: Path) -> list[str]:
    try:
        with os.scandir(directory) as entries:
            return [entry.name for entry in islice(entries, _ENTRIES)]
    except OSError:
        return []
