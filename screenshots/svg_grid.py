"""Makes Textual's SVG screenshots true to the terminal's grid, and PNGs of them.

As exported, a whole run of text gets one position and its length in characters, so Chinese is
squeezed and programming fonts join `::` and `--`; the fonts come from the network. Here every
word, and every character that is wide or no letter or digit, gets a position of its own, and
the fonts are those of the machine that shows the picture.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from rich.cells import split_graphemes

CELL = 12.2
"""Width of a cell in the exported pictures, in their units."""
FONT_SIZE = 20
WIDE_INDENT = (2 * CELL - FONT_SIZE) / 2
"""Centres a character that is as wide as it is high in its two cells."""
FAMILIES = (
    "'Fira Code','DejaVu Sans Mono',Menlo,Consolas,"
    "'WenQuanYi Micro Hei Mono','WenQuanYi Micro Hei','PingFang SC','Microsoft YaHei',"
    "'Noto Sans CJK SC',Symbola,monospace"
)
TITLE_FAMILIES = "'DejaVu Sans',Helvetica,Arial,'WenQuanYi Micro Hei',sans-serif"

FONT_FACE = re.compile(r"\s*@font-face\s*\{[^}]*\}")
TEXT = re.compile(
    r'<text class="(?P<class>[^"]+-r\d+)" x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)" '
    r'textLength="[\d.]+" clip-path="(?P<clip>[^"]+)">(?P<text>[^<]*)</text>'
)

REQUIRED = {"rsvg-convert": "librsvg2-bin"}
"""Programs and the Debian packages they come in."""


def on_grid(svg: str) -> str:
    """The same picture with each piece of text at its own cell."""
    svg = FONT_FACE.sub("", svg)
    svg = svg.replace("font-family: Fira Code, monospace;", f"font-family: {FAMILIES};")
    svg = svg.replace("font-family: arial;", f"font-family: {TITLE_FAMILIES};")
    svg = svg.replace("font-variant-east-asian: full-width;", "font-variant-ligatures: none;")
    svg = svg.replace("</style>", "    tspan { text-decoration: inherit }\n    </style>", 1)
    return TEXT.sub(_placed, svg)


def _placed(match: re.Match[str]) -> str:
    start = float(match["x"])
    spans = "".join(
        f'<tspan x="{start + offset:.5g}">{html.escape(piece, quote=False)}</tspan>'
        for offset, piece in pieces(html.unescape(match["text"]))
    )
    head = f'class="{match["class"]}" y="{match["y"]}" clip-path="{match["clip"]}"'
    return f"<text {head}>{spans}</text>" if spans else ""


def pieces(text: str) -> Iterator[tuple[float, str]]:
    """Words and single characters of a text with their distances from its start."""
    cell, word, word_cell = 0, "", 0
    for start, end, width in split_graphemes(text)[0]:
        character = text[start:end]
        if character.isascii() and character.isalnum():
            word_cell = word_cell if word else cell
            word += character
        else:
            if word:
                yield word_cell * CELL, word
                word = ""
            if not character.isspace():
                yield cell * CELL + (WIDE_INDENT if width == 2 else 0), character
        cell += width
    if word:
        yield word_cell * CELL, word


def missing() -> list[str]:
    """The Debian packages of programs that pictures need and that are not there."""
    return [package for program, package in REQUIRED.items() if not shutil.which(program)]


def to_png(svg: Path, png: Path, zoom: float = 1.5) -> None:
    """Draw a picture; smaller by a palette where pngquant is installed."""
    subprocess.run(["rsvg-convert", f"--zoom={zoom}", f"--output={png}", str(svg)], check=True)
    if shutil.which("pngquant"):
        shrink = ["pngquant", "--force", "--speed=1", "--output", str(png), "256", str(png)]
        subprocess.run(shrink, check=True)
