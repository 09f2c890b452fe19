"""Shared by all tests: no animation, asyncio as the only event loop, signals as in a foreground."""

from __future__ import annotations

import os
import signal

# A shell starts what runs in the background with SIGINT ignored, which programs would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Textual reads its environment once, at import.
os.environ["TEXTUAL_ANIMATIONS"] = "none"

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Textual runs on asyncio."""
    return "asyncio"
