"""Permissions that bind: a superuser may read and write everything otherwise."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

VERSION = 0x20080522
"""Of the layout that the two calls take, as `linux/capability.h` names it."""

OVERRIDES = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


@contextmanager
def bound() -> Iterator[None]:
    """Let permissions bind this thread and those that it starts; skip where that cannot be."""
    if sys.platform == "win32" or os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("permissions do not bind this user")
    libc, header = ctypes.CDLL(None, use_errno=True), (ctypes.c_uint32 * 2)(VERSION, 0)
    before, after = (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    for sets in (before, after):
        if libc.capget(header, sets):
            pytest.skip("the system does not tell what this user may")
    after[0] &= ~OVERRIDES
    if libc.capset(header, after):
        pytest.skip("the system lets nothing be given up")
    try:
        yield
    finally:
        libc.capset(header, before)
