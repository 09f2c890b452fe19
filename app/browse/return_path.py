"""The way back from what was shown out of another place: review, candidates, search or usage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Place = Literal["list", "timeline", "event"]
PLACES: tuple[Place, ...] = ("list", "timeline", "event")
"""Of the sessions, each behind the one before."""


@dataclass(frozen=True, slots=True)
class ReturnPath:
    """Leads from where one arrived to the place one came from; "" leads nowhere."""

    to: str = ""
    arrived: Place = "list"

    def leads_from(self, place: Place) -> bool:
        """Whether one place back is the place one came from."""
        return bool(self.to) and place == self.arrived

    def reaches(self, place: Place) -> bool:
        """Whether one would come by where one arrived, on the way back from there."""
        return PLACES.index(place) >= PLACES.index(self.arrived)
