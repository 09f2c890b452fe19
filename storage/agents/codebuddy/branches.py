"""Which records of a CodeBuddy transcript are on an abandoned branch.

Resending an edited message, a rollback, or two processes writing to one session turn the records
into a tree, whose active branch consists of the ancestors of the last record. Ids repeat (a text
and its parallel calls share one), so a parent is the latest earlier record with its id, and all
records of a response belong together, along with the results of its calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...folds.branches import Joint
from ...model.event import Event

_JOINTS = frozenset(
    {"message", "reasoning", "function_call", "function_call_result", "resend-fork-notice"}
)
"""Types of records that form the tree."""


def branches_off(joint: Joint, tip: Joint) -> bool:
    """Return whether a record does not continue where the preceding record of the tree ended."""
    if joint.parent is None or joint.parent == tip.id or joint.is_result:
        return False
    return joint[:2] != tip[:2]


def joint(event: Event) -> Joint | None:
    """Return the position of a record in the tree; None if it is not part of it."""
    record = event.record
    own, parent = record.get("id"), record.get("parentId") or record.get("logicalParentId")
    type_of = record.get("type")
    if type(own) is not str or type(type_of) is not str or type_of not in _JOINTS:
        return None
    return Joint(own, parent if type(parent) is str else None, event.stage == "ended")


def abandoned(joints: Iterable[Joint | None]) -> frozenset[int]:
    """Return the 0-based indexes of records that are not on the active branch.

    Records outside the tree, and everything before the first resend if a parent is missing, count
    as active: records are dimmed only if they are known to be abandoned.
    """
    chain = list(joints)
    before = _earlier(chain)
    index = next((at for at in range(len(chain) - 1, -1, -1) if chain[at]), None)
    active: set[int] = set()
    while index is not None and index not in active:
        active |= _response(chain, index)
        index = before[index]
        if index is None and (joint := chain[min(active)]) and joint.parent:
            active |= set(range(min(active)))  # the parent was pruned: only file order is left
    for index, joint in enumerate(chain):
        if joint and joint.is_result and before[index] in active:
            active.add(index)
    return frozenset(at for at, joint in enumerate(chain) if joint and at not in active)


def _earlier(chain: Sequence[Joint | None]) -> list[int | None]:
    """Return for each record the index of its parent: the latest earlier record with that id."""
    latest: dict[str | int, int] = {}
    found: list[int | None] = []
    for index, joint in enumerate(chain):
        found.append(latest.get(joint.parent) if joint and joint.parent else None)
        if joint:
            latest[joint.id] = index
    return found


def _response(chain: Sequence[Joint | None], index: int) -> set[int]:
    """Return the record and its preceding siblings: those with the same id and parent."""
    joint, same = chain[index], {index}
    at = index - 1
    while at >= 0 and ((other := chain[at]) is None or (joint and other[:2] == joint[:2])):
        if other:
            same.add(at)
        at -= 1
    return same
