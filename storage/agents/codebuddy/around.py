"""What is around the sessions of a CodeBuddy or WorkBuddy home: registry, database, logs."""

from __future__ import annotations

from pathlib import Path

from ...files.kinds import is_directory
from ...model.process import HomeSigns, Run, Work
from .claims import Claim, claim_of
from .desktop import Desktop
from .registry import Registry
from .run_logs import RunLogs


class CodeBuddyHome:
    """The processes, the app's database and the logs of one home."""

    def __init__(self, home: Path) -> None:
        self._registry = Registry(home)
        self._desktop = Desktop(home)
        self._logs = RunLogs(home)

    def refresh(self) -> bool:
        """Look at what changed; return whether anything did."""
        registry = self._registry.refresh()
        return self._desktop.refresh() or registry

    def problems(self) -> dict[str, str]:
        """Return why the rows of the database may be out of date."""
        return {str(self._desktop.path): self._desktop.problem}

    def signs(self, work: Work, now: int) -> HomeSigns:
        """Return what is known of a session."""
        registry, session = self._registry, work.session
        claim = claim_of(registry, work.leader, work.directories, work.prompted_at, work.until, now)
        return HomeSigns(
            owner=claim.owner,
            rival=claim.rival,
            registers=self._registers(work, now),
            tells_all=registry.tells_all(now),
            has_left=registry.has_left(work.leader),
            run=self._run(work, claim),
            app=self._desktop.sessions.get(session),
        )

    def _run(self, work: Work, claim: Claim) -> Run | None:
        """Return what the log of a living process says of a session with a long call."""
        is_alive = claim.owner is not None and claim.owner.is_attached
        if not (is_alive and work.is_native and work.has_long_call and work.directories):
            return None
        return self._logs.run(work.session, work.directories[0], work.written_at or 0)

    def _registers(self, work: Work, now: int) -> bool:
        """Return whether an agent that has the session would be in the registry.

        The desktop app's are not, nor those of a directory that is not on this machine.
        """
        if not work.is_native or self._desktop.is_there or not self._registry.tells_all(now):
            return False
        return bool(work.directories) and is_directory(Path(work.directories[0]))
