"""The temporary folder that holds the demo, and its removal."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

PREFIX = "sessions-demo-"
ATTEMPTS = 50


def make() -> Path:
    """Create a folder private to the user."""
    return Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()


def remove(folder: Path) -> None:
    """Delete the folder, even while others delete it or still write to it."""
    if not folder.name.startswith(PREFIX):
        raise ValueError(f"not a demo's folder: {folder}")
    for _ in range(ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.02)
