"""What a file's bytes suggest of an interrupted edit, rule by rule."""

from __future__ import annotations

import pytest

from sessions_tui.storage.model.edits import Change, Edit
from sessions_tui.storage.model.evidence import TOLERANCE, Before
from sessions_tui.storage.review.judgement import judge

AT = 1_790_003_600_000
LATER = Before(at=AT, modified_at=AT + 30_000)
EARLIER = Before(at=AT, modified_at=AT - 30_000)
SLIGHTLY_EARLIER = Before(at=AT, modified_at=AT - TOLERANCE)


def edit(*changes: tuple[str | None, str], everywhere: bool = False) -> Edit:
    return Edit("/a.py", tuple(Change(old, new, everywhere) for old, new in changes))


ONE = edit(("old()", "new()"))
TWO = edit(("one", "1"), ("two", "2"))
WHOLE = edit((None, "line 1\nline 2\n"))
MADE = edit(("", "line 1\nline 2\n"))


@pytest.mark.parametrize(
    ("change", "data", "suggests", "reason"),
    [
        (ONE, b"x\nnew()\n", "applied", "The new text is there and the old one is gone."),
        (ONE, b"x\nold()\n", "not-applied", "The old text is there and the new one is not."),
        (ONE, b"old()\nnew()", "ambiguous", "The old and the new text are both there."),
        (ONE, b"other", "changed-since", "Neither the old nor the new text is there."),
        (ONE, b"", "changed-since", "Neither the old nor the new text is there."),
        (ONE, None, "unknown", "The file that was to be changed is not there."),
        (ONE, b"\0new()", "unknown", "The file is binary, so no text can be looked for in it."),
        (edit(("a", "a\nb")), b"x\na\nb\n", "applied", "The new text is there."),
        (
            edit(("a", "a\nb")),
            b"x\na\n",
            "not-applied",
            "The new text is not there, and the place for it is as it was.",
        ),
        (
            edit(("a", "a\nb")),
            b"a\nb\na\n",
            "ambiguous",
            "The new text is there, and so is the old one elsewhere.",
        ),
        (
            edit(("a  # why", "a")),
            b"a\n",
            "applied",
            "The new text is there and the old one is gone.",
        ),
        (
            edit(("a  # why", "a")),
            b"a  # why\n",
            "not-applied",
            "The text that was to be shortened is still there.",
        ),
        (edit(("gone\n", "")), b"a\n", "applied", "The text that was to be deleted is gone."),
        (
            edit(("gone\n", "")),
            b"gone\na\n",
            "not-applied",
            "The text that was to be deleted is still there.",
        ),
        (TWO, b"1 2", "applied", "All 2 changes are there."),
        (TWO, b"one two", "not-applied", "None of the 2 changes is there, and the old texts are."),
        (TWO, b"1 two", "ambiguous", "1 of 2 changes is there."),
        (TWO, b"1", "ambiguous", "1 of 2 changes is there."),
        (
            edit(("one", "1"), ("two", "2"), ("three", "3")),
            b"1 2 three",
            "ambiguous",
            "2 of 3 changes are there.",
        ),
        (
            TWO,
            b"one two 1 2",
            "ambiguous",
            "Both old and new texts of the 2 changes are there.",
        ),
        (
            TWO,
            b"one",
            "changed-since",
            "None of the 2 changes is there, and not all of the old texts are.",
        ),
        (
            TWO,
            b"x",
            "changed-since",
            "Neither the old nor the new texts of the 2 changes are there.",
        ),
        (TWO, b"one two 2", "ambiguous", "Both old and new texts of the 2 changes are there."),
        # Part of the first comes to nothing by the others.
        (
            edit(("<0>", "<0>NM"), ("M<1>", "M"), ("<0>NM", "")),
            b"<0><1><2>",
            "not-applied",
            "None of the 3 changes is there, and the old texts are.",
        ),
        # The second change is of text that the first has made.
        (edit(("a", "foo bar"), ("bar", "baz")), b"foo baz", "applied", "All 2 changes are there."),
        (
            edit(("a", "foo bar"), ("bar", "baz")),
            b"a",
            "not-applied",
            "None of the 2 changes is there, and the old texts are.",
        ),
        (
            edit(("a", "a")),
            b"a",
            "unknown",
            "The old and the new text are the same, so the file cannot tell.",
        ),
        (
            edit(("a", "b"), ("", "c")),
            b"a",
            "unknown",
            "One of the changes does not say which text it replaces.",
        ),
        (
            edit(("a", "\udc80")),
            b"a",
            "unknown",
            "The call's text holds half a character, which no file can hold as UTF-8.",
        ),
        (
            edit(*[("a", "b")] * 100_000),
            b"a" * 10_000,
            "unknown",
            "The call's changes are too many or too large to be looked for.",
        ),
    ],
)
def test_replacements(change: Edit, data: bytes | None, suggests: str, reason: str) -> None:
    judgement = judge(change, data, LATER)
    assert (judgement.suggests, judgement.reason) == (suggests, reason)


