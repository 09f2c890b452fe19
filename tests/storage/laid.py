"""Cases of `tests/cases/real`, laid out where their own paths lead."""

from __future__ import annotations

import shutil
from pathlib import Path

REAL = Path(__file__).parent.parent / "cases" / "real"


def laid_out(case: str, directory: Path) -> Path:
    """The session directory of a case that is copied into a directory, with its true paths."""
    source = REAL / case
    slug = str(directory / "project").replace("/", "-").strip("-")
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        target = directory / str(path.relative_to(source)).replace("@SLUG@", slug)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(path.read_text("utf-8").replace("@HERE@", str(directory)), "utf-8")
        shutil.copystat(path, target)
    (directory / "project").mkdir(exist_ok=True)
    return directory / "home"
