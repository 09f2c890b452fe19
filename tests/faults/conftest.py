"""What tests of faults share with those of the program: a home, agents, a person at the screen."""

from __future__ import annotations

from tests.app.conftest import own_home as own_home
from tests.app.sitting import home as home
from tests.app.sitting import sit as sit
from tests.app.sitting import threads as threads
