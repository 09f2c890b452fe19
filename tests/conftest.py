"""Shared by all tests: no animation, and asyncio as the only event loop."""

from __future__ import annotations

import os

# Textual reads its environment once, at import.
os.environ["TEXTUAL_ANIMATIONS"] = "none"

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Textual runs on asyncio."""
    return "asyncio"
