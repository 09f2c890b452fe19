"""Lays out a case of `tests/cases/real`, with the real path where `@HERE@` stands."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

REAL = Path(__file__).parents[1] / "cases" / "real"


def laid_out(case: str, to: Path) -> Path:
    """The session directory of a case, whose project lies beside it."""
    source = next(REAL.glob(f"{case}-*"))
    here = to.resolve() / "laid-out"
    slug = str(here / "project").replace("/", "-").strip("-")
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        target = here / str(path.relative_to(source)).replace("@SLUG@", slug)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes().replace(b"@HERE@", os.fsencode(here)))
        shutil.copystat(path, target)
    (here / "project").mkdir(exist_ok=True)
    return here / "home" if (here / "home").is_dir() else here
