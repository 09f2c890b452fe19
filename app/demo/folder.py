"""The temporary folder that holds a made-up store, and how it goes away."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

PREFIX = "sessions-demo-"
ATTEMPTS = 50


def make() -> Path:
    """A new folder that only its owner can read."""
    return Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()


def remove(folder: Path) -> None:
    """Remove the folder, also while others remove it or finish writing into it."""
    if not folder.name.startswith(PREFIX):
        raise ValueError(f"not a demo's folder: {folder}")
    for _ in range(ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.02)
