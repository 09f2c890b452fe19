"""The wording of a session's relations: its sub-agents, its ancestors and its origin."""

from __future__ import annotations

from rich.cells import cell_len

from ...storage.model.family import Family, Origin
from ...storage.model.session import Session
from .amounts import count, tokens
from .safe import fit, one_line

STEP = " › "
"""Separates a parent from its sub-agent."""

NARROW = 24
"""Cells below which there is only room for the session's own title."""

ORIGINS = {"fork": "fork of", "continuation": "goes on from"}


def origin_words(origin: Origin | None) -> str:
    """Return `fork of Lexer` or `goes on from Rotate the secret`; "" without an origin."""
    if origin is None:
        return ""
    return f"{ORIGINS[origin.kind]} {one_line(origin.title, 80) or one_line(origin.session, 40)}"


def family_words(family: Family | None) -> str:
    """Return what sub-agents do or need: `sub-agent needs you`, `2 sub-agents working`."""
    if family is None:
        return ""
    parts = []
    if family.needing:
        needs = "sub-agent needs" if family.needing == 1 else f"{family.needing} sub-agents need"
        parts.append(f"{needs} you")
    if family.working == 1:
        parts.append("sub-agent working")
    elif family.working:
        parts.append(f"{family.working} sub-agents working")
    return ", ".join(parts)


def family_tokens(session: Session) -> str:
    """Return `246k tokens, 34k by 3 sub-agents`; "" if none were counted."""
    used = session.family_tokens
    if used is None:
        return ""
    said = f"{tokens(used.input + used.cached + used.output)} tokens"
    family = session.family
    if family is None or family.tokens is None:
        return said
    theirs = family.tokens
    amount = tokens(theirs.input + theirs.cached + theirs.output)
    return f"{said}, {amount} by {count(family.members, 'sub-agent')}"


def path_title(session: Session, width: int) -> str:
    """Return `parent › child`, and the origin; ancestors get at least a quarter of the width."""
    title = one_line(session.title) or "untitled"
    above = STEP.join(one_line(name, 80) or "untitled" for name in session.lineage)
    if above and width >= NARROW:
        least = min(cell_len(above), width // 4)
        title = fit(title, min(cell_len(title), width - len(STEP) - least))
        room = width - cell_len(title) - len(STEP)
        title = fit(above, min(room, cell_len(above))) + STEP + title
    origin = origin_words(session.origin)
    return f"{title} · {origin}" if origin else title
