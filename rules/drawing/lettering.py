"""Numerals and letters as strokes of one pen, so that a drawing needs no font.

A glyph is drawn in a box 4 wide and 6 high, with its origin at the top left.
"""

from functools import lru_cache
from typing import Final

GLYPHS: Final = {
    "0": "M2 0C.6 0 0 1.2 0 3C0 4.8 .6 6 2 6C3.4 6 4 4.8 4 3C4 1.2 3.4 0 2 0",
    "1": "M.6 1.4L2.4 0L2.4 6",
    "2": "M.2 1.5C.2 .6 1 0 2 0C3.1 0 3.8 .6 3.8 1.6C3.8 2.8 2.6 3.7 .1 6L4 6",
    "3": "M.2 .8C.6 .3 1.2 0 2 0C3.1 0 3.7 .6 3.7 1.4C3.7 2.3 3 2.8 1.7 2.8C3.1 2.8 4 3.4 4 4.4"
    "C4 5.4 3.1 6 2 6C1.1 6 .4 5.7 0 5.1",
    "4": "M3 6L3 0L0 4.3L4.2 4.3",
    "5": "M3.7 0L.7 0L.4 2.7C.9 2.3 1.4 2.1 2 2.1C3.2 2.1 4 2.9 4 4C4 5.2 3.1 6 1.9 6C1.1 6 .4 5.7 0 5.2",
    "6": "M3.5 .5C3.1 .2 2.7 0 2.2 0C.8 0 0 1.4 0 3.5C0 5.1 .8 6 2 6C3.2 6 4 5.2 4 4.1"
    "C4 3 3.2 2.3 2.1 2.3C1.1 2.3 .3 2.9 .1 3.8",
    "7": "M0 0L4 0L1.5 6",
    "8": "M2 2.8C1 2.8 .3 2.2 .3 1.4C.3 .6 1 0 2 0C3 0 3.7 .6 3.7 1.4C3.7 2.2 3 2.8 2 2.8"
    "C.9 2.8 0 3.4 0 4.4C0 5.4 .9 6 2 6C3.1 6 4 5.4 4 4.4C4 3.4 3.1 2.8 2 2.8",
    "9": "M.5 5.5C.9 5.8 1.3 6 1.8 6C3.2 6 4 4.6 4 2.5C4 .9 3.2 0 2 0C.8 0 0 .8 0 1.9"
    "C0 3 .8 3.7 1.9 3.7C2.9 3.7 3.7 3.1 3.9 2.2",
    "A": "M0 6L2 0L4 6M.8 4L3.2 4",
    "B": "M.2 2.8L2.2 2.8C3.2 2.8 3.7 2.2 3.7 1.4C3.7 .6 3.1 0 2.1 0L.2 0L.2 6L2.2 6"
    "C3.3 6 4 5.4 4 4.4C4 3.4 3.3 2.8 2.2 2.8",
    "C": "M3.9 1C3.5 .4 2.9 0 2.2 0C.8 0 0 1.2 0 3C0 4.8 .8 6 2.2 6C2.9 6 3.5 5.6 3.9 5",
    "D": "M.2 0L.2 6L1.6 6C3.2 6 4 4.9 4 3C4 1.1 3.2 0 1.6 0L.2 0",
    "E": "M3.7 0L.4 0L.4 6L3.7 6M.4 2.9L3.1 2.9",
    "F": "M3.7 0L.4 0L.4 6M.4 2.9L3.1 2.9",
    "G": "M3.8 1C3.4 .4 2.8 0 2.1 0C.8 0 0 1.2 0 3C0 4.8 .8 6 2.1 6C3.2 6 3.9 5.3 3.9 3.9L3.9 3.2L2.3 3.2",
    "H": "M.2 0L.2 6M3.8 0L3.8 6M.2 2.9L3.8 2.9",
    "Z": "M.2 0L3.8 0L.2 6L3.8 6",
    "a": "M3.6 2.2L3.6 6M3.6 4.1C3.6 2.9 2.9 2.1 1.9 2.1C.8 2.1 .1 2.9 .1 4.1C.1 5.3 .8 6 1.9 6"
    "C2.9 6 3.6 5.3 3.6 4.1",
    "b": "M.4 0L.4 6M.4 4.1C.4 2.9 1.1 2.1 2.1 2.1C3.2 2.1 3.9 2.9 3.9 4.1C3.9 5.3 3.2 6 2.1 6"
    "C1.1 6 .4 5.3 .4 4.1",
    "c": "M3.6 2.9C3.2 2.4 2.7 2.1 2.1 2.1C.9 2.1 .2 2.9 .2 4.1C.2 5.2 .9 6 2.1 6C2.7 6 3.2 5.7 3.6 5.2",
    "d": "M3.6 0L3.6 6M3.6 4.1C3.6 2.9 2.9 2.1 1.9 2.1C.8 2.1 .1 2.9 .1 4.1C.1 5.3 .8 6 1.9 6"
    "C2.9 6 3.6 5.3 3.6 4.1",
    "e": "M.3 4L3.7 4C3.7 2.8 3 2.1 2 2.1C.9 2.1 .2 2.9 .2 4.1C.2 5.3 .9 6 2.1 6C2.7 6 3.2 5.8 3.6 5.3",
    "f": "M3.4 .2C2.4 0 1.6 .4 1.6 1.5L1.6 6M.3 2.3L3 2.3",
    "g": "M3.6 2.2L3.6 6.2C3.6 7.3 2.9 8 1.9 8C1.2 8 .7 7.8 .3 7.4M3.6 4.1C3.6 2.9 2.9 2.1 1.9 2.1"
    "C.8 2.1 .1 2.9 .1 4.1C.1 5.3 .8 6 1.9 6C2.9 6 3.6 5.3 3.6 4.1",
    "h": "M.4 0L.4 6M.4 4C.4 2.8 1.1 2.1 2 2.1C3 2.1 3.6 2.8 3.6 3.9L3.6 6",
    "i": "M2 2.3L2 6M2 .2L2 .5",
}
WIDE: Final = 4.0
HIGH: Final = 6.0
GAP: Final = 1.5


