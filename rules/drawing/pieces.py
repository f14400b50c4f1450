"""The parts of boards as data, so that page scripts draw cells exactly as the server does.

`pieces` has the markup of every floor and feature of ``starship/1``, by token, for the cell in the upper left
corner. The markup refers to the definitions in ``symbols``. Rails, rays and the ground span several cells, so
the script draws them itself, with the colours in ``ink``.
"""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import combinations
from typing import Any, Final, TypedDict

from rules import elements
from rules.drawing import pen
from rules.drawing.board import LOCATORS, LOWER_LEFT, UPPER_RIGHT, torn
from rules.drawing.fittings import draw_slide_rail, fittings_of, spread
from rules.drawing.floors import draw_floor
from rules.drawing.palette import palette
from rules.drawing.words import parts_of
from rules.grid import HEADINGS, LETTERS, PHASES
from rules.language import ENGLISH, Words
from rules.starship import Starship

PREFIX: Final = "piece"
"""The prefix of the ids of all symbols."""
MOST_DIGITS: Final = 4
"""The number of digits of the largest possible checkpoint number."""


class Badge(TypedDict):
    """The parts of a badge with a number on it.

    ``plates`` has the markup of the badge for each number of digits, from 1. ``digits`` has the path data of
    each digit, by the number of digits minus 1, the position and the digit. ``stroke`` has the markup before
    and after this path data.
    """

    plates: list[str]
    digits: list[list[list[str]]]
    stroke: list[str]


class Pieces(TypedDict):
    """All the data that a page script needs to draw boards.

    ``rays`` has the offsets of a laser's parallel rays from the middle, by the laser's strength. A coupling
    on the same edge as an arm or a laser is drawn differently. Its token then ends in ``~``.
    """

    cell: int
    symbols: str
    ink: dict[str, str]
    floors: dict[str, str]
    features: dict[str, str]
    locator: str
    torn: str
    number: Badge
    repairs: Badge
    rays: dict[str, list[float]]


def pieces(theme: str = "page") -> Pieces:
    sheet = pen.Sheet(palette(theme), PREFIX)
    ink = sheet.ink
    return {
        "cell": pen.CELL,
        "ink": asdict(ink),
        "floors": {floor.token: draw_floor(sheet, floor, 0, 0) for floor in floors()},
        "features": dict(_features(sheet)),
        "locator": sheet.use("locator-open", LOCATORS["open"], pen.centre(0, 0)),
        "torn": sheet.use("torn", torn, pen.centre(0, 0)),
        "number": _badge(ink.checkpoint, ink.checkpoint_ink, UPPER_RIGHT),
        "repairs": _badge(ink.plate, ink.plate_ink, LOWER_LEFT),
        "rays": {str(strength): spread(strength) for strength in (1, 2, 3)},
        "symbols": sheet.definitions(),  # last, to include all symbols used above
    }


def floors() -> Iterator[elements.Floor]:
    """Yield every possible floor of a cell."""
    yield from elements.PLAIN.values()
    yield from (elements.Bay(phases) for phases in some_phases())
    for speed in (1, 2, 3):
        for exit_ in HEADINGS:
            sides = [side for side in HEADINGS if side != exit_]
            for count in (1, 2, 3):
                yield from (elements.Beam(speed, entries, exit_) for entries in combinations(sides, count))
    yield from map(elements.Transporter, elements.NETWORKS)
    yield from (elements.Depot(strength) for strength in (1, 2, 3))
    yield from map(elements.Airlock, elements.SQUADS)
    yield from (elements.Start(seat) for seat in range(1, 9))


def some_phases() -> Iterator[tuple[int, ...]]:
    """Yield every combination of one or more phases."""
    for count in PHASES:
        yield from combinations(PHASES, count)


def _features(sheet: pen.Sheet) -> Iterator[tuple[str, str]]:
    """Yield the token and the markup of every feature, except rails and checkpoints."""

    def drawn(**features: Any) -> str:
        return "".join(fittings_of(sheet, elements.Cell(elements.Hull(), **features), 0, 0))

    for phases in some_phases():
        yield f"x{pen.phases_text(phases)}", drawn(crusher=phases)
    for edge in HEADINGS:
        for phases in some_phases():
            slide, arm = elements.SlideRail(edge, phases), elements.Arm(edge, phases)
            yield slide.token, draw_slide_rail(sheet, slide, 0, 0)
            yield arm.token, drawn(arms=(arm,))
        for strength in (1, 2, 3):
            emitter = elements.Emitter(edge, strength)
            yield emitter.token, drawn(emitters=(emitter,))
        yield f"c{LETTERS[edge]}", drawn(couplings=(edge,))
        arm = elements.Arm(edge)
        beside = drawn(couplings=(edge,), arms=(arm,))
        yield f"c{LETTERS[edge]}~", beside.removeprefix(drawn(arms=(arm,)))


def _badge(plate: str, colour: str, where: Any) -> Badge:
    counts = range(1, MOST_DIGITS + 1)
    middles = {count: pen.badge_middle(count, **where) for count in counts}
    before, after = pen.line("|", colour, pen.STROKE).split("|")
    return {
        "plates": [pen.badge_plate(count, plate, middles[count]) for count in counts],
        "digits": [
            [list(place) for place in zip(*_digits(count, middles[count]), strict=True)] for count in counts
        ],
        "stroke": [before, after],
    }


def _digits(count: int, middle: tuple[float, float]) -> Iterator[list[str]]:
    """Yield, for each digit, its path data in each position of a number with ``count`` digits."""
    return (pen.letters(digit * count, *middle, pen.NUMERAL) for digit in "0123456789")


def piece_words(_: Words = ENGLISH) -> dict[str, str]:
    """Return the description of each floor and feature, by token, in the words used for cells.

    The token ``i`` stands for any checkpoint. Its description has the placeholder ``{number}``.

    >>> words = piece_words()
    >>> words["b1:NE"], words["wNS"], words["i"]
    ('Beam of speed 1, from north to east', 'Rail to the north and south', 'Checkpoint {number}')
    """
    told = {floor.token: _words_in(elements.Cell(floor), 0, _) for floor in floors()}
    told["i"] = _("Checkpoint {number}", number="{number}")
    for phases in some_phases():
        told[f"x{pen.phases_text(phases)}"] = _words_in(elements.Cell(elements.Hull(), crusher=phases), 1, _)
    for count in (1, 2, 3, 4):
        for edges in combinations(HEADINGS, count):
            token = f"w{''.join(LETTERS[edge] for edge in edges)}"
            told[token] = _words_in(elements.Cell(elements.Hull(), rails=edges), 1, _)
    for edge in HEADINGS:
        for phases in some_phases():
            slide, arm = elements.SlideRail(edge, phases), elements.Arm(edge, phases)
            told[slide.token] = _words_in(elements.Cell(elements.Hull(), slides=(slide,)), 1, _)
            told[arm.token] = _words_in(elements.Cell(elements.Hull(), arms=(arm,)), 1, _)
        for strength in (1, 2, 3):
            emitter = elements.Emitter(edge, strength)
            told[emitter.token] = _words_in(elements.Cell(elements.Hull(), emitters=(emitter,)), 1, _)
        told[f"c{LETTERS[edge]}"] = _words_in(elements.Cell(elements.Hull(), couplings=(edge,)), 1, _)
    return told


def _words_in(cell: elements.Cell, part: int, _: Words) -> str:
    return parts_of(Starship(1, 1, [cell]), 0, 0, _)[part].words
