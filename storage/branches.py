"""Which records of a product transcript stand on a branch that was left.

When an edited message is resent, or a rollback made, records form a tree: the active branch are
the ancestors of the last record. Ids repeat (a text and its parallel calls share one), so a
parent is the latest earlier record with its id, and all of one response go together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .event import Event


class Joint(NamedTuple):
    """A record's place in the tree."""

    id: str
    parent: str | None


def joint_of(event: Event) -> Joint | None:
    """The record's id and its parent's; None where the record is not in the chain."""
    record = event.record
    own, parent = record.get("id"), record.get("parentId") or record.get("logicalParentId")
    if not isinstance(own, str) or record.get("type") in ("file-history-snapshot", "session-meta"):
        return None
    return Joint(own, parent if isinstance(parent, str) else None)


def abandoned(joints: Iterable[Joint | None]) -> frozenset[int]:
    """The 0-based indexes of records that are not on the active branch.

    Records outside the chain, and all before the first resend where a parent is missing, count
    as active: what is not known to be left is not dimmed.
    """
    chain = list(joints)
    before = _earlier(chain)
    index = next((at for at in range(len(chain) - 1, -1, -1) if chain[at]), None)
    active: set[int] = set()
    while index is not None and index not in active:
        active |= _response(chain, index)
        index = before[index]
        if index is None and (joint := chain[min(active)]) and joint.parent:
            active |= set(range(min(active)))  # the parent was pruned: file order is all there is
    return frozenset(at for at, joint in enumerate(chain) if joint and at not in active)


def _earlier(chain: list[Joint | None]) -> list[int | None]:
    """For each record the index of its parent: the latest earlier record with that id."""
    latest: dict[str, int] = {}
    found: list[int | None] = []
    for index, joint in enumerate(chain):
        found.append(latest.get(joint.parent) if joint and joint.parent else None)
        if joint:
            latest[joint.id] = index
    return found


def _response(chain: list[Joint | None], index: int) -> set[int]:
    """The record and its siblings before it: those of the same id and parent."""
    joint, same = chain[index], {index}
    at = index - 1
    while at >= 0 and (chain[at] is None or chain[at] == joint):
        if chain[at]:
            same.add(at)
        at -= 1
    return same