def length(text: str, height: float) -> float:
    """Return how wide a text is when its glyphs are so high."""
    return (len(text) * (WIDE + GAP) - GAP) * height / HIGH


def writing(text: str, x: float, y: float, height: float) -> str:
    """Return path data that writes a text centred on a point; raises KeyError for a glyph that is not there.

    >>> writing("1", 0, 0, 6)
    'M-1.4-1.6L.4-3L.4 3'
    """
    return "".join(letters(text, x, y, height))


def letters(text: str, x: float, y: float, height: float) -> list[str]:
    """Return the path data of each letter of a text that is centred on a point."""
    scale = height / HIGH
    left = x - length(text, height) / 2
    top = y - height / 2
    return [
        _placed(GLYPHS[glyph], left + index * (WIDE + GAP) * scale, top, scale)
        for index, glyph in enumerate(text)
    ]


@lru_cache(maxsize=4096)
def _placed(glyph: str, x: float, y: float, scale: float) -> str:
    """Move and scale path data whose commands are M, L and C, all absolute.

    It is remembered: numbers of one length have the same few digits in the same places.
    """
    written = ""
    for command, points in _commands(glyph):
        numbers = [number * scale + (y if index % 2 else x) for index, number in enumerate(points)]
        written += command + joined(numbers)
    return written


@lru_cache(maxsize=len(GLYPHS))
def _commands(glyph: str) -> list[tuple[str, list[float]]]:
    commands: list[tuple[str, list[float]]] = []
    word = ""
    for character in glyph + "M":
        if character.isalpha():
            if word:
                commands[-1][1].extend(float(number) for number in word.split())
            word = ""
            commands.append((character, []))
        else:
            word += character
    return commands[:-1]


@lru_cache(maxsize=4096)
def number(value: float) -> str:
    """Write a coordinate as short as can be, to a hundredth.

    >>> number(-0.5), number(3.0), number(0.001)
    ('-.5', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def joined(numbers: list[float]) -> str:
    """Write coordinates one after another, with blanks only where they are needed."""
    text = ""
    for value in numbers:
        written = number(value)
        text += written if not text or written.startswith("-") else " " + written
    return text
