"""`python -m tests.faults.starved FOLDER`: the feed in a user namespace that may watch nothing.

Raises where something is not seen; run by `test_lost_watch`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sessions_tui.app.demo.steps import Answer, Prompt
from tests.app.sitting import Home

from .hearing import listening

LIMIT = Path("/proc/sys/user/max_inotify_instances")
"""Of this user namespace alone."""


def main() -> None:
    """See growth and new sessions without a watch, and watch again when that is possible."""
    home = Home(Path(sys.argv[1]))
    agent = home.agent("s").does(Prompt("ask"))
    LIMIT.write_text("0")
    with listening(home.roots(), home.places, agent.path) as heard:
        heard.until(lambda: "Too many open files" in heard.problems and heard.records() == 2)
        assert "polled, not watched" in heard.problems
        for count in range(3, 6):
            agent.does(Answer("more"))
            heard.until(lambda count=count: heard.records() == count)  # type: ignore[misc]
        home.agent("t", 5, "parser").does(Prompt("ask"))
        heard.until(lambda: "t" in heard.sessions)
        LIMIT.write_text("100")
        heard.until(lambda: not heard.problems)
        agent.does(Answer("and more"))
        heard.until(lambda: heard.records() == 6 and heard.sessions["s"].events == 6)


if __name__ == "__main__":
    main()
