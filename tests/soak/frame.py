"""What a terminal shows of what a program prints: enough of one to read the screen as text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from rich.cells import cell_len

PIECE = re.compile(
    r"\x1b\[([0-?]*)[ -/]*([@-~])"  # what moves the cursor, clears, or gives colours
    r"|\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[ -/]*[0-Z\\^-~])"
    r"|([\x00-\x1a\x1c-\x1f])|([^\x00-\x1f]+)"
)
UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|P[^\x1b]*\x1b?|[ -/]*)?\Z")


class Frame:
    """A screen of rows and columns. A character of two columns is followed by an empty cell."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self._cells = [[" "] * columns for _ in range(rows)]
        self._row = self._column = 0
        self._decode: Callable[[bytes], str] = codecs.getincrementaldecoder("utf-8")(
            "replace"
        ).decode
        self._rest = ""

    def feed(self, output: bytes) -> None:
        """Take what was printed; an escape that came in part waits for its rest."""
        text = self._rest + self._decode(output)
        cut = UNFINISHED.search(text)
        self._rest = text[cut.start() :] if cut else ""
        for piece in PIECE.finditer(text, 0, len(text) - len(self._rest)):
            values, letter, control, written = piece.groups()
            if letter:
                self._obey(letter, values)
            elif control:
                self._control(control)
            elif written:
                self._write(written)

    def lines(self, left: int = 0, right: int | None = None) -> list[str]:
        """The rows as text, between two columns."""
        return ["".join(row[left:right]).rstrip() for row in self._cells]

    def place_of(self, text: str, left: int = 0, right: int | None = None) -> int | None:
        """The first row that holds a text between two columns."""
        rows = enumerate(self.lines(left, right))
        return next((number for number, line in rows if text in line), None)

    def _obey(self, letter: str, values: str) -> None:
        numbers = [int(value) if value.isdigit() else 0 for value in values.split(";")]
        if letter in "Hf":
            self._row = min(self.rows, max(1, numbers[0])) - 1
            self._column = min(self.columns, max(1, numbers[-1] if len(numbers) > 1 else 1)) - 1
        elif letter == "G":
            self._column = min(self.columns, max(1, numbers[0])) - 1
        elif letter == "J" and numbers[0] == 2:
            self._cells = [[" "] * self.columns for _ in range(self.rows)]
        elif letter == "K":
            rest = self.columns - self._column
            self._cells[self._row][self._column :] = [" "] * rest

    def _control(self, control: str) -> None:
        if control == "\r":
            self._column = 0
        elif control == "\n":
            self._row = min(self.rows - 1, self._row + 1)

    def _write(self, text: str) -> None:
        row = self._cells[self._row]
        for character in text:
            width = cell_len(character)
            if width == 0:
                continue
            if self._column + width > self.columns:
                return
            row[self._column : self._column + width] = [character] + [""] * (width - 1)
            self._column += width
