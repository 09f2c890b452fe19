"""Screen and command against the files: nothing missed, nothing doubled, nothing told wrong."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Collection
from pathlib import Path

from .crew import Crew
from .ground import Ground
from .screen import PAGE_UP, PATIENCE, Screen
from .truth import Truth, truth_of

PAGES = 2_000
"""Of the timeline, at most."""

Stretch = tuple[float, float]
"""From one moment to another."""


class Comparison:
    """Compares when all agents are silent; `faults` are sentences of what is told wrong."""

    def __init__(self, ground: Ground, crew: Crew, screen: Screen) -> None:
        self.faults: list[str] = []
        self._ground, self._crew, self._screen = ground, crew, screen
        self._truths = {path: self._truth(path) for path in ground.transcripts()}

    def command(self) -> None:
        """What `sessions list` says, which shares the index with the screen."""
        words = self._ground.command("list", "--json", "--children", "--all")
        environ = self._ground.environ()
        done = subprocess.run(words, env=environ, capture_output=True, check=True)
        told = {Path(one["path"]): one for one in json.loads(done.stdout)["sessions"]}
        for path in told.keys() ^ self._truths.keys():
            self.faults.append(f"sessions list and files do not agree that {path.name} is there")
        for path in told.keys() & self._truths.keys():
            one, truth = told[path], self._truth(path)
            self._hold("sessions list", truth, one["events"], one["uncertain"])
            self._hold_status("sessions list", truth, one["status"])

    def rows(self) -> None:
        """What the list on screen says, and the head of each session when it is opened."""
        rows = self._screen.listed()
        for title, path in self._titles().items():
            if (row := rows.get(title)) is None:
                self.faults.append(f"{title} is not in the list on screen")
                continue
            self._hold("the list", self._truths[path], row.events, row.uncertain)
            status = self._screen.open(title)
            self._hold_status("the head", self._truth(path), status)

    def waits(self, away: Collection[Stretch]) -> list[float]:
        """Milliseconds from each record of the followed session to the screen.

        `away` are the stretches in which another session was open.
        """
        shown = set(self._truths[self._ground.followed].tokens)
        waits = []
        for said in self._crew.log(self._ground.parts[0]):
            token, at = said.get("token"), said["at"]
            if token not in shown or any(left <= at <= back for left, back in away):
                continue
            if (seen := self._screen.seen.get(token)) is None:
                self.faults.append(f"{token} never came to the screen")
            else:
                waits.append(1000 * (seen - at))
        return waits

    def timeline(self) -> None:
        """Page through the followed session from its end: each record once, none left out."""
        screen, expected = self._screen, list(self._truths[self._ground.followed].tokens)
        screen.read(self._ground.parts[0].title(1))
        page, above = screen.timeline(), len(expected)
        if page[-1:] != expected[-1:]:
            self.faults.append(f"the timeline ends with {page[-1:]}, not with {expected[-1:]}")
        screen.send(PAGE_UP)  # the cursor goes to the top of what is shown
        screen.drawn(0.1, 1.0)
        for _ in range(PAGES):
            place = _place(page, expected)
            if place is None or place + len(page) < above:
                self.faults.append(f"the file has no such rows in a row: {' '.join(page)}")
                return
            above = min(above, place)
            if above == 0:
                return
            screen.send(PAGE_UP)
            page = _turned(screen, page, expected)
        self.faults.append(f"{above} records of the timeline could not be reached")

    def _titles(self) -> dict[str, Path]:
        """The sessions that the list is to show, sub-agents apart."""
        store = self._ground.store
        return {
            part.title(number): path
            for part in self._ground.parts
            for number in range(1, len(self._truths) + 1)
            if (path := part.transcript(store, number)) in self._truths
        }

    def _truth(self, path: Path) -> Truth:
        """The truth of now: time goes on."""
        return truth_of(path, self._crew.process_of(path))

    def _hold(self, where: str, truth: Truth, events: int | None, uncertain: int) -> None:
        if (events, uncertain) != (truth.events, truth.uncertain):
            self.faults.append(
                f"{where} says of {truth.path.name}: {events} events, {uncertain} uncertain; "
                f"the file: {truth.events}, {truth.uncertain}"
            )

    def _hold_status(self, where: str, truth: Truth, status: str) -> None:
        if status not in truth.statuses:
            right = " or ".join(sorted(truth.statuses))
            self.faults.append(f"{where} calls {truth.path.name} {status}; it is {right}")


def _place(page: list[str], expected: list[str]) -> int | None:
    """Where a page stands in the whole; None where it does not, as a piece, stand there."""
    if not page or page[0] not in expected:
        return None
    start = expected.index(page[0])
    return start if expected[start : start + len(page)] == page else None


def _turned(screen: Screen, before: list[str], expected: list[str]) -> list[str]:
    """The next page, once it is drawn: half of it may come later."""
    end = time.monotonic() + PATIENCE
    page = before
    while (page == before or _place(page, expected) is None) and time.monotonic() < end:
        screen.drawn(0.06, 1.0)
        page = screen.timeline()
    return page
