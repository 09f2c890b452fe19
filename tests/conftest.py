"""Shared by all tests: no animation, asyncio as the only event loop, signals as in a foreground."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

# A shell starts what runs in the background with SIGINT ignored, which programs would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Textual reads its environment once, at import.
os.environ["TEXTUAL_ANIMATIONS"] = "none"

import pytest
from hypothesis import HealthCheck, settings

from tests.opened import close_all

# A busy machine fails no test.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


RARELY = (10_000, 20, 20)
"""Thresholds of the garbage collection: with those of Python it takes a fourth of the time."""


def pytest_collection_finish() -> None:
    """All that was imported and collected stays: no garbage collection need look at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """What a test opened is closed at its end."""
    yield
    close_all()
    gc.set_threshold(*RARELY)  # a command that ran in this process has set its own


@pytest.fixture
def anyio_backend() -> str:
    """Textual runs on asyncio."""
    return "asyncio"
