"""What tests of the review share: an agent that died in the middle of a call."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.storage.crashes import CRASHES, Crash, MyCodeAgentCrash, ProductCrash


@pytest.fixture(params=sorted(CRASHES))
def crash(request: pytest.FixtureRequest, tmp_path: Path) -> Crash:
    """Each agent in turn."""
    return CRASHES[request.param](tmp_path)


@pytest.fixture
def product(tmp_path: Path) -> ProductCrash:
    """One of the products."""
    return ProductCrash(tmp_path)


@pytest.fixture
def own(tmp_path: Path) -> MyCodeAgentCrash:
    """MyCodeAgent."""
    return MyCodeAgentCrash(tmp_path)
