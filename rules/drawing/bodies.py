"""What a robot is put together from: body, face, sticker, and the marks that a game leaves on it."""

from dataclasses import dataclass

from rules.drawing.lettering import number, writing
from rules.drawing.pen import area, circle, line
from rules.drawing.sheet import HIDDEN, Drawing, Sheet
from rules.drawing.silhouettes import SCANNER, SILHOUETTES, Silhouette

LETTERS = "ABCDEFGH"
"""What stands on the robots' stickers, in the order of the looks."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one robot differs from the others: its silhouette, its letter, and its number among the looks.

    ``outline`` is the colour of the virtual robot, made to show on hull.
    """

    key: str
    shape: Silhouette
    letter: str
    colour: str
    outline: str


def robot_look(sheet: Sheet, number_: int) -> Look:
    """Return one of the eight looks of players' robots, by its number from 1."""
    model = (number_ - 1) % len(SILHOUETTES)
    ink = sheet.ink
    return Look(str(model + 1), SILHOUETTES[model], LETTERS[model], ink.robot(model), ink.outline(model))


def scanner_look(sheet: Sheet, number_: int) -> Look:
    """Return the look of a scanner, which has a number instead of a letter, from 1."""
    return Look("scanner", SCANNER, str(number_), sheet.ink.scanner, sheet.ink.scanner)


def body(look: Look) -> Drawing:
    """The real robot, painted."""

    def draw(sheet: Sheet) -> str:
        ink, limb = sheet.ink, look.shape.limb
        return (
            _body(sheet, look, ink.robot_shadow, 4.6, ' stroke-opacity=".4"')
            + _limbs(sheet, look, ink.robot_ink, limb + 1.7)
            + _limbs(sheet, look, look.colour, limb)
            + _body(sheet, look, ink.robot_ink, 1.7, f' fill="{look.colour}"')
            + line(look.shape.lines, ink.robot_ink, 1.1, ' stroke-opacity=".62"')
        )

    return draw


def ghost(look: Look) -> Drawing:
    """The virtual robot: its outline alone."""

    def draw(sheet: Sheet) -> str:
        # A seam of hull round the lines keeps them apart from what lies below.
        hull = sheet.ink.hull
        return (
            _limbs(sheet, look, hull, 4.6, ' stroke-opacity=".8"')
            + _body(sheet, look, hull, 4.6, ' stroke-opacity=".8"')
            + _limbs(sheet, look, look.outline, 1.5)
            + _body(sheet, look, look.outline, 1.9, f' fill="{hull}" fill-opacity=".3"')
        )

    return draw


def _body(sheet: Sheet, look: Look, colour: str, width: float, more: str = "") -> str:
    """Draw the outline of the body, which is defined once."""
    stroke = f' stroke="{colour}" stroke-width="{number(width)}"'
    return sheet.use(f"body{look.key}", lambda _: f'<path d="{look.shape.body}"/>', more=stroke + more)


def _limbs(sheet: Sheet, look: Look, colour: str, width: float, more: str = "") -> str:
    if not look.shape.limbs:
        return ""
    stroke = f' stroke="{colour}" stroke-width="{number(width)}"'
    return sheet.use(f"limbs{look.key}", lambda _: f'<path d="{look.shape.limbs}"/>', more=stroke + more)


def eyes(look: Look) -> Drawing:
    """Eyes that look ahead, so that one sees where the front is."""
    whites = "".join(f"M{number(x)} {number(y)}h0" for x, y in look.shape.eyes)
    pupils = "".join(f"M{number(x)} {number(y - 1)}h0" for x, y in look.shape.eyes)

    def draw(sheet: Sheet) -> str:
        dark, light = sheet.ink.robot_ink, sheet.ink.robot_light
        return line(whites, dark, 6.8) + line(whites, light, 5) + line(pupils, dark, 2.5)

    return draw


def lids(look: Look) -> Drawing:
    """Eyes closed, of a robot that is down."""
    sockets = "".join(f"M{number(x)} {number(y)}h0" for x, y in look.shape.eyes)
    lashes = "".join(f"M{number(x - 2)} {number(y - 0.5)}q2 2.6 4 0" for x, y in look.shape.eyes)

    def draw(sheet: Sheet) -> str:
        dark, lid = sheet.ink.robot_ink, sheet.ink.bare
        return line(sockets, dark, 6.8) + line(sockets, lid, 5) + line(lashes, dark, 1.5)

    return draw


def sleep(sheet: Sheet) -> str:
    """What one hears of a robot that is down."""
    strokes = writing("Z", 10.4, -10.6, 6) + writing("Z", 14.6, -15, 4)
    return line(strokes, sheet.ink.rail_edge, 3.2) + line(strokes, sheet.ink.rail, 1.4)


def undecided(sheet: Sheet) -> str:
    """Four ways to go, where no heading has been chosen."""
    ways = "M-2.4-12.6L0-15L2.4-12.6M12.6-2.4L15 0L12.6 2.4M2.4 12.6L0 15L-2.4 12.6M-12.6 2.4L-15 0L-12.6-2.4"
    return line(ways, sheet.ink.rail, 1.6)


def sticker(look: Look) -> Drawing:
    """The letter of a real robot, on a round sticker."""
    letter = writing(look.letter, 0, 0, 6.2)
    return lambda sheet: (
        circle(5, sheet.ink.robot_light, sheet.ink.robot_ink, 1.1) + line(letter, sheet.ink.robot_ink, 1.5)
    )


def outlined_letter(look: Look) -> Drawing:
    """The letter of a virtual robot."""
    letter = writing(look.letter, 0, 0.6, 8)
    return lambda sheet: line(letter, look.outline, 1.9)


SCARS = (
    (6.4, 4.6),
    (-6.6, -2.2),
    (-4.6, 6.8),
    (6.8, -2.6),
    (1.6, 8),
    (-7, 2.6),
    (4.2, 7.2),
    (7, 1.2),
    (-1.8, 7.4),
)
"""Where paint has come off: one place for each point of damage."""
_SCARS = (
    "M-2-.8L.4-2L2 .2L.2 1.9L-1.6 1.4z",
    "M-1.4-1.8L1.2-1.4L1.9 1L-.4 2L-2 .4z",
    "M-1.9-.2L-.2-1.9L1.8-.8L1.2 1.6L-1 1.7z",
)
PUFFS = ((5, -8.6, -9.4, 3.0), (7, -11.8, -12.6, 2.4), (9, -8.4, -14.6, 1.8))
"""Smoke: from which damage on, where, and how large."""


def scars(sheet: Sheet, damage: int) -> str:
    """Draw where paint has come off, once for each point of damage; all are there, most of them hidden."""
    return "".join(
        sheet.use(f"scar{place % 3 + 1}", _scar(_SCARS[place % 3]), at, more=_from(place + 1, damage))
        for place, at in enumerate(SCARS)
    )


def _scar(path: str) -> Drawing:
    return lambda sheet: area(path, sheet.ink.bare, sheet.ink.robot_ink, 0.9)


def smoke(sheet: Sheet, damage: int) -> str:
    """Draw the smoke of a robot that is badly hurt."""
    return "".join(
        sheet.use(f"puff{least}", _puff(radius), (x, y), more=_from(least, damage))
        for least, x, y, radius in PUFFS
    )


def _puff(radius: float) -> Drawing:
    return lambda sheet: circle(radius, sheet.ink.smoke, sheet.ink.robot_ink)


def _from(least: int, damage: int) -> str:
    """Return the attribute by which a page script knows from which damage on a part shows."""
    return f' data-from="{least}"' + ("" if damage >= least else HIDDEN)