@pytest.mark.parametrize(
    ("data", "suggests"), [(b"x x", "applied"), (b"a a", "not-applied"), (b"x a", "ambiguous")]
)
def test_replacing_everywhere(data: bytes, suggests: str) -> None:
    assert judge(edit(("a", "x"), everywhere=True), data, LATER).suggests == suggests


@pytest.mark.parametrize("old", ["one\ntwo", "one\r\ntwo"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_byte_order_mark_hide_nothing(old: str, end: bytes, mark: bytes) -> None:
    change = edit((old, old.replace("two", "2")))
    before = mark + b"zero" + end + b"one" + end + b"two"
    assert judge(change, before, LATER).suggests == "not-applied"
    assert judge(change, before.replace(b"two", b"2"), LATER).suggests == "applied"


def test_a_change_of_line_ends_alone() -> None:
    change = edit(("a\r\nb", "a\nb"))
    assert judge(change, b"a\r\nb\r\n", LATER).suggests == "not-applied"
    assert judge(change, b"a\nb\r\n", LATER).suggests == "applied"


@pytest.mark.parametrize(
    ("change", "data", "suggests"),
    [
        # Plain ASCII is found whatever the encoding.
        (ONE, "旧 old()".encode("gb18030"), "not-applied"),
        (ONE, "旧 new()".encode("gb18030"), "applied"),
        # Absence tells nothing where the text may be there in other bytes.
        (edit(("旧", "新")), "旧".encode("gb18030"), "unknown"),
        (edit(("a", "a 新")), "a 新".encode("gb18030"), "unknown"),
        # One stray byte does not make a file another encoding's.
        (edit(("旧", "新")), "新".encode() + b"\xff", "applied"),
    ],
)
def test_other_encodings(change: Edit, data: bytes, suggests: str) -> None:
    assert judge(change, data, LATER).suggests == suggests


@pytest.mark.parametrize("change", [WHOLE, MADE])
@pytest.mark.parametrize(
    ("data", "known", "suggests", "reason"),
    [
        (b"line 1\nline 2\n", LATER, "applied", "The file holds what was to be written."),
        (
            b"\xef\xbb\xbfline 1\r\nline 2\r\n",
            LATER,
            "applied",
            "The file holds what was to be written.",
        ),
        (
            b"line 1\nline 2\n",
            EARLIER,
            "ambiguous",
            "The file holds what was to be written, though the file was last changed before the "
            "call.",
        ),
        (
            b"other",
            EARLIER,
            "not-applied",
            "The file holds something else and was last changed before the call.",
        ),
        (
            b"other",
            Before(at=AT, modified_at=AT + TOLERANCE),
            "ambiguous",
            "The file holds something else and was last changed at about the time of the call.",
        ),
        (
            b"line 1\nline 3\n",
            Before(
                at=AT,
                modified_at=AT + 300,
                before=b"line 1\nline 3\n",
                is_alone=False,
                others=(Edit("/a.py", (Change("line 2", "line 3"),)),),
            ),
            "ambiguous",
            "The file holds something else and was last changed at about the time of the call.",
        ),
        (
            b"other",
            LATER,
            "changed-since",
            "The file holds something else and was changed after the call.",
        ),
        (
            b"other",
            Before(modified_at=AT),
            "unknown",
            "The file holds something else, and whether it changed after the call is not known.",
        ),
        (
            b"other",
            Before(at=AT, modified_at=AT, existed=False),
            "changed-since",
            "The file did not exist before the call and holds something else now.",
        ),
        (
            b"line 1\n",
            SLIGHTLY_EARLIER,
            "ambiguous",
            "The file holds only the beginning of what was to be written.",
        ),
        (b"line 1\n", EARLIER, "not-applied", None),
        (
            b"",
            LATER,
            "ambiguous",
            "The file is empty, as a write leaves it that is cut at its very start.",
        ),
        (None, LATER, "not-applied", "The file is not there, so it was not written."),
        (None, Before(existed=False), "not-applied", None),
        (
            None,
            Before(existed=True),
            "unknown",
            "The file was there before the call and is gone now.",
        ),
        (b"\0", LATER, "unknown", "The file is binary, so no text can be looked for in it."),
        # What was certain goes first.
        (b"line 1\nline 2\n", Before(at=AT, modified_at=AT, before=b"x"), "applied", None),
        (
            b"line 1\nline 2\n",
            Before(at=AT, modified_at=AT, before=b"line 1\nline 2\n"),
            "ambiguous",
            "The file holds what was to be written, but it did so before the call too.",
        ),
        (
            b"x",
            Before(at=AT, modified_at=AT + 30_000, before=b"x"),
            "not-applied",
            "The file is exactly as it was before the call.",
        ),
    ],
)
def test_writing_the_whole(
    change: Edit, data: bytes | None, known: Before, suggests: str, reason: str | None
) -> None:
    judgement = judge(change, data, known)
    assert judgement.suggests == suggests
    assert reason in (None, judgement.reason)


def test_making_a_file_and_changing_it_at_once() -> None:
    change = edit(("", "one\n"), ("one", "1"))
    assert judge(change, b"1\n", LATER).suggests == "applied"
    assert judge(change, b"one\n", EARLIER).suggests == "not-applied"
    assert judge(edit(("", "one"), ("two", "2")), b"one", LATER).suggests == "unknown"


BOTH = b"old() new()"


@pytest.mark.parametrize(
    ("data", "known", "suggests", "reason"),
    [
        (
            BOTH,
            Before(before=BOTH),
            "not-applied",
            "The file is exactly as it was before the call.",
        ),
        (
            b"new() new()",
            Before(before=BOTH),
            "applied",
            "The file is exactly as it was before the call but for the change.",
        ),
        (b"new()\r\n", Before(before=b"old()\n"), "applied", None),
        # Something else has changed as well: the texts have to tell.
        (b"x new()", Before(before=b"old()"), "applied", "The new text is there and the old one"),
        (BOTH, Before(before=b"x"), "ambiguous", "The old and the new text are both there."),
        (
            BOTH,
            Before(unwritten=True),
            "not-applied",
            "The file was not written since the agent read it before the call.",
        ),
        (
            BOTH,
            Before(leftover=".mycodeagent-a1b2.tmp"),
            "not-applied",
            "Its temporary file .mycodeagent-a1b2.tmp was left behind, so the edit was cut "
            "before it took effect.",
        ),
        (b"new()", Before(leftover=".mycodeagent-a1b2.tmp"), "applied", None),
        (b"x", Before(leftover=".mycodeagent-a1b2.tmp"), "changed-since", None),
        (
            b"new()",
            EARLIER,
            "ambiguous",
            "The new text is there and the old one is gone, though the file was last changed "
            "before the call.",
        ),
    ],
)
def test_what_is_known_of_before(
    data: bytes, known: Before, suggests: str, reason: str | None
) -> None:
    judgement = judge(ONE, data, known)
    assert judgement.suggests == suggests
    assert judgement.reason.startswith(reason or "")


def test_a_reason_of_present_text_says_nothing_of_the_old_one_inside_it() -> None:
    insertion = edit(("def a", "def a\ndef b"))
    judgement = judge(insertion, b"def a\ndef b", Before(before=b"def a\ndef b"))
    assert judgement.suggests == "ambiguous"
    assert judgement.reason == (
        "The new text is there, though the file is exactly as it was before the call."
    )


def test_changes_that_undo_one_another_are_settled_by_nothing() -> None:
    change = edit(("a", "b"), ("xb", "xa"))
    assert judge(change, b"xa", Before(before=b"xa")).reason != (
        "The file is exactly as it was before the call."
    )


def test_the_places_that_a_judgement_rests_on() -> None:
    assert judge(ONE, BOTH, LATER).places == ((b"new()", b"old()", "new"),)
    assert judge(ONE, b"old()", LATER).places == ((b"old()", b"new()", "old"),)
    assert judge(TWO, b"1 two", LATER).places == ((b"1", b"one", "new"), (b"two", b"2", "old"))
    assert judge(WHOLE, b"other", LATER).places == ()


def test_a_last_change_that_changes_nothing_still_has_to_be_there() -> None:
    edit = Edit("/a", (Change("b", "a"), Change("b", "b")))
    assert judge(edit, b"a", Before()).suggests != "applied"
