"""Whatever its texts are, an edit that was applied is never taken for one that was not."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sessions_tui.storage.model.edits import Change, Edit
from sessions_tui.storage.model.evidence import Before
from sessions_tui.storage.review.judgement import judge

LATER = Before(at=1_790_003_600_000, modified_at=1_790_003_630_000)


def edit(*changes: tuple[str | None, str], everywhere: bool = False) -> Edit:
    return Edit("/a.py", tuple(Change(old, new, everywhere) for old, new in changes))


texts = st.text("abc\n", max_size=12)
sought = st.text("abc\n", min_size=1, max_size=4)


@settings(max_examples=400)
@given(texts, texts, sought, st.text("abcd\n", max_size=4), st.booleans())
def test_one_change_is_never_taken_for_its_opposite(
    head: str, tail: str, old: str, new: str, everywhere: bool
) -> None:
    """Whatever else the texts are; not where the change itself hides them in one another."""
    before = head + old + tail
    after = before.replace(old, new, -1 if everywhere else 1)
    assume(old != new)
    change = edit((old, new), everywhere=everywhere)
    if not (new in old and old in after):  # "aabb" without its "ab" holds an "ab" again
        assert judge(change, after.encode(), LATER).suggests in ("applied", "ambiguous")
    if not (old in new and new in before):  # "ab" holds what "a" was to become before the call
        assert judge(change, before.encode(), LATER).suggests in ("not-applied", "ambiguous")


@settings(max_examples=400)
@given(st.data())
def test_several_changes_are_never_taken_for_their_opposite(data: st.DataObject) -> None:
    """Each changes some neighbouring words, of the file or made by changes before it."""
    words = [f"<{n}>" for n in range(6)]
    before, changes = "".join(words), []
    for n in range(data.draw(st.integers(2, 5))):
        assume(words)
        first = data.draw(st.integers(0, len(words) - 1))
        old = words[first : first + data.draw(st.integers(1, 3))]
        kept = old[: data.draw(st.integers(0, len(old)))]
        made = [f"<new {n}.{m}>" for m in range(data.draw(st.integers(0, 2)))]
        assume(kept + made != old)
        words[first : first + len(old)] = kept + made
        changes.append(("".join(old), "".join(kept + made)))
    after = "".join(words)
    assume(after != before)
    assert judge(edit(*changes), after.encode(), LATER).suggests != "not-applied"
    assert judge(edit(*changes), before.encode(), LATER).suggests != "applied"


@given(st.permutations(range(5)), st.integers(2, 5), st.integers(1, 4))
def test_several_changes_are_counted(order: list[int], count: int, done: int) -> None:
    """As many as are there, whatever their order, where none touches another."""
    changes: list[tuple[str | None, str]] = [(f"<{n}>", f"<new {n}>") for n in order[:count]]
    text = "".join(f"<{n}>" for n in range(5))
    for old, new in changes[:done]:
        text = text.replace(str(old), new)
    judgement = judge(edit(*changes), text.encode(), LATER)
    assert judgement.suggests == ("ambiguous" if done < count else "applied")
    some = f"{done} of {count} changes {'is' if done == 1 else 'are'} there."
    assert judgement.reason == (some if done < count else f"All {count} changes are there.")


@settings(max_examples=400)
@given(texts, texts, sought, st.text("abcd\n", max_size=4))
def test_what_was_there_before_settles_every_change(
    head: str, tail: str, old: str, new: str
) -> None:
    before = head + old + tail
    after = before.replace(old, new, 1)
    assume(old != new)
    assume(before != after)
    known = Before(before=before.encode())
    assert judge(edit((old, new)), after.encode(), known).suggests == "applied"
    # "ab" has what "a" was to become already, and "a" only inside of it.
    held = old in new and new in before and old not in before.replace(new, "\0")
    expected = ("ambiguous", "not-applied") if held else ("not-applied",)
    assert judge(edit((old, new)), before.encode(), known).suggests in expected
